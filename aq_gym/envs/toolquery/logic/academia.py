"""The world of academia: its generated records, and the tools that read them."""

from __future__ import annotations

from typing import Any

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
from aq_gym.tools import Toolbox, ToolError

VENUES = ("Ardent", "Boreal", "Cobalt", "Dorian", "Ember", "Fathom")
KEYWORDS = (
    *("planning", "graphs", "privacy", "parsing", "caching", "vision", "speech"),
    *("scheduling", "compression", "robots", "proofs", "sampling", "networks"),
    *("indexing", "games", "clusters", "logic", "sensors"),
    *("pruning", "queues"),
)
_KINDS = ("Fast", "Exact", "Robust", "Lazy", "Modular", "Sparse", "Stable", "Greedy")
_TOPICS = ("Methods", "Bounds", "Models", "Indexes", "Rules", "Maps", "Filters")


def build(seed: int, records: int) -> Tables:
    """Build the database of a seed.

    Args:
        seed: The seed.
        records: The number of papers; there are as many authors, and a fifth as many
            organizations.
    """
    rng = np.random.default_rng([seed, records, 3])
    names = Names(rng)
    keys = draw_keys(rng, 2 * records)
    papers, authors = keys[:records], keys[records:]
    places = [f"University of {names.place()}" for _ in range(records // 5)]
    people = {key: _author(names, places) for key in authors}
    data = {key: _paper(names, key, papers, authors) for key in papers}
    for key, paper in data.items():
        for one in paper["authors"]:
            people[one]["papers"].append(key)
            others = people[one]["coauthors"]
            others += (x for x in paper["authors"] if x != one and x not in others)
    return {"paper": data, "author": people}


def _author(names: Names, places: list[str]) -> dict[str, Any]:
    return {
        "name": names.person(),
        "organization": names.pick(places),
        "papers": [],
        "coauthors": [],
    }


def _paper(
    names: Names, key: str, papers: list[str], authors: list[str]
) -> dict[str, Any]:
    cited = names.some(papers, 2 + names.below(3))
    return {
        "title": f"{names.pick(_KINDS)} {names.pick(_TOPICS)} for {names.word()}",
        "year": 1985 + names.below(40),
        "venue": names.pick(VENUES),
        "citations": names.below(900),
        "keywords": names.some(KEYWORDS, 2 + names.below(2)),
        "authors": names.some(authors, 1 + names.below(3)),
        "references": [one for one in cited if one != key],
    }


class AcademiaSession(Session):
    """The world of academia during an episode."""

    names = {"paper": "title", "author": "name"}  # noqa: RUF012

    def get_joint_papers(self, author_id: str, other_author_id: str) -> list[str]:
        """Get the ids of the papers that two authors wrote together.

        Args:
            author_id: The id of the one author.
            other_author_id: The id of the other author.
        """
        if author_id == other_author_id:
            raise ToolError("author_id and other_author_id must be two authors.")
        keys = sorted((author_id, other_author_id))
        first, second = (self.record("author", key)["papers"] for key in keys)
        self.note([fact("joint", " ".join(keys), "papers")])
        return [key for key in first if key in second]


def draw_author(data: Tables, rng: np.random.Generator) -> str:
    """Draw the id of an author."""
    keys = tuple(data["author"])
    return keys[int(rng.integers(len(keys)))]


# The tools are modelled on AgentBoard's.
TOOLS = Toolbox(
    [
        search_tool("paper", "Search papers by title.", "title"),
        search_tool("author", "Search authors by name."),
        fields_tool(
            "get_paper_details",
            "Get the title, year, venue, number of citations and keywords of a paper.",
            "paper",
            "title year venue citations keywords",
            "The id, as search_paper returns it.",
        ),
        fields_tool(
            "get_author_details",
            "Get the name and the organization of an author.",
            "author",
            "name organization",
            "The id, as search_author returns it.",
        ),
        field_tool(
            "get_paper_authors",
            "Get the ids of the authors of a paper, in their order.",
            "paper",
            "authors",
        ),
        field_tool(
            "get_paper_references",
            "Get the ids of the papers that a paper cites.",
            "paper",
            "references",
        ),
        field_tool(
            "get_author_papers",
            "Get the ids of the papers of an author.",
            "author",
            "papers",
        ),
        field_tool(
            "get_author_coauthors",
            "Get the ids of the people with whom an author wrote papers.",
            "author",
            "coauthors",
        ),
        AcademiaSession.get_joint_papers,
        Session.finish,
    ]
)
