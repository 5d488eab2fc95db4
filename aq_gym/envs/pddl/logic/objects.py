"""The objects of a problem, by type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import TypeAlias

from aq_gym.envs.pddl.logic.budget import Budget
from aq_gym.envs.pddl.logic.language import Typed

# The names of some variables, the objects of each, and the units of binding them.
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
        """Return the names and objects of variables, and the units of binding them."""
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
