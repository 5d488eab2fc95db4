"""Stories: an outcome, and key facts, some of them hidden."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from aq_gym.envs.mystery.logic.facts import ASPECTS, VALUES

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
        """The outcome, the facts and which of them are hidden, in one word."""
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
