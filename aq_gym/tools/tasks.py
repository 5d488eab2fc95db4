"""Tasks that are made from an id: the id's parts, and how their values are drawn."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import numpy as np


class TaskName(NamedTuple):
    """The parts of a task's id.

    Attributes:
        world: The world.
        start: The seed of the world's data at the start.
        template: The name of the template.
        number: The number of the task.
        possible: Whether it can be done.
    """

    world: str
    start: int
    template: str
    number: int
    possible: bool = True

    def __str__(self) -> str:
        end = "" if self.possible else "-unknown"
        return f"{self.world}-{self.start}-{self.template}-{self.number}{end}"

    @classmethod
    def parse(cls, text: str, worlds: Container[str], starts: int) -> TaskName | None:
        """Parse the id of a task; return None if it is not one."""
        bare = text.removesuffix("-unknown")
        parts = bare.split("-")
        if len(parts) < 4 or not all(map(_is_number, (parts[1], parts[-1]))):
            return None
        template = "-".join(parts[2:-1])
        name = cls(parts[0], int(parts[1]), template, int(parts[-1]), bare == text)
        known = name.world in worlds and name.start < starts
        return name if known and str(name) == text else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9


class RejectedError(Exception):
    """A draw that cannot become a task, such as a superlative with a tie."""


class TaskBuilder:
    """Draws what a template needs, and rejects a draw that cannot become a task."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def pick(self, choices: Sequence[Any]) -> Any:
        """Return one of some values; reject the draw if there is none."""
        self.require(choices)
        return choices[int(self.rng.integers(len(choices)))]

    def sample(self, choices: Sequence[Any], count: int) -> list[Any]:
        """Return some of the values, all different, in random order."""
        self.require(len(choices) >= count)
        chosen = self.rng.choice(len(choices), size=count, replace=False)
        return [choices[int(one)] for one in chosen]

    def require(self, condition: object) -> None:
        """Reject the draw unless a condition holds."""
        if not condition:
            raise RejectedError
