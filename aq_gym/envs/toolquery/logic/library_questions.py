"""The templates of questions about a library."""

from __future__ import annotations

import datetime

from aq_gym.envs.toolquery.logic.library import (
    GENRES,
    LANGUAGES,
    TOOLS,
    WEEKDAYS,
    LibrarySession,
    build,
)
from aq_gym.envs.toolquery.logic.question import (
    Builder,
    Question,
    Template,
    World,
    about_one,
    best_listed,
    best_of_three,
    same_of_two,
    total_listed,
)
from aq_gym.envs.toolquery.logic.session import fact

_YES_NO = (True, False)
_DETAILS = "get_book_details"


def writer_birthplace(ask: Builder) -> Question:
    """Where the writer of a book was born."""
    writer, title = _writer_of_book(ask)
    person = ask.look("get_writer_details", "writer", writer, "birthplace")
    return ask.question(
        f'Where was the writer of "{title}" born?', person["birthplace"]
    )


def writer_birthday(ask: Builder) -> Question:
    """When the writer of a book was born."""
    writer, title = _writer_of_book(ask)
    person = ask.look("get_writer_details", "writer", writer, "birthday")
    text = f'On which day was the writer of "{title}" born?'
    return ask.question(text, person["birthday"], "date")


def other_books(ask: Builder) -> Question:
    """The other books of the writer of a book, a set."""
    (book,), (title,) = ask.find("book", 1)
    writer = ask.look("get_book_writer", "book", book, "writer_id")["writer_id"]
    person = ask.look("get_writer_books", "writer", writer, "books")
    others = [key for key in person["books"] if key != book]
    ask.require(1 <= len(others) <= 4)
    titles = ask.each(_DETAILS, "book", others, "title")
    text = f'Which other books did the writer of "{title}" write? Give the set.'
    return ask.question(text, titles, "set")


def older_writer(ask: Builder) -> Question:
    """Which of two books is by the older writer."""
    books, titles = ask.find("book", 2)
    writers = ask.each("get_book_writer", "book", books, "writer_id")
    born = ask.each("get_writer_details", "writer", writers, "birthday")
    older = ask.first(titles, born)
    text = f'Which book has the older writer, "{titles[0]}" or "{titles[1]}"?'
    return ask.question(text, older)


def books_in_genre(ask: Builder) -> Question:
    """How many books of a writer have a genre."""
    name, books = ask.some_of("writer", "books")
    genre = ask.pick(GENRES)
    found = ask.each("get_book_genres", "book", books, "genres")
    text = f'How many books of {name} have the genre "{genre}"?'
    return ask.question(text, sum(genre in one for one in found), "number")


def copies(ask: Builder) -> Question:
    """How many copies of a book all branches have."""
    (key,), (title,) = ask.find("book", 1)
    book = ask.look("get_book_copies", "book", key, "copies")
    total = sum(one["copies"] for one in book["copies"])
    text = f'How many copies of "{title}" does the library have in all branches?'
    return ask.question(text, total, "number")


def most_copies(ask: Builder) -> Question:
    """The branch with the most copies of a book."""
    (key,), (title,) = ask.find("book", 1)
    owned = ask.look("get_book_copies", "book", key, "copies")["copies"]
    best = ask.first(owned, [one["copies"] for one in owned], reverse=True)
    branch = ask.look("get_branch_details", "branch", best["branch_id"], "name")
    text = f'Which branch has the most copies of "{title}"?'
    return ask.question(text, branch["name"])


def home_town(ask: Builder) -> Question:
    """The town of a member's home branch."""
    (key,), (name,) = ask.find("member", 1)
    member = ask.look("get_member_details", "member", key, "branch_id")
    branch = ask.look("get_branch_details", "branch", member["branch_id"], "town")
    return ask.question(f"In which town is the home branch of {name}?", branch["town"])


def at_home(ask: Builder) -> Question:
    """How many copies of a book a member's home branch has."""
    (member,), (name,) = ask.find("member", 1)
    home = ask.look("get_member_details", "member", member, "branch_id")["branch_id"]
    (book,), (title,) = ask.find("book", 1)
    owned = ask.look("get_book_copies", "book", book, "copies")["copies"]
    found = sum(one["copies"] for one in owned if one["branch_id"] == home)
    text = f'How many copies of "{title}" does the home branch of {name} have?'
    return ask.question(text, found, "number")


def due(ask: Builder) -> Question:
    """When a member has to return a book."""
    loan, name, title = _loan(ask)
    found = ask.look("get_loan_details", "loan", loan, "due")
    text = f'On which day is "{title}", which {name} borrowed, due?'
    return ask.question(text, found["due"], "date")


def overdue(ask: Builder) -> Question:
    """Whether a book that is still out is overdue."""
    loan, name, title = _loan(ask)
    record = ask.data["loan"][loan]
    ask.require(record["returned"] is None)
    found = ask.look("get_loan_details", "loan", loan, "due")
    today = _today(ask)
    text = f'{name} has not returned "{title}" yet. Was it due before today?'
    return ask.question(text, found["due"] < today, "boolean")


def days_out(ask: Builder) -> Question:
    """How many days ago a member borrowed a book."""
    loan, name, title = _loan(ask)
    found = ask.look("get_loan_details", "loan", loan, "borrowed")
    days = _day(_today(ask)) - _day(found["borrowed"])
    text = f'How many days ago did {name} borrow "{title}"?'
    return ask.question(text, days, "number")


def open_loans(ask: Builder) -> Question:
    """How many books a member has not returned."""
    name, loans = ask.some_of("member", "loans")
    keys = [one["loan_id"] for one in loans]
    found = ask.each("get_loan_details", "loan", keys, "returned")
    text = f"How many of the books that {name} borrowed are not returned yet?"
    return ask.question(text, found.count(None), "number")


def borrowed_books(ask: Builder) -> Question:
    """The titles of the books that a member borrowed, a set."""
    name, loans = ask.some_of("member", "loans")
    books = list(dict.fromkeys(one["book_id"] for one in loans))
    titles = ask.each(_DETAILS, "book", books, "title")
    return ask.question(f"Which books did {name} borrow?", titles, "set")


def last_borrowed(ask: Builder) -> Question:
    """The book that a member borrowed last."""
    name, loans = ask.some_of("member", "loans")
    keys = [one["loan_id"] for one in loans]
    days = ask.each("get_loan_details", "loan", keys, "borrowed")
    last = ask.first(loans, days, reverse=True)
    book = ask.look(_DETAILS, "book", last["book_id"], "title")
    return ask.question(f"Which book did {name} borrow last?", book["title"])


def read_language(ask: Builder) -> Question:
    """Whether a member borrowed a book in a language."""
    name, loans = ask.some_of("member", "loans")
    spoken = ask.pick(LANGUAGES)
    books = list(dict.fromkeys(one["book_id"] for one in loans))
    found = ask.each(_DETAILS, "book", books, "language")
    text = f"Is one of the books that {name} borrowed in {spoken}?"
    return ask.question(text, spoken in found, "boolean")


def closing_time(ask: Builder) -> Question:
    """When a member's home branch closes on a weekday."""
    (key,), (name,) = ask.find("member", 1)
    member = ask.look("get_member_details", "member", key, "branch_id")
    day, hours = _hours(ask, member["branch_id"])
    text = f"At what time does the home branch of {name} close on {day}s? (As 18:05.)"
    return ask.question(text, hours["closes"])


def minutes_open(ask: Builder) -> Question:
    """How many minutes a branch is open on a weekday."""
    (key,), (name,) = ask.find("branch", 1)
    day, hours = _hours(ask, key)
    found = _minute(hours["closes"]) - _minute(hours["opens"])
    text = f"For how many minutes is {name} open on {day}s?"
    return ask.question(text, found, "number")


def _writer_of_book(ask: Builder) -> tuple[str, str]:
    """Draw a book and find its writer; return the writer's id and the title."""
    (key,), (title,) = ask.find("book", 1)
    writer: str = ask.look("get_book_writer", "book", key, "writer_id")["writer_id"]
    return writer, title


def _loan(ask: Builder) -> tuple[str, str, str]:
    """Draw a loan, and find it; return its id, the member's name and the title."""
    key = ask.draw("loan")
    loan = ask.data["loan"][key]
    others = ask.data["member"][loan["member_id"]]["loans"]
    ask.require(sum(one["book_id"] == loan["book_id"] for one in others) == 1)
    name = ask.search("member", loan["member_id"])
    title = ask.search("book", loan["book_id"])
    ask.look("get_member_loans", "member", loan["member_id"], "loans")
    return key, name, title


def _today(ask: Builder) -> str:
    today: str = ask.data["today"]["today"]["date"]
    ask.call("get_current_date", {}, [fact("today", "today", "date")])
    return today


def _hours(ask: Builder, branch: str) -> tuple[str, dict[str, str]]:
    """Add the call for a branch's hours on some weekday; return hours and weekday."""
    day = ask.pick(WEEKDAYS)
    arguments = {"branch_id": branch, "weekday": day}
    ask.call("get_branch_hours", arguments, [fact("branch", branch, day)])
    hours = ask.data["branch"][branch]["hours"]
    return day, next(one for one in hours if one["weekday"] == day)


def _minute(time: str) -> int:
    return 60 * int(time[:2]) + int(time[3:])


def _day(date: str) -> int:
    return datetime.date.fromisoformat(date).toordinal()


TEMPLATES = (
    Template(
        "pages",
        about_one("book", _DETAILS, "pages", 'How many pages has "{}"?', "number"),
    ),
    Template(
        "language",
        about_one("book", _DETAILS, "language", 'In which language is "{}"?'),
        LANGUAGES,
    ),
    Template("writer-birthplace", writer_birthplace),
    Template("writer-birthday", writer_birthday),
    Template("other-books", other_books),
    Template("older-writer", older_writer),
    Template(
        "longest-book",
        best_listed(
            "writer",
            "books",
            _DETAILS,
            "pages",
            "Which book of {} has the most pages?",
            reverse=True,
        ),
    ),
    Template(
        "first-book",
        best_listed(
            "writer", "books", _DETAILS, "year", "Which book of {} was published first?"
        ),
    ),
    Template(
        "total-pages",
        total_listed(
            "writer",
            "books",
            _DETAILS,
            "pages",
            "How many pages do the books of {} have together?",
        ),
    ),
    Template("books-in-genre", books_in_genre, (0, 1, 2)),
    Template(
        "same-language",
        same_of_two(
            "book", _DETAILS, "language", 'Are "{}" and "{}" in the same language?'
        ),
        _YES_NO,
    ),
    Template("copies", copies),
    Template("most-copies", most_copies),
    Template("home-town", home_town),
    Template("at-home", at_home, (0, 1, 2, 3, 4, 5)),
    Template(
        "same-home",
        same_of_two(
            "member",
            "get_member_details",
            "branch_id",
            "Do {} and {} have the same home branch?",
        ),
        _YES_NO,
    ),
    Template(
        "longest-member",
        best_of_three(
            "member",
            "get_member_details",
            "joined",
            "Who joined the library first: {}, {} or {}?",
        ),
    ),
    Template("due", due),
    Template("overdue", overdue, _YES_NO),
    Template("days-out", days_out),
    Template("open-loans", open_loans, (0, 1, 2)),
    Template("borrowed-books", borrowed_books),
    Template("last-borrowed", last_borrowed),
    Template("read-language", read_language, _YES_NO),
    Template(
        "oldest-branch",
        best_of_three(
            "branch",
            "get_branch_details",
            "opened",
            "Which was opened first: {}, {} or {}?",
        ),
    ),
    Template("closing-time", closing_time),
    Template("minutes-open", minutes_open),
)
WORLD = World(build, LibrarySession, TOOLS, TEMPLATES)
