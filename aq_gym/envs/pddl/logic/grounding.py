"""Grounding of schemas to actions over the bits of a state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress

from aq_gym.envs.pddl.logic.bits import mask, positions
from aq_gym.envs.pddl.logic.conditions import Case, Condition
from aq_gym.envs.pddl.logic.joining import bindings
from aq_gym.envs.pddl.logic.language import Atom, Schema
from aq_gym.envs.pddl.logic.lifted import Lifted, Literals
from aq_gym.envs.pddl.logic.sexpr import PDDLError
from aq_gym.envs.pddl.logic.table import Table


@dataclass(slots=True)
class GroundAction:
    """A ground action.

    Masks have as many bits as the task has atoms, so they are made when they are used.

    Attributes:
        schema: The schema's name.
        args: The arguments.
        cost: Its increase of the total cost.
        literals: Its precondition and effects.
    """

    schema: str
    args: tuple[str, ...]
    cost: float
    literals: Literals
    _condition: Condition | None = None
    _effects: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The canonical text: schema and arguments."""
        return " ".join((self.schema, *self.args))

    @property
    def reaches(self) -> Sequence[int]:
        """The bits that it may set."""
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
        """The bits that it sets, and those that it clears."""
        effects = self._effects
        if effects is None:
            literals = self.literals
            effects = self._effects = mask(literals.adds), mask(literals.deletes)
        return effects


def ground(
    schema: Schema, table: Table, values: Mapping[Atom, float]
) -> Iterator[GroundAction]:
    """Yield a schema's ground actions that are satisfiable and change something."""
    plan = Lifted(schema, table)
    for args in bindings(schema, table):
        made = plan.literals(args)
        if made is None:
            continue
        cost: float = 0
        if schema.costs:
            binding = plan.bind(args)
            cost = sum(_cost(schema, one, binding, values) for one in schema.costs)
        yield GroundAction(schema.name, args, cost, made)


def _cost(
    schema: Schema,
    cost: float | Atom,
    binding: Mapping[str, str],
    values: Mapping[Atom, float],
) -> float:
    """Return the value of one of a schema's cost terms."""
    if isinstance(cost, float):
        return cost
    function = cost.bind(binding)
    if function not in values:
        terms = " ".join((function.predicate, *function.terms))
        raise PDDLError(f"action {schema.name!r}: ({terms}) has no value in :init")
    return values[function]


def reachable(actions: list[GroundAction], init: int) -> list[GroundAction]:
    """Return the actions that are reachable without delete effects."""
    search = _Reachability(actions, init)
    search.run()
    return list(compress(actions, search.live))


class _Reachability:
    """Counts for each action the required atoms that are not reached yet."""

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
        """Reach all actions; those with disjunctions are tested repeatedly."""
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
