"""The key facts of which stories are made, and the words for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

# The kinds of key facts, in the order in which a story gives them.
ASPECTS = ("person", "place", "object", "motive", "weather", "helper")
# How many values each of them has.
VALUES = 8


class Aspect(NamedTuple):
    """One kind of key fact.

    A set of values is a bit mask: bit i stands for the i-th value.

    Attributes:
        name: One of ``ASPECTS``.
        values: The values it can have, as phrases.
        forms: Words for values and categories, with the set of values each stands for;
            the empty set for what no story has.
        categories: Names of sets of values, with their sets.
        cues: Words for the aspect itself.
    """

    name: str
    values: tuple[str, ...]
    forms: Mapping[str, int]
    categories: Mapping[str, int]
    cues: tuple[str, ...]


@lru_cache(maxsize=1)
def aspects() -> tuple[Aspect, ...]:
    """Return the six kinds of key facts."""
    record = load("facts.json")
    return tuple(_aspect(name, record[name]) for name in ASPECTS)


def load(name: str) -> Any:
    """Return a packaged JSON file."""
    source = files("aq_gym.envs.mystery").joinpath(f"data/{name}")
    return json.loads(source.read_text("utf-8"))


def _aspect(name: str, record: Mapping[str, Any]) -> Aspect:
    values = tuple(record["values"])
    forms = dict.fromkeys(record["others"], 0)
    for i, words in enumerate(record["values"].values()):
        forms.update(dict.fromkeys(words, 1 << i))
    categories = {}
    for category, (words, members) in record["categories"].items():
        mask = sum(1 << values.index(member) for member in members)
        categories[category] = mask
        forms.update(dict.fromkeys(words, mask))
    return Aspect(name, values, forms, categories, tuple(record["cues"]))
