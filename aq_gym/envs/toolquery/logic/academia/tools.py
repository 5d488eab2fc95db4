"""The tools of the world of academia, modelled on AgentBoard's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from aq_gym.envs.toolquery.logic.session import Session, Tables, fact
from aq_gym.tools import Toolbox, ToolError


class AcademiaSession(Session):
    """The tools of the world of academia; each method is one."""

    names = {"paper": "title", "author": "name"}  # noqa: RUF012

    def search_paper(self, title: str) -> list[dict[str, str]]:
        """Search papers by title.

        Args:
            title: The title or a part of it.
        """
        return self.search("paper", title)

    def search_author(self, name: str) -> list[dict[str, str]]:
        """Search authors by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("author", name)

    def get_paper_details(self, paper_id: str) -> dict[str, Any]:
        """Get the title, year, venue, number of citations and keywords of a paper.

        Args:
            paper_id: The id, as search_paper returns it.
        """
        fields = ("title", "year", "venue", "citations", "keywords")
        return self.show("paper", paper_id, *fields)

    def get_author_details(self, author_id: str) -> dict[str, Any]:
        """Get the name and the organization of an author.

        Args:
            author_id: The id, as search_author returns it.
        """
        return self.show("author", author_id, "name", "organization")

    def get_paper_authors(self, paper_id: str) -> Sequence[str]:
        """Get the ids of the authors of a paper, in their order.

        Args:
            paper_id: The id.
        """
        return self.show_list("paper", paper_id, "authors")

    def get_paper_references(self, paper_id: str) -> Sequence[str]:
        """Get the ids of the papers that a paper cites.

        Args:
            paper_id: The id.
        """
        return self.show_list("paper", paper_id, "references")

    def get_author_papers(self, author_id: str) -> Sequence[str]:
        """Get the ids of the papers of an author.

        Args:
            author_id: The id.
        """
        return self.show_list("author", author_id, "papers")

    def get_author_coauthors(self, author_id: str) -> Sequence[str]:
        """Get the ids of the people with whom an author wrote papers.

        Args:
            author_id: The id.
        """
        return self.show_list("author", author_id, "coauthors")

    def get_joint_papers(self, author_id: str, other_author_id: str) -> list[str]:
        """Get the ids of the papers that two authors wrote together.

        Args:
            author_id: The id of one.
            other_author_id: The id of the other.
        """
        if author_id == other_author_id:
            raise ToolError("author_id and other_author_id must be two authors.")
        keys = sorted((author_id, other_author_id))
        first, second = (self.record("author", key)["papers"] for key in keys)
        self.note([fact("joint", " ".join(keys), "papers")])
        return [key for key in first if key in second]


def draw_id(table: str) -> Callable[[Tables, np.random.Generator], str]:
    """Return a function that draws the id of a record.

    Args:
        table: The table.
    """

    def draw(data: Tables, rng: np.random.Generator) -> str:
        keys = tuple(data[table])
        return keys[int(rng.integers(len(keys)))]

    return draw


TOOLS = Toolbox.of(AcademiaSession)
