"""What the tools of every world have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping
from typing import Any, Literal, TypeAlias

# The differences from the start: what differs, and its value now. The first item of
# each key is the group of the change, such as its sheet.
Changes: TypeAlias = Mapping[tuple[Hashable, ...], Hashable]

# Contents by the group of changes that they belong to.
Kept: TypeAlias = Mapping[str, frozenset[str]]


class Session(ABC):
    """A world during one episode.

    Attributes:
        answer: The answer that ``finish`` received, "" before.
        best: The highest reward of a protocol that keeps one.
        version: The number of changes so far, for caches of values that depend on them.
    """

    def __init__(self) -> None:
        self.answer = ""
        self.best = 0.0
        self.version = 0

    @abstractmethod
    def changes(self) -> Changes:
        """Return the differences from the start."""

    @abstractmethod
    def state(self) -> Hashable:
        """Return everything that the tools have changed, as a value."""

    @abstractmethod
    def restore(self, state: Any) -> None:
        """Restore what ``state`` returned."""

    def losses(self, kept: Kept) -> Collection[Hashable]:
        """Return the groups of changes that do not count because content was lost.

        Args:
            kept: What must not be lost, as :meth:`keeps` returns it.
        """
        return ()

    def keeps(self) -> Kept:
        """Return the content that must not be lost if it was there at the start."""
        return {}


class WorldSession(Session):
    """A session of a generated world. Its tools are methods of a subclass."""

    def finish(self, answer: Literal["done", "unknown"] = "done") -> str:
        """End the episode, when everything is done.

        Args:
            answer: "unknown" if the task is about something that does not exist.
        """
        self.answer = answer
        return "The episode is over."
