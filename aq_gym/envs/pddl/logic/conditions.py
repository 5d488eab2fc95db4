"""Formulas, grounded to masks over the bits of a state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice, product
from typing import NamedTuple, TypeAlias

from aq_gym.envs.pddl.logic.budget import Budget
from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Equal,
    ForAll,
    Formula,
    Not,
    Or,
    Typed,
)
from aq_gym.envs.pddl.logic.sexpr import PDDLError

__all__ = ["NEVER", "Case", "Condition", "Key", "Objects", "Table"]

_MOST_CASES = 2_000
_NO_BINDING: Mapping[str, str] = {}

# Bits that must be set, and bits that must not be.
Case: TypeAlias = tuple[int, int]
_ANYWAY: Case = (0, 0)
# An atom's predicate and terms in one tuple, which hashes faster than an Atom.
Key: TypeAlias = tuple[str, ...]


class Condition(NamedTuple):
    """A ground condition: required and forbidden bits, and clauses.

    Attributes:
        required: Bits that must be set.
        forbidden: Bits that must not be set.
        clauses: Disjunctions; at least one case of each must hold.
    """

    required: int = 0
    forbidden: int = 0
    clauses: tuple[tuple[Case, ...], ...] = ()

    def holds(self, state: int) -> bool:
        """Return whether the condition holds in a state."""
        return (
            state & self.required == self.required
            and not state & self.forbidden
            and (not self.clauses or self._clauses_hold(state))
        )

    def _clauses_hold(self, state: int) -> bool:
        return all(
            any(state & p == p and not state & n for p, n in clause)
            for clause in self.clauses
        )


NEVER = Condition(clauses=((),))


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
            kinds = frozenset().union(*(ancestors[t] for t in types))
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

    def bindings(
        self, variables: tuple[Typed, ...], binding: Mapping[str, str]
    ) -> Iterator[Mapping[str, str]]:
        """Yield the binding extended by each choice of objects for the variables."""
        names = [one.name for one in variables]
        for choice in product(*(self.of(one.types) for one in variables)):
            self._budget.spend(4, "the quantified variables")
            yield {**binding, **dict(zip(names, choice, strict=True))}


class Table:
    """Assigns a bit to each atom that can change, and knows the static facts.

    Args:
        objects: The problem's objects.
        fluents: The predicates that occur in an effect.
        static: The facts of all other predicates.
        budget: The budget of the task.
    """

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
        self.atoms: list[Atom] = []
        self._positions: dict[Key, int] = {}
        self._frozen = False

    def freeze(self) -> None:
        """Assign no further bits: from now on, unknown atoms are always false."""
        self._frozen = True

    def position(self, key: Key) -> int:
        """Return the position of an atom's bit, or -1 if it is always false."""
        position = self._positions.get(key)
        if position is None:
            if self._frozen:
                return -1
            self.budget.spend(1, "the atoms")
            position = self._positions[key] = len(self.atoms)
            self.atoms.append(Atom(key[0], key[1:]))
        return position

    def all_positions(self, keys: Iterable[Key]) -> list[int]:
        """Return ``position`` of many atoms at once, before the table is frozen."""
        known = self._positions
        numbers = defaultdict(count(len(known)).__next__, known)
        found = list(map(numbers.__getitem__, keys))
        self.budget.spend(len(numbers) - len(known), "the atoms")
        for key in islice(numbers, len(known), None):
            self.atoms.append(Atom(key[0], key[1:]))
        self._positions = dict(numbers)
        return found

    def bit(self, key: Key) -> int:
        """Return an atom's bit, or 0 if it is always false."""
        position = self.position(key)
        return 1 << position if position >= 0 else 0

    def condition(
        self, formula: Formula, binding: Mapping[str, str] = _NO_BINDING
    ) -> Condition:
        """Ground a formula; static facts and equality are evaluated."""
        required = forbidden = 0
        clauses = []
        for part, inner in self.conjuncts(formula, binding):
            cases = self._cases(part, inner)
            if not cases:
                return NEVER
            if len(cases) == 1:
                required |= cases[0][0]
                forbidden |= cases[0][1]
            elif _ANYWAY not in cases:
                clauses.append(tuple(cases))
        if required & forbidden:
            return NEVER
        return Condition(required, forbidden, tuple(clauses))

    def conjuncts(
        self, formula: Formula, binding: Mapping[str, str] = _NO_BINDING
    ) -> Iterator[tuple[Formula, Mapping[str, str]]]:
        """Yield the conjuncts of a formula, with ``forall`` expanded."""
        if isinstance(formula, And):
            for part in formula.parts:
                yield from self.conjuncts(part, binding)
        elif isinstance(formula, ForAll):
            for inner in self.objects.bindings(formula.variables, binding):
                yield from self.conjuncts(formula.part, inner)
        else:
            yield formula, binding

    def _cases(
        self, formula: Formula, binding: Mapping[str, str], negated: bool = False
    ) -> list[Case]:
        """Return the cases in which a formula holds; none if it can't hold."""
        self.budget.spend(1, "the conditions")
        if isinstance(formula, Atom):
            terms = (binding.get(term, term) for term in formula.terms)
            return self._atom((formula.predicate, *terms), negated)
        if isinstance(formula, Not):
            return self._cases(formula.part, binding, not negated)
        if isinstance(formula, Equal):
            left, right = formula.left, formula.right
            same = binding.get(left, left) == binding.get(right, right)
            return [_ANYWAY] if same != negated else []
        if isinstance(formula, And | Or):
            parts = [self._cases(part, binding, negated) for part in formula.parts]
        else:
            parts = [
                self._cases(formula.part, inner, negated)
                for inner in self.objects.bindings(formula.variables, binding)
            ]
        if isinstance(formula, And | ForAll) != negated:
            return self._all_of(parts)
        cases = dict.fromkeys(case for part in parts for case in part)
        return [_ANYWAY] if _ANYWAY in cases else list(cases)

    def _atom(self, key: Key, negated: bool) -> list[Case]:
        if key[0] not in self.fluents:
            return [_ANYWAY] if (key in self.static) != negated else []
        bit = self.bit(key)
        if not bit:
            return [_ANYWAY] if negated else []
        return [(0, bit)] if negated else [(bit, 0)]

    def _all_of(self, parts: list[list[Case]]) -> list[Case]:
        cases: list[Case] = [_ANYWAY]
        for part in parts:
            self.budget.spend(len(cases) * len(part), "the cases of a condition")
            merged = ((p | q, n | m) for p, n in cases for q, m in part)
            consistent = (case for case in merged if not case[0] & case[1])
            cases = list(dict.fromkeys(consistent))
            if len(cases) > _MOST_CASES:
                raise PDDLError(f"a condition has more than {_MOST_CASES} cases")
        return cases
