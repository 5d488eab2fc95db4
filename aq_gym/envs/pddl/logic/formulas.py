"""Ground conditions: masks over the bits of a state, made from formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product, repeat
from typing import Any, NamedTuple, TypeAlias

from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Not,
    Or,
)
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.table import Budget, Choices, Table


def positions(bits: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def mask(positions: Iterable[int]) -> int:
    """Return the int with the bits at some positions."""
    bits = 0
    for position in positions:
        bits |= 1 << position
    return bits


# Bits that must be set, and bits that must not be.
Case: TypeAlias = tuple[int, int]
ANYWAY: Case = (0, 0)


class Condition(NamedTuple):
    """A ground condition: required and forbidden bits, and clauses.

    Attributes:
        required: Bits that must be set.
        forbidden: Bits that must not be set.
        clauses: Disjunctions, each with at least one case that must hold.
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


_MOST_CASES = 2_000
Binding: TypeAlias = Mapping[str, str]
_NO_BINDING: Binding = {}


def condition(
    formula: Formula, table: Table, binding: Binding = _NO_BINDING
) -> Condition:
    """Ground a formula; static facts and equality are evaluated.

    Raises:
        PDDLError: If the budget is exceeded, or there are too many cases.
    """
    required = forbidden = 0
    clauses = []
    for part, inner in conjuncts(formula, table, binding):
        cases = _cases(part, inner, table)
        if not cases:
            required = forbidden = 1
            break
        if len(cases) == 1:
            required |= cases[0][0]
            forbidden |= cases[0][1]
        elif ANYWAY not in cases:
            clauses.append(tuple(cases))
    table.charge()
    if required & forbidden:
        return NEVER
    return Condition(required, forbidden, tuple(clauses))


def conjuncts(
    formula: Formula, table: Table, binding: Binding = _NO_BINDING
) -> Iterator[tuple[Formula, Binding]]:
    """Yield the conjuncts of a formula, with ``forall`` expanded."""
    opened: list[Iterator[tuple[Formula, Binding]]] = [iter(((formula, binding),))]
    while opened:
        for part, inner in opened[-1]:
            if isinstance(part, And):
                opened.append(zip(part.parts, repeat(inner), strict=False))
                break
            if isinstance(part, ForAll):
                further = table.objects.bindings(part.variables, inner)
                opened.append(zip(repeat(part.part), further, strict=False))
                break
            yield part, inner
        else:
            opened.pop()


# A formula whose parts are being grounded. The items are: the parts left, or for a
# quantifier the choices of objects left; the names of the quantifier's variables; the
# quantified formula or None; the binding outside; whether the formula is negated;
# whether all parts must hold; and the cases of the parts so far.
_Open: TypeAlias = tuple[
    Iterator[Any],
    tuple[str, ...],
    Formula | None,
    Binding,
    bool,
    bool,
    list[list[Case]],
]


def _cases(formula: Formula, binding: Binding, table: Table) -> list[Case]:
    """Return the cases in which a formula holds; empty if it can't hold."""
    budget, place, fluents = table.budget, table.place, table.fluents
    choices: dict[int, Choices] = {}
    around: list[_Open] = []
    present: _Open = iter((formula,)), (), None, binding, False, True, []
    while True:
        parts, names, body, outer, negated, _, found = present
        for one in parts:
            part: Formula = body or one
            inner = (
                outer
                if body is None
                else {**outer, **dict(zip(names, one, strict=True))}
            )
            denied = negated
            budget.left -= 1
            while isinstance(part, Not):
                part, denied = part.part, not denied
                budget.left -= 1
            if budget.left < 0:
                budget.exceeded("the conditions")
            if isinstance(part, Atom):
                terms = part.terms
                key = (part.predicate, *map(inner.get, terms, terms))
                position = place(key) if key[0] in fluents else None
                if position is not None:
                    bit = 1 << position
                    found.append([(0, bit)] if denied else [(bit, 0)])
                else:
                    found.append([ANYWAY] if (key in table.static) != denied else [])
            elif isinstance(part, Equal):
                left, right = part.left, part.right
                same = inner.get(left, left) == inner.get(right, right)
                found.append([ANYWAY] if same != denied else [])
            else:
                around.append(present)
                present = _opened(part, inner, denied, choices, table)
                break
        else:
            if not around:
                return found[0]
            cases = _all_of(found, budget) if present[5] else _any_of(found)
            present = around.pop()
            present[-1].append(cases)


def _opened(
    formula: And | Or | ForAll | Exists,
    binding: Binding,
    negated: bool,
    choices: dict[int, Choices],
    table: Table,
) -> _Open:
    """Begin to ground the parts of a formula; ``choices`` is a cache."""
    every = isinstance(formula, And | ForAll) != negated
    if isinstance(formula, And | Or):
        return iter(formula.parts), (), None, binding, negated, every, []
    found = choices.get(id(formula))
    if found is None:
        found = choices[id(formula)] = table.objects.choices(formula.variables)
    names, objects, units = found
    table.budget.spend(units, "the quantified variables")
    return product(*objects), names, formula.part, binding, negated, every, []


def _any_of(parts: list[list[Case]]) -> list[Case]:
    """Return the cases in which any part holds."""
    cases = dict.fromkeys(chain.from_iterable(parts))
    return [ANYWAY] if ANYWAY in cases else list(cases)


def _all_of(parts: list[list[Case]], budget: Budget) -> list[Case]:
    """Return the cases in which all parts hold."""
    cases: list[Case] = [ANYWAY]
    for part in parts:
        budget.left -= len(cases) * len(part)
        if budget.left < 0:
            budget.exceeded("the cases of a condition")
        merged: dict[Case, None] = {}
        for p, n in cases:
            for q, m in part:
                if not (p | q) & (n | m):
                    merged[p | q, n | m] = None
        cases = list(merged)
        if len(cases) > _MOST_CASES:
            raise PDDLError(f"a condition has more than {_MOST_CASES} cases")
    return cases
