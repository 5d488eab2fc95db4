"""Ground actions: schemas whose literals are bound to objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, repeat
from operator import call, itemgetter
from typing import NamedTuple, TypeAlias

from aq_gym.envs.pddl.logic.formulas import (
    NEVER,
    Case,
    Condition,
    condition,
    mask,
    positions,
)
from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Formula,
    Not,
    Schema,
    conjuncts_of,
    terms_of,
)
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.table import Key, Table

Row: TypeAlias = tuple[int, ...]
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
    """A schema, split into literals, which are fast to ground, and other formulas."""

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
        self._other = [
            (one, one.condition == _TRUE)
            for one in schema.effects
            if one.variables or one.condition != _TRUE
        ]
        own = frozenset(self._names)
        closed = [part for part in rest if own.isdisjoint(terms_of(part))]
        opened = [part for part in rest if not own.isdisjoint(terms_of(part))]
        self._rest = And(tuple(opened)) if opened else None
        # Without arguments, so it is grounded only once.
        self._closed = And(tuple(closed)) if closed else None
        self._fixed: Condition | None = None
        adds = [e.atom for e in plain if e.positive]
        deletes = [e.atom for e in plain if not e.positive]
        self._constants: list[str] = []
        self._required = [self._key(atom) for atom in required]
        self._forbidden = [self._key(atom) for atom in forbidden]
        self._adds = [self._key(atom) for atom in adds]
        self._deletes = [self._key(atom) for atom in deletes]

    def bind(self, args: tuple[str, ...]) -> dict[str, str]:
        """Return the arguments by their variables."""
        return dict(zip(self._names, args, strict=True))

    def literals(self, args: tuple[str, ...]) -> Literals | None:
        """Ground the schema; None if it can't hold or changes nothing."""
        words = repeat((*args, *self._constants))
        assign = self._table.assign
        requires = list(map(assign, map(call, self._required, words)))
        forbids = list(map(assign, map(call, self._forbidden, words)))
        clauses: tuple[tuple[Case, ...], ...] = ()
        for rest in self._conditions(args):
            if rest == NEVER:
                return None
            requires += positions(rest.required)
            forbids += positions(rest.forbidden)
            clauses += rest.clauses
        if forbids and not set(requires).isdisjoint(forbids):
            return None
        adds = list(map(assign, map(call, self._adds, words)))
        deletes = list(map(assign, map(call, self._deletes, words)))
        self._table.charge()
        changes = self._changes(args, adds, deletes) if self._other else ()
        gone = dict.fromkeys(deletes)
        for one in adds:
            gone.pop(one, None)
        idle = set(requires).issuperset(adds) and set(forbids).issuperset(gone)
        if idle and not changes:
            return None
        return Literals(
            tuple(dict.fromkeys(requires)),
            tuple(dict.fromkeys(forbids)),
            tuple(dict.fromkeys(adds)),
            tuple(gone),
            clauses,
            changes,
        )

    def _conditions(self, args: tuple[str, ...]) -> Iterator[Condition]:
        """Yield the ground conditions that are not literals."""
        if self._closed is not None:
            if self._fixed is None:
                self._fixed = condition(self._closed, self._table)
            yield self._fixed
        if self._rest is not None:
            yield condition(self._rest, self._table, self.bind(args))

    def _changes(
        self, args: tuple[str, ...], adds: list[int], deletes: list[int]
    ) -> tuple[Change, ...]:
        """Ground all other effects; unconditional ones extend the lists."""
        changes: dict[Condition, list[int]] = {}
        binding = self.bind(args)
        table = self._table
        for effect, unconditional in self._other:
            predicate, terms = effect.atom.predicate, effect.atom.terms
            sign = 0 if effect.positive else 1
            asked = Condition()
            for inner in table.objects.bindings(effect.variables, binding):
                if not unconditional:
                    asked = condition(effect.condition, table, inner)
                position = table.assign((predicate, *map(inner.get, terms, terms)))
                if asked != NEVER:
                    changes.setdefault(asked, [0, 0])[sign] |= 1 << position
        table.charge()
        added, deleted = changes.pop(Condition(), (0, 0))
        adds += positions(added)
        deletes += positions(deleted)
        return tuple([Change(c, a, d) for c, (a, d) in changes.items()])

    def _key(self, atom: Atom) -> Callable[[tuple[str, ...]], Key]:
        """Return a function from arguments and constants to the ground atom's key."""
        places = {name: place for place, name in enumerate(self._names)}
        picks = [self._constant(atom.predicate)]
        for term in atom.terms:
            picks.append(places[term] if term in places else self._constant(term))
        if len(picks) > 1:
            return itemgetter(*picks)
        return itemgetter(slice(picks[0], picks[0] + 1))

    def _constant(self, word: str) -> int:
        """Return the index of a constant, which follows the arguments."""
        self._constants.append(word)
        return len(self._names) + len(self._constants) - 1


@dataclass(slots=True)
class GroundAction:
    """A ground action.

    A mask can have as many bits as the task has atoms, so it is made on first use.

    Attributes:
        schema: The schema's name.
        args: The arguments.
        literals: Its precondition and effects.
        cost: Its increase of the total cost.
    """

    schema: str
    args: tuple[str, ...]
    literals: Literals
    cost: float = 0
    _condition: Condition | None = None
    _effects: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The canonical text: schema and arguments."""
        return " ".join((self.schema, *self.args))

    @property
    def reaches(self) -> Sequence[int]:
        """The bits that the action may set."""
        more = (positions(change.add) for change in self.literals.changes)
        return [*self.literals.adds, *chain.from_iterable(more)]

    @property
    def condition(self) -> Condition:
        """Its precondition."""
        condition = self._condition
        if condition is None:
            requires, forbids, _, _, clauses, _ = self.literals
            condition = Condition(mask(requires), mask(forbids), clauses)
            self._condition = condition
        return condition

    @property
    def effects(self) -> tuple[int, int]:
        """The bits that the action sets, and the bits that it clears."""
        effects = self._effects
        if effects is None:
            literals = self.literals
            effects = self._effects = mask(literals.adds), mask(literals.deletes)
        return effects


def ground(
    schema: Schema, found: list[tuple[str, ...]], table: Table
) -> Iterator[GroundAction]:
    """Yield a schema's ground actions that are satisfiable and change something.

    Args:
        schema: The schema.
        found: The arguments that satisfy its static preconditions.
        table: The bits of the atoms.
    """
    plan = Lifted(schema, table)
    for args in found:
        made = plan.literals(args)
        if made is not None:
            yield GroundAction(schema.name, args, made)


def set_cost(
    action: GroundAction, schema: Schema, values: Mapping[Atom, float]
) -> None:
    """Set the cost of a ground action.

    Args:
        action: The action.
        schema: Its schema.
        values: The functions' values.

    Raises:
        PDDLError: If a function has no value.
    """
    names = (one.name for one in schema.parameters)
    binding = dict(zip(names, action.args, strict=True))
    for cost in schema.costs:
        if isinstance(cost, float):
            action.cost += cost
            continue
        function = cost.bind(binding)
        if function not in values:
            terms = " ".join((function.predicate, *function.terms))
            raise PDDLError(f"action {action.name!r}: ({terms}) has no value in :init")
        action.cost += values[function]


def reachable(actions: list[GroundAction], init: int) -> list[GroundAction]:
    """Return the actions that are reachable without delete effects."""
    search = _Reachability(actions, init)
    search.run()
    return list(compress(actions, search.live))


class _Reachability:
    """Counts the required atoms of each action that are not reached yet."""

    def __init__(self, actions: list[GroundAction], init: int) -> None:
        self._actions = actions
        self._seen = set(positions(init))
        self.live = bytearray(len(actions))
        self._missing = [0] * len(actions)
        self._waiting: dict[int, list[int]] = {}
        self._ready: list[int] = []
        for index, action in enumerate(actions):
            for position in action.literals.requires:
                if position not in self._seen:
                    self._missing[index] += 1
                    self._waiting.setdefault(position, []).append(index)
            if not self._missing[index]:
                self._ready.append(index)

    def run(self) -> None:
        """Reach all actions; actions with disjunctions are tested repeatedly."""
        undecided: list[int] = []
        reached = -1
        while self._ready or (undecided and len(self._seen) > reached):
            if not self._ready:
                self._ready, undecided = undecided, []
            reached = len(self._seen)
            seen = 0
            while self._ready:
                index = self._ready.pop()
                clauses = self._actions[index].literals.clauses
                if clauses:
                    seen = seen or mask(self._seen)
                    if not _met(clauses, seen):
                        undecided.append(index)
                        continue
                self._reach(index)

    def _reach(self, index: int) -> None:
        self.live[index] = 1
        for position in self._actions[index].reaches:
            if position not in self._seen:
                self._seen.add(position)
                for other in self._waiting.pop(position, ()):
                    self._missing[other] -= 1
                    if not self._missing[other]:
                        self._ready.append(other)


def _met(clauses: tuple[tuple[Case, ...], ...], seen: int) -> bool:
    return all(
        any(seen & required == required for required, _ in clause) for clause in clauses
    )
