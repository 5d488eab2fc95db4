"""The base class of all worlds' sessions, and the measure of progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping
from copy import deepcopy
from typing import Any, Literal, NamedTuple, Self, TypeAlias

# The differences from the start: each key names what differs, and its value is the
# current value. The first item of a key is the group of the change, such as its sheet.
Changes: TypeAlias = Mapping[tuple[Hashable, ...], Hashable]

# A call of a tool, with its arguments.
ToolCall: TypeAlias = tuple[str, Mapping[str, Any]]

# Contents, by the group of changes to which they belong.
Kept: TypeAlias = Mapping[str, frozenset[str]]

_MOST_GROUPS = 20


class Session(ABC):
    """A world during one episode.

    Attributes:
        answer: The answer that ``finish`` received; "" before.
        best: The highest reward so far, in protocols with such a reward.
        version: The number of changes so far; caches of derived values depend on it.
    """

    def __init__(self) -> None:
        self.answer = ""
        self.best = 0.0
        self.version = 0

    @abstractmethod
    def changes(self) -> Changes:
        """Return the differences from the start."""

    @property
    def finished(self) -> bool:
        """Whether ``finish`` was called."""
        return bool(self.answer)

    @property
    def stamp(self) -> tuple[int, str, float]:
        """A value that changes whenever the progress may have changed."""
        return self.version, self.answer, self.best

    def state(self) -> Hashable:
        """Return everything that the tools have changed, as a value."""
        return self._contents(), self.answer, self.best

    def restore(self, state: Any) -> None:
        """Restore what ``state`` returned."""
        contents, self.answer, self.best = state
        self._replace(contents)
        self.version += 1

    @abstractmethod
    def _contents(self) -> Hashable:
        """Return the changed contents, as a value."""

    @abstractmethod
    def _replace(self, contents: Any) -> None:
        """Replace the contents by what ``_contents`` returned."""

    def losses(self, kept: Kept) -> Collection[Hashable]:
        """Return the groups of changes that do not count because content was lost.

        Args:
            kept: The content that must not be lost, as :meth:`keeps` returns it.
        """
        return ()

    def keeps(self) -> Kept:
        """Return the content that must not be lost if it was there at the start."""
        return {}


class WorldSession(Session):
    """A session of a generated world. Its tools are methods of a subclass."""

    @abstractmethod
    def repairs(self, wanted: Self) -> list[ToolCall] | None:
        """Return calls that bring this session to the state of another one.

        Args:
            wanted: A session with the same start.

        Returns:
            The calls; None if a difference cannot be undone.
        """

    def finish(self, answer: Literal["done", "unknown"] = "done") -> str:
        """End the episode, when everything is done.

        Args:
            answer: "unknown" if the task is about something that does not exist.
        """
        self.answer = answer
        return "The episode is over."


class Trial:
    """A copy of a session, and the calls that were made in it.

    Args:
        session: The session, which is not changed.

    Attributes:
        session: The copy.
        calls: The calls.
    """

    def __init__(self, session: Any) -> None:
        self.session = deepcopy(session)
        self.calls: list[ToolCall] = []

    def call(self, tool: str, **arguments: Any) -> Any:
        """Make a call, and return its result."""
        self.calls.append((tool, arguments))
        return getattr(self.session, tool)(**arguments)


class Target(NamedTuple):
    """The wanted end state.

    Attributes:
        changes: Its differences from the start.
        kept: The content of the start that the end state still has.
    """

    changes: Changes
    kept: Kept


class Score(NamedTuple):
    """How close a state is to the end state.

    Attributes:
        held: The needed changes that hold.
        damage: The number of differences from the start that are not needed.
        needed: The number of needed changes.
    """

    held: frozenset[tuple[Hashable, ...]]
    damage: int
    needed: int

    @property
    def exact(self) -> bool:
        """Whether the state is the end state."""
        return len(self.held) == self.needed and not self.damage

    @property
    def progress(self) -> float:
        """The held changes minus the damage, divided by all changes and the finish."""
        return max(0, len(self.held) - self.damage) / (self.needed + 1)

    def subgoals(self, target: Target) -> dict[str, bool]:
        """Return whether each needed change holds, in at most 20 groups."""
        keys = list(target.changes)
        size = -(-len(keys) // _MOST_GROUPS) or 1
        found = {}
        for first in range(0, len(keys), size):
            group = keys[first : first + size]
            last = first + len(group)
            several = f"changes {first + 1} to {last}"
            name = several if len(group) > 1 else f"change {last}"
            found[name] = self.held.issuperset(group)
        return found


def score(session: Session, target: Target) -> Score:
    """Measure the state of a session."""
    changes = session.changes()
    held = frozenset(key for key, _ in changes.items() & target.changes.items())
    damage = len(changes.keys() - target.changes.keys())
    if lost := session.losses(target.kept):
        held = frozenset(key for key in held if key[0] not in lost)
    return Score(held, damage, len(target.changes))
