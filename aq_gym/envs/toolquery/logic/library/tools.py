"""The tools of the world of a library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from aq_gym.envs.toolquery.logic.session import Session, fact
from aq_gym.tools import Toolbox

_Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]


class LibrarySession(Session):
    """The tools of the world of a library; each method is one."""

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

    def search_book(self, title: str) -> list[dict[str, str]]:
        """Search books by title.

        Args:
            title: The title or a part of it.
        """
        return self.search("book", title)

    def search_writer(self, name: str) -> list[dict[str, str]]:
        """Search the writers of books by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("writer", name)

    def search_member(self, name: str) -> list[dict[str, str]]:
        """Search members of the library by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("member", name)

    def search_branch(self, name: str) -> list[dict[str, str]]:
        """Search branches of the library by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("branch", name)

    def get_book_details(self, book_id: str) -> dict[str, Any]:
        """Get the title, year, number of pages and language of a book.

        Args:
            book_id: The id, as search_book returns it.
        """
        return self.show("book", book_id, "title", "year", "pages", "language")

    def get_book_genres(self, book_id: str) -> Sequence[str]:
        """Get the genres of a book.

        Args:
            book_id: The id.
        """
        return self.show_list("book", book_id, "genres")

    def get_book_writer(self, book_id: str) -> str:
        """Get the id of the writer of a book.

        Args:
            book_id: The id.
        """
        writer: str = self.show("book", book_id, "writer_id")["writer_id"]
        return writer

    def get_book_copies(self, book_id: str) -> list[dict[str, Any]]:
        """Get the number of copies of a book, by the ids of the branches that own them.

        Args:
            book_id: The id.
        """
        return list(self.show_list("book", book_id, "copies"))

    def get_writer_details(self, writer_id: str) -> dict[str, Any]:
        """Get the name, birthday and birthplace of a writer.

        Args:
            writer_id: The id, as search_writer returns it.
        """
        return self.show("writer", writer_id, "name", "birthday", "birthplace")

    def get_writer_books(self, writer_id: str) -> Sequence[str]:
        """Get the ids of the books of a writer.

        Args:
            writer_id: The id.
        """
        return self.show_list("writer", writer_id, "books")

    def get_member_details(self, member_id: str) -> dict[str, Any]:
        """Get the name of a member, the day of joining and the id of the home branch.

        Args:
            member_id: The id, as search_member returns it.
        """
        return self.show("member", member_id, "name", "joined", "branch_id")

    def get_member_loans(self, member_id: str) -> list[dict[str, str]]:
        """Get the ids of the loans of a member, with those of the books.

        Args:
            member_id: The id.
        """
        return list(self.show_list("member", member_id, "loans"))

    def get_loan_details(self, loan_id: str) -> dict[str, Any]:
        """Get the days on which a book was borrowed, is due and was returned.

        Args:
            loan_id: The id, as get_member_loans returns it. A book that was not
                returned has null.
        """
        return self.show("loan", loan_id, "borrowed", "due", "returned")

    def get_branch_details(self, branch_id: str) -> dict[str, Any]:
        """Get the name, town, year of opening and number of seats of a branch.

        Args:
            branch_id: The id, as search_branch returns it.
        """
        return self.show("branch", branch_id, "name", "town", "opened", "seats")

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


TOOLS = Toolbox.of(LibrarySession)
