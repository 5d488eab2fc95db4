"""A generated database of papers and authors: who wrote with whom, what cites what."""

from __future__ import annotations

from typing import Any

import numpy as np

from aq_gym.envs.toolquery.logic.names import Names, draw_keys
from aq_gym.envs.toolquery.logic.session import Tables

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
