"""The key facts, the words for them, and the stories that are made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

OUTCOMES = 8
_ID = re.compile(r"story-([0-7])-([0-7]{6})-([01]{6})")


class Story(NamedTuple):
    """One story.

    Attributes:
        outcome: The outcome's number, 0 to 7.
        values: For each aspect the number of its value, 0 to 7.
        hidden: For each aspect whether the agent has to find it.
    """

    outcome: int
    values: tuple[int, ...]
    hidden: tuple[bool, ...]

    @property
    def task_id(self) -> str:
        """The outcome, the facts and which of them are hidden, as one word."""
        hidden = "".join("01"[hides] for hides in self.hidden)
        return f"story-{self.outcome}-{''.join(map(str, self.values))}-{hidden}"

    def holds(self, aspect: int, mask: int) -> bool:
        """Return whether an aspect's value is in a set of values."""
        return bool(mask >> self.values[aspect] & 1)


def draw_story(hidden: int, rng: np.random.Generator) -> Story:
    """Draw a story from a uniform distribution.

    Args:
        hidden: How many facts are hidden, 1 to 6.
        rng: The source of randomness.
    """
    values = tuple(map(int, rng.integers(VALUES, size=len(ASPECTS))))
    chosen = set(rng.permutation(len(ASPECTS))[:hidden].tolist())
    hides = tuple(i in chosen for i in range(len(ASPECTS)))
    return Story(int(rng.integers(OUTCOMES)), values, hides)


def read_story(task_id: str) -> Story | None:
    """Parse a ``task_id`` into a story, or return None."""
    match = _ID.fullmatch(task_id)
    if match is None or "1" not in match[3]:
        return None
    hidden = tuple(digit == "1" for digit in match[3])
    return Story(int(match[1]), tuple(map(int, match[2])), hidden)


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
