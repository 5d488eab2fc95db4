"""What the tools of every world have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping
from typing import Any, Literal, TypeAlias

__all__ = ["Changes", "Session"]

# The differences from the start: what differs, and its value now. The first item of
# each key is the group of the change, such as its sheet.
Changes: TypeAlias = Mapping[tuple[Hashable, ...], Hashable]


class Session(ABC):
    """An episode's use of a world. The tools of a world are methods of a subclass.

    Attributes:
        answer: The answer that ``finish`` received, "" before.
        version: The number of changes so far, for whoever caches what follows from
            them.
    """

    def __init__(self) -> None:
        self.answer = ""
        self.version = 0

    def finish(self, answer: Literal["done", "unknown"] = "done") -> str:
        """End the episode, when everything is done.

        Args:
            answer: "unknown" if the task is about something that does not exist.
        """
        self.answer = answer
        return "The episode is over."

    @abstractmethod
    def changes(self) -> Changes:
        """Return the differences from the start."""

    @abstractmethod
    def state(self) -> Hashable:
        """Return everything that the tools have changed, as a value."""

    @abstractmethod
    def restore(self, state: Any) -> None:
        """Restore what ``state`` returned.

        Args:
            state: The value.
        """

    def losses(self, kept: Collection[Hashable]) -> Collection[Hashable]:
        """Return the groups of changes that do not count, because content is lost.

        Args:
            kept: What must not be lost, as :meth:`keeps` returns it.
        """
        return ()

    def keeps(self) -> frozenset[Hashable]:
        """Return what is here now and must not be lost if it was there at the start."""
        return frozenset()
