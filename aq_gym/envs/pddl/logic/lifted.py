"""Schemas prepared for fast grounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import NamedTuple

from aq_gym.envs.pddl.logic.bits import positions
from aq_gym.envs.pddl.logic.conditions import NEVER, Case, Condition, Key, Table
from aq_gym.envs.pddl.logic.joining import conjuncts_of
from aq_gym.envs.pddl.logic.language import And, Atom, Formula, Not, Schema
from aq_gym.envs.pddl.logic.plain import Plain, Row

__all__ = ["Change", "Lifted", "Literals"]

_TRUE = And(())


class Change(NamedTuple):
    """A conditional effect.

    Attributes:
        condition: Its condition, evaluated before the action.
        add: The bits that it sets.
        delete: The bits that it clears.
    """

    condition: Condition
    add: int
    delete: int


class Literals(NamedTuple):
    """A ground schema, as positions of bits.

    Attributes:
        requires: Bits that must be set.
        forbids: Bits that must not be set.
        adds: Bits that are set.
        deletes: Bits that are cleared.
        clauses: Disjunctions that must hold.
        changes: Conditional effects.
    """

    requires: Row
    forbids: Row
    adds: Row
    deletes: Row
    clauses: tuple[tuple[Case, ...], ...]
    changes: tuple[Change, ...]


class Lifted:
    """A schema split into literals, which are fast to ground, and other formulas."""

    def __init__(self, schema: Schema, table: Table) -> None:
        self._table = table
        self._names = [one.name for one in schema.parameters]
        required: list[Atom] = []
        forbidden: list[Atom] = []
        rest: list[Formula] = []
        for part in conjuncts_of(schema.precondition):
            inner = part.part if isinstance(part, Not) else part
            if not isinstance(inner, Atom):
                rest.append(part)
            elif inner.predicate in table.fluents:
                (required if inner is part else forbidden).append(inner)
            elif inner is not part:
                rest.append(part)
        plain = [e for e in schema.effects if not e.variables and e.condition == _TRUE]
        self._other = [e for e in schema.effects if e not in plain]
        self._rest = And(tuple(rest)) if rest else None
        self._plain: Plain | None = None
        adds = [e.atom for e in plain if e.positive]
        deletes = [e.atom for e in plain if not e.positive]
        if not rest and not forbidden and not self._other:
            self._plain = Plain(self._names, required, adds, deletes)
        self._required = self._keys(required)
        self._forbidden = self._keys(forbidden)
        self._adds = self._keys(adds)
        self._deletes = self._keys(deletes)

    def bind(self, args: tuple[str, ...]) -> dict[str, str]:
        """Return the arguments by their variables."""
        return dict(zip(self._names, args, strict=True))

    def ground(
        self, found: list[tuple[str, ...]]
    ) -> Iterator[tuple[tuple[str, ...], Literals | tuple[Plain, Row] | None]]:
        """Yield lists of arguments, each with its literals, or what they are made of.

        None stands for an action that can't be carried out or changes nothing.
        """
        plain = self._plain
        if plain is None:
            for args in found:
                yield args, self.literals(args)
            return
        for args, row in zip(found, plain.rows(found, self._table), strict=True):
            yield args, (plain, row) if row else self.literals(args)

    def literals(self, args: tuple[str, ...]) -> Literals | None:
        """Ground the schema; None if it can't hold or changes nothing."""
        requires = self._positions(self._required, args)
        forbids = self._positions(self._forbidden, args)
        clauses: tuple[tuple[Case, ...], ...] = ()
        if self._rest is not None:
            rest = self._table.condition(self._rest, self.bind(args))
            if rest == NEVER:
                return None
            requires += positions(rest.required)
            forbids += positions(rest.forbidden)
            clauses = rest.clauses
        if forbids and not set(requires).isdisjoint(forbids):
            return None
        adds = self._positions(self._adds, args)
        deletes = self._positions(self._deletes, args)
        changes = self._changes(args, adds, deletes) if self._other else ()
        deletes = [one for one in deletes if one not in adds]
        idle = set(requires).issuperset(adds) and set(forbids).issuperset(deletes)
        if idle and not changes:
            return None
        return Literals(
            _unique(requires),
            _unique(forbids),
            _unique(adds),
            _unique(deletes),
            clauses,
            changes,
        )

    def _changes(
        self, args: tuple[str, ...], adds: list[int], deletes: list[int]
    ) -> tuple[Change, ...]:
        """Ground the other effects; unconditional ones extend the lists."""
        changes: dict[Condition, list[int]] = {}
        binding = self.bind(args)
        for effect in self._other:
            for inner in self._table.objects.bindings(effect.variables, binding):
                condition = self._table.condition(effect.condition, inner)
                bit = self._table.bit(effect.atom.bind(inner).key)
                if condition != NEVER:
                    masks = changes.setdefault(condition, [0, 0])
                    masks[0 if effect.positive else 1] |= bit
        always = changes.pop(Condition(), [0, 0])
        adds += positions(always[0])
        deletes += positions(always[1])
        return tuple(Change(c, a, d) for c, (a, d) in changes.items())

    def _keys(self, atoms: list[Atom]) -> list[Callable[[tuple[str, ...]], Key]]:
        return [self._key(atom) for atom in atoms]

    def _key(self, atom: Atom) -> Callable[[tuple[str, ...]], Key]:
        """Return a function from arguments to the ground atom's key."""
        places = {name: i for i, name in enumerate(self._names)}
        predicate, terms = atom.predicate, atom.terms
        if terms and all(term in places for term in terms):
            picks = [places[term] for term in terms]
            if len(picks) == 1:
                only = picks[0]
                return lambda args: (predicate, args[only])
            pick = itemgetter(*picks)
            return lambda args: (predicate, *pick(args))
        return lambda args: (
            predicate,
            *[args[places[t]] if t in places else t for t in terms],
        )

    def _positions(
        self, keys: list[Callable[[tuple[str, ...]], Key]], args: tuple[str, ...]
    ) -> list[int]:
        return [self._table.position(key(args)) for key in keys] if keys else []


def _unique(found: list[int]) -> tuple[int, ...]:
    return tuple(found) if len(found) < 2 else tuple(dict.fromkeys(found))
