"""The world of a library: its generated records, and the tools that read them."""

from __future__ import annotations

import datetime
from typing import Any, Literal

import numpy as np

from aq_gym.envs.toolquery.logic.names import Names, draw_keys
from aq_gym.envs.toolquery.logic.session import (
    Session,
    Tables,
    fact,
    field_tool,
    fields_tool,
    search_tool,
)
from aq_gym.tools import Toolbox

_Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

GENRES = ("mystery", "poetry", "travel", "history", "satire", "science", "fables")
LANGUAGES = ("Norvish", "Talasian", "Ordic", "Keshi", "Luminese", "Varran")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_FIRST = ("Quiet", "Seventh", "Painted", "Borrowed", "Northern", "Glass", "Unwritten")
_SECOND = ("Island", "Clock", "Staircase", "Harvest", "Portrait", "Lantern", "Window")
_FIRST_TODAY = datetime.date(2030, 1, 1).toordinal()
_LOAN_DAYS = 28


def build(seed: int, records: int) -> Tables:
    """Build the database of a seed.

    Args:
        seed: The seed.
        records: The number of books; there are as many loans, half as many members, a
            third as many writers, and a tenth as many branches.
    """
    rng = np.random.default_rng([seed, records, 4])
    names = Names(rng)
    counts = (records, records // 2, records // 3, records, records // 10)
    keys = iter(draw_keys(rng, sum(counts)))
    books, members, writers, loans, branches = (
        [next(keys) for _ in range(count)] for count in counts
    )
    today = _FIRST_TODAY + names.below(3_000)
    data: dict[str, dict[str, dict[str, Any]]] = {
        "branch": {key: _branch(names) for key in branches},
        "writer": {key: _writer(names) for key in writers},
        "book": {key: _book(names, writers, branches) for key in books},
        "member": {key: _member(names, branches) for key in members},
        "loan": {key: _loan(names, books, members, today) for key in loans},
        "today": {"today": {"date": datetime.date.fromordinal(today).isoformat()}},
    }
    for key, book in data["book"].items():
        data["writer"][book["writer_id"]]["books"].append(key)
    for key, loan in data["loan"].items():
        listed = {"loan_id": key, "book_id": loan["book_id"]}
        data["member"][loan["member_id"]]["loans"].append(listed)
    return data


def _branch(names: Names) -> dict[str, Any]:
    return {
        "name": f"{names.word()} Branch",
        "town": names.place(),
        "opened": 1900 + names.below(120),
        "seats": 10 + names.below(300),
        "hours": [
            {"weekday": day, "opens": _time(names, 7), "closes": _time(names, 15)}
            for day in WEEKDAYS
        ],
    }


def _time(names: Names, hour: int) -> str:
    """Draw a time in the six hours from an hour on."""
    return f"{hour + names.below(6):02}:{5 * names.below(12):02}"


def _writer(names: Names) -> dict[str, Any]:
    return {
        "name": names.person(),
        "birthday": names.date(_FIRST_TODAY - 50_000, 38_000),
        "birthplace": names.place(),
        "books": [],
    }


def _book(names: Names, writers: list[str], branches: list[str]) -> dict[str, Any]:
    return {
        "title": f"The {names.pick(_FIRST)} {names.pick(_SECOND)} of {names.word()}",
        "year": 1950 + names.below(75),
        "pages": 60 + names.below(700),
        "language": names.pick(LANGUAGES),
        "genres": names.some(GENRES, 1 + names.below(2)),
        "writer_id": names.pick(writers),
        "copies": [
            {"branch_id": key, "copies": 1 + names.below(9)}
            for key in names.some(branches, 2 + names.below(2))
        ],
    }


def _member(names: Names, branches: list[str]) -> dict[str, Any]:
    return {
        "name": names.person(),
        "joined": names.date(_FIRST_TODAY - 9_000, 8_000),
        "branch_id": names.pick(branches),
        "loans": [],
    }


def _loan(
    names: Names, books: list[str], members: list[str], today: int
) -> dict[str, Any]:
    borrowed = today - 1 - names.below(60)
    returned = min(borrowed + 1 + names.below(50), today)
    back = names.below(2)
    return {
        "book_id": names.pick(books),
        "member_id": names.pick(members),
        "borrowed": _iso(borrowed),
        "due": _iso(borrowed + _LOAN_DAYS),
        "returned": _iso(returned) if back else None,
    }


def _iso(day: int) -> str:
    return datetime.date.fromordinal(day).isoformat()


class LibrarySession(Session):
    """The world of a library during an episode."""

    names = {  # noqa: RUF012
        "book": "title",
        "writer": "name",
        "member": "name",
        "branch": "name",
    }

    def get_current_date(self) -> str:
        """Get today's date."""
        date: str = self.show("today", "today", "date")["date"]
        return date

    def get_branch_hours(self, branch_id: str, weekday: _Weekday) -> dict[str, str]:
        """Get when a branch opens and closes on a weekday.

        Args:
            branch_id: The id.
            weekday: The weekday.
        """
        hours = self.record("branch", branch_id)["hours"]
        self.note([fact("branch", branch_id, weekday)])
        found = next(one for one in hours if one["weekday"] == weekday)
        return {"opens": found["opens"], "closes": found["closes"]}


TOOLS = Toolbox(
    [
        LibrarySession.get_current_date,
        search_tool("book", "Search books by title.", "title"),
        search_tool("writer", "Search the writers of books by name."),
        search_tool("member", "Search members of the library by name."),
        search_tool("branch", "Search branches of the library by name."),
        fields_tool(
            "get_book_details",
            "Get the title, year, number of pages and language of a book.",
            "book",
            "title year pages language",
            "The id, as search_book returns it.",
        ),
        field_tool("get_book_genres", "Get the genres of a book.", "book", "genres"),
        field_tool(
            "get_book_writer",
            "Get the id of the writer of a book.",
            "book",
            "writer_id",
        ),
        field_tool(
            "get_book_copies",
            "Get the number of copies of a book, by the ids of the branches that own "
            "them.",
            "book",
            "copies",
        ),
        fields_tool(
            "get_writer_details",
            "Get the name, birthday and birthplace of a writer.",
            "writer",
            "name birthday birthplace",
            "The id, as search_writer returns it.",
        ),
        field_tool(
            "get_writer_books",
            "Get the ids of the books of a writer.",
            "writer",
            "books",
        ),
        fields_tool(
            "get_member_details",
            "Get the name of a member, the day of joining and the id of the home "
            "branch.",
            "member",
            "name joined branch_id",
            "The id, as search_member returns it.",
        ),
        field_tool(
            "get_member_loans",
            "Get the ids of the loans of a member, with those of the books.",
            "member",
            "loans",
        ),
        fields_tool(
            "get_loan_details",
            "Get the days on which a book was borrowed, is due and was returned.",
            "loan",
            "borrowed due returned",
            "The id, as get_member_loans returns it. A book that was not returned has "
            "null.",
        ),
        fields_tool(
            "get_branch_details",
            "Get the name, town, year of opening and number of seats of a branch.",
            "branch",
            "name town opened seats",
            "The id, as search_branch returns it.",
        ),
        LibrarySession.get_branch_hours,
        Session.finish,
    ]
)
