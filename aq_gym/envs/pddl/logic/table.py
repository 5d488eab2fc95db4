"""The objects of a problem by type, and the bits of the atoms that can change.

Both spend units of one budget, which limits the work that a problem may cause.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, product
from math import prod
from typing import NoReturn, TypeAlias

from aq_gym.envs.pddl.logic.language import Atom, Typed
from aq_gym.envs.pddl.logic.reader import PDDLError

# A unit takes at most a microsecond, so a refusal takes less than two seconds.
MOST_UNITS = 2_000_000


class TooLargeError(PDDLError):
    """Raised if a problem exceeds its budget."""


class Budget:
    """Counts units of work and raises when there are too many.

    With units instead of seconds, the outcome is the same on every machine. A part of a
    ground formula costs one unit, as does a pair of a type and a supertype; a binding
    of variables costs several units, as does a ground action.

    Attributes:
        left: The units left. Loops over many parts subtract from it directly and call
            ``exceeded`` when it is negative, because a call for each part would take
            longer than the part.
    """

    def __init__(self) -> None:
        self.left = MOST_UNITS

    def renew(self) -> None:
        """Start again with the whole budget."""
        self.left = MOST_UNITS

    def spend(self, units: int, reason: str) -> None:
        """Count units of work.

        Args:
            units: Their number.
            reason: The kind of work, for the message.

        Raises:
            PDDLError: If the budget is exceeded.
        """
        self.left -= units
        if self.left < 0:
            self.exceeded(reason)

    def exceeded(self, reason: str) -> NoReturn:
        """Raise the error of an exceeded budget.

        Args:
            reason: The kind of work of the last units.

        Raises:
            TooLargeError: Always.
        """
        raise TooLargeError(
            f"the problem is too large: grounding exceeds {MOST_UNITS} units of "
            f"work at {reason}; use fewer objects, types or quantified variables"
        )


# The names of some variables, the objects for each, and the units for binding them.
Choices: TypeAlias = tuple[tuple[str, ...], list[tuple[str, ...]], int]


class Objects:
    """A problem's objects, by type.

    Args:
        objects: The types of each object.
        ancestors: The supertypes of each type.
        budget: The budget of the task.

    Raises:
        PDDLError: If the budget is exceeded.
    """

    def __init__(
        self,
        objects: Mapping[str, tuple[str, ...]],
        ancestors: Mapping[str, frozenset[str]],
        budget: Budget,
    ) -> None:
        self._budget = budget
        self._by_type: dict[str, dict[str, None]] = {}
        for name, types in objects.items():
            kinds = frozenset().union(*map(ancestors.__getitem__, types))
            budget.spend(2 * len(kinds), "the types of the objects")
            for kind in kinds:
                self._by_type.setdefault(kind, {})[name] = None
        self._listed: dict[tuple[str, ...], tuple[str, ...]] = {}

    def of(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """Return the objects of any of the given types, in a fixed order."""
        listed = self._listed.get(types)
        if listed is None:
            found: dict[str, None] = {}
            for kind in types:
                found.update(self._by_type.get(kind, {}))
            listed = self._listed[types] = tuple(found)
        return listed

    def choices(self, variables: tuple[Typed, ...]) -> Choices:
        """Return the names of variables, their objects, and the units of work."""
        objects = [self.of(one.types) for one in variables]
        names = tuple([one.name for one in variables])
        return names, objects, 4 * prod(map(len, objects))

    def bindings(
        self, variables: tuple[Typed, ...], binding: Mapping[str, str]
    ) -> Iterator[Mapping[str, str]]:
        """Yield the binding extended by each choice of objects for the variables.

        Raises:
            PDDLError: If the budget is exceeded.
        """
        names, objects, units = self.choices(variables)
        self._budget.spend(units, "the quantified variables")
        for choice in product(*objects):
            yield {**binding, **dict(zip(names, choice, strict=True))}


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
        rows: The terms of the static facts, by predicate.
        assign: Returns the position of an atom's bit, and gives a new atom a new bit;
            for use before the table is frozen. ``charge`` spends the units for new
            atoms.
        place: The same as ``assign`` until the table is frozen; then it returns None
            for an atom without a bit, which is always false.
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
        self.rows: dict[str, list[tuple[str, ...]]] = {}
        for fact in static:
            self.rows.setdefault(fact[0], []).append(fact[1:])
        self._positions: dict[Key, int] = defaultdict(count().__next__)
        self._charged = 0
        self.assign = self.place = self._positions.__getitem__

    def freeze(self) -> Sequence[Atom]:
        """Stop assigning bits to new atoms, and return the atoms that have a bit."""
        self._positions = dict(self._positions)
        self.assign = self._positions.__getitem__
        self.place = self._positions.get
        return tuple([Atom(key[0], key[1:]) for key in self._positions])

    def charge(self) -> None:
        """Spend a unit for each atom added since the last call.

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
