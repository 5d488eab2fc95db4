"""The bits of the atoms that can change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import count
from typing import TypeAlias

from aq_gym.envs.pddl.logic.budget import Budget
from aq_gym.envs.pddl.logic.language import Atom
from aq_gym.envs.pddl.logic.objects import Objects

# An atom's predicate and terms in one tuple, which hashes faster than an Atom.
Key: TypeAlias = tuple[str, ...]


class Table:
    """Assigns a bit to each atom that can change, and knows the static facts.

    Args:
        objects: The problem's objects.
        fluents: The predicates that occur in an effect.
        static: The facts of all other predicates.
        budget: The budget of the task.

    Attributes:
        assign: Returns the position of an atom's bit, a new one for a new atom, before
            the table is frozen. ``charge`` spends the units of the new atoms.
        place: The same; in a frozen table, it returns None for an atom without a bit,
            which is always false.
    """

    assign: Callable[[Key], int]
    place: Callable[[Key], int | None]

    def __init__(
        self,
        objects: Objects,
        fluents: frozenset[str],
        static: frozenset[Key],
        budget: Budget,
    ) -> None:
        self.budget = budget
        self.objects = objects
        self.fluents = fluents
        self.static = static
        self._positions: dict[Key, int] = defaultdict(count().__next__)
        self._charged = 0
        self.assign = self.place = self._positions.__getitem__

    def freeze(self) -> tuple[Atom, ...]:
        """Stop assigning bits to unknown atoms, and return the atoms that have one."""
        self._positions = dict(self._positions)
        self.assign = self._positions.__getitem__
        self.place = self._positions.get
        return tuple([Atom(key[0], key[1:]) for key in self._positions])

    def charge(self) -> None:
        """Spend a unit for each atom that is new since the last call.

        Raises:
            PDDLError: If the budget is exceeded.
        """
        new = len(self._positions) - self._charged
        self._charged += new
        self.budget.spend(new, "the atoms")

    def bit(self, key: Key) -> int:
        """Return an atom's bit, or 0 if it is always false."""
        position = self.place(key)
        self.charge()
        return 0 if position is None else 1 << position
