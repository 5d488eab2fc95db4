"""Joins of static preconditions, which give the arguments for which they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from math import prod
from operator import eq
from typing import TypeAlias

from aq_gym.envs.pddl.logic.language import Atom, Equal, Not, Schema, conjuncts_of
from aq_gym.envs.pddl.logic.table import Table

Rows: TypeAlias = Mapping[str, list[tuple[str, ...]]]


def bindings(
    schema: Schema, table: Table, holding: Rows | None = None
) -> list[tuple[str, ...]]:
    """Return the argument lists that satisfy a schema's static preconditions.

    This spends the budget's units for grounding the schema with each of them.

    Static atoms are joined one after another. So a map of a thousand places costs one
    binding for each road, not one for each pair of places.

    Args:
        schema: The schema.
        table: The objects and static facts.
        holding: The terms of a state's facts, by predicate; if given, the arguments
            also satisfy the atoms that can change.

    Raises:
        TooLargeError: If the budget is exceeded.
    """
    search = _Search(schema, table, holding)
    found = search.joined() if search.joins else search.products()
    if not search.joins or len(found) < 2:
        return found
    columns = [
        map(dict(zip(objects, count(), strict=False)).__getitem__, column)
        for objects, column in zip(
            search.objects, zip(*found, strict=True), strict=True
        )
    ]
    ranked = sorted(zip(zip(*columns, strict=True), found, strict=True))
    return [args for _, args in ranked]


def _size(schema: Schema) -> int:
    """Return the units of work of grounding a schema once."""
    return 4 + len(list(conjuncts_of(schema.precondition))) + len(schema.effects)


@dataclass(frozen=True)
class _Step:
    """A step that binds variables: from the rows of a static atom, or by type.

    Attributes:
        known: The terms of the atom that are already bound, or constants.
        new: The variables that the step binds.
        rows: Objects for the new variables, by the objects of the known terms.
        left: The left sides of the inequalities whose variables are all bound after
            this step.
        right: Their right sides.
    """

    known: tuple[str, ...]
    new: tuple[str, ...]
    rows: Mapping[tuple[str, ...], Sequence[tuple[str, ...]]]
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()


def _term(term: int | str, args: tuple[str, ...]) -> str:
    """Return an argument, given by its index, or a constant."""
    return args[term] if isinstance(term, int) else term


class _Search:
    def __init__(self, schema: Schema, table: Table, holding: Rows | None) -> None:
        self._schema = schema
        self._budget = table.budget
        self._domains = {
            one.name: dict.fromkeys(table.objects.of(one.types))
            for one in schema.parameters
        }
        self._facts = {**table.rows, **(holding or {})}
        parts = list(conjuncts_of(schema.precondition))
        self._static = [
            part
            for part in parts
            if isinstance(part, Atom)
            and (holding is not None or part.predicate not in table.fluents)
        ]
        self._unequal = [
            (part.part.left, part.part.right)
            for part in parts
            if isinstance(part, Not) and isinstance(part.part, Equal)
        ]
        self._steps = self._plan() if self._static else []

    @property
    def objects(self) -> list[tuple[str, ...]]:
        """The objects that each parameter may have, in a fixed order."""
        return [tuple(found) for found in self._domains.values()]

    @property
    def joins(self) -> bool:
        """Whether there are static atoms to join."""
        return bool(self._static)

    def products(self) -> list[tuple[str, ...]]:
        """Return all combinations of objects that satisfy the inequalities."""
        objects = self.objects
        self._budget.spend(
            2 * prod(map(len, objects)),
            f"the arguments of action {self._schema.name!r}",
        )
        places = {name: place for place, name in enumerate(self._domains)}
        found = list(product(*objects))
        for a, b in self._unequal:
            left, right = places.get(a, a), places.get(b, b)
            found = [args for args in found if _term(left, args) != _term(right, args)]
        self._budget.spend(
            _size(self._schema) * len(found), f"the actions {self._schema.name!r}"
        )
        return found

    def joined(self) -> list[tuple[str, ...]]:
        """Return all lists of arguments that satisfy the static atoms."""
        budget, reason = self._budget, f"the arguments of action {self._schema.name!r}"
        steps, size, found = self._steps, _size(self._schema), []
        binding: dict[str, str] = {}
        pick = binding.get
        budget.spend(2, reason)
        opened = [iter(steps[0].rows.get(steps[0].known, ()))]
        while opened:
            step = steps[len(opened) - 1]
            left, right = step.left, step.right
            for row in opened[-1]:
                binding.update(zip(step.new, row, strict=True))
                if any(map(eq, map(pick, left, left), map(pick, right, right))):
                    continue
                budget.left -= 2
                if budget.left < 0:
                    budget.exceeded(reason)
                if len(opened) < len(steps):
                    further = steps[len(opened)]
                    known = tuple(map(pick, further.known, further.known))
                    opened.append(iter(further.rows.get(known, ())))
                    break
                budget.left -= size
                found.append(tuple(map(binding.__getitem__, self._domains)))
            else:
                opened.pop()
        return found

    def _plan(self) -> list[_Step]:
        """Order the steps: next is the static atom with the fewest unbound terms."""
        bound: set[str] = set()
        atoms, steps = list(self._static), []
        while atoms:
            self._budget.spend(
                len(atoms), f"the preconditions of {self._schema.name!r}"
            )
            atom = min(atoms, key=lambda a: len(self._unbound(a, bound)))
            atoms.remove(atom)
            steps.append(self._step(atom, bound))
            bound.update(steps[-1].new)
        for name, objects in self._domains.items():
            if name not in bound:
                steps.append(_Step((), (name,), {(): [(one,) for one in objects]}))
        return self._with_inequalities(steps)

    def _unbound(self, atom: Atom, bound: set[str]) -> list[int]:
        """Return the indices of the atom's terms that the steps so far don't bind."""
        domains = self._domains
        return [
            place
            for place, term in enumerate(atom.terms)
            if term in domains and term not in bound
        ]

    def _step(self, atom: Atom, bound: set[str]) -> _Step:
        """Return the step that joins a static atom."""
        terms, free = atom.terms, self._unbound(atom, bound)
        new = {terms[place]: place for place in free}
        known = [place for place in range(len(terms)) if place not in free]
        rows: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for row in self._facts.get(atom.predicate, ()):
            if all(
                row[place] in self._domains[terms[place]]
                and row[place] == row[new[terms[place]]]
                for place in free
            ):
                key = tuple([row[place] for place in known])
                rows.setdefault(key, []).append(tuple([row[p] for p in new.values()]))
        return _Step(tuple([terms[place] for place in known]), tuple(new), rows)

    def _with_inequalities(self, steps: list[_Step]) -> list[_Step]:
        bound: set[str] = set()
        ordered = []
        for step in steps:
            bound.update(step.new)
            ready = [
                pair
                for pair in self._unequal
                if not set(step.new).isdisjoint(pair)
                and all(t in bound or t not in self._domains for t in pair)
            ]
            left, right = zip(*ready, strict=True) if ready else ((), ())
            ordered.append(replace(step, left=left, right=right))
        return ordered
