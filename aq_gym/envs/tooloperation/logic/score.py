"""The measure of progress: needed changes that hold, less collateral damage."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from aq_gym.envs.tooloperation.logic.session import Changes, Kept, Session

_MOST_GROUPS = 20


class Target(NamedTuple):
    """The wanted end state.

    Attributes:
        changes: Its differences from the start.
        kept: Content of the start that the end state has too.
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
