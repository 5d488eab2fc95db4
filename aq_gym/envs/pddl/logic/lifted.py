"""The atoms and actions of problems that are too large to be grounded in advance."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from math import prod
from typing import Any

from aq_gym.envs.pddl.logic.formulas import positions
from aq_gym.envs.pddl.logic.grounding import (
    GroundAction,
    Lifted,
    Literals,
    set_cost,
)
from aq_gym.envs.pddl.logic.joining import Rows, bindings
from aq_gym.envs.pddl.logic.language import Atom, Domain, Problem, Schema, conjuncts_of
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.table import Key, Table, TooLargeError

# A state has a bit for each atom.
_MOST_ATOMS = 100_000
_MOST_CACHED = 1_000
# The literals of an action that can't be carried out in any state.
_IMPOSSIBLE = Literals((), (), (), (), ((),), ())


class Numbering:
    """Numbers tuples: each has a group's name, and a value from each of its columns.

    Args:
        groups: The columns of each group, each with the values of one item.
    """

    def __init__(self, groups: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._names = list(groups)
        self._columns = list(groups.values())
        self._ranks = {
            name: [{one: rank for rank, one in enumerate(column)} for column in columns]
            for name, columns in groups.items()
        }
        sizes = [prod(map(len, columns)) for columns in self._columns]
        self._firsts = [0, *accumulate(sizes)]
        self._first = dict(zip(self._names, self._firsts, strict=False))

    @property
    def size(self) -> int:
        """The number of tuples."""
        return self._firsts[-1]

    def find(self, key: Key) -> int | None:
        """Return a tuple's number, or None if it has none."""
        ranks = self._ranks.get(key[0])
        if ranks is None or len(ranks) != len(key) - 1:
            return None
        number = 0
        for rank, term in zip(ranks, key[1:], strict=True):
            if term not in rank:
                return None
            number = number * len(rank) + rank[term]
        return self._first[key[0]] + number

    def number(self, key: Key) -> int:
        """Return the number of a tuple that has one."""
        number = self.find(key)
        assert number is not None
        return number

    def key(self, number: int) -> Key:
        """Return the tuple that has a number."""
        group = bisect_right(self._firsts, number) - 1
        number -= self._firsts[group]
        terms = []
        for column in reversed(self._columns[group]):
            number, rank = divmod(number, len(column))
            terms.append(column[rank])
        return (self._names[group], *reversed(terms))


class WideTable(Table):
    """A table in which each atom that can ever hold has a bit from the beginning.

    Raises:
        PDDLError: If there are too many atoms.
    """

    def __init__(self, domain: Domain, problem: Problem, table: Table) -> None:
        super().__init__(table.objects, table.fluents, table.static, table.budget)
        self._numbering = Numbering(_columns(domain, problem, table))
        size = self._numbering.size
        if size > _MOST_ATOMS:
            raise PDDLError(
                f"the problem is too large: {size} atoms can change, at most "
                f"{_MOST_ATOMS} are supported; use fewer objects"
            )
        self.assign, self.place = self._assign, self._numbering.find

    def freeze(self) -> Sequence[Atom]:
        """Return the atoms."""
        return _Atoms(self._numbering)

    def key(self, position: int) -> Key:
        """Return the atom with a position."""
        return self._numbering.key(position)

    def charge(self) -> None:
        """Spend nothing, because there are no new atoms."""

    def _assign(self, key: Key) -> int:
        """Return an atom's position; an atom that never holds has the last one."""
        position = self._numbering.find(key)
        return self._numbering.size if position is None else position


class _Atoms(Sequence[Atom]):
    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering

    def __len__(self) -> int:
        return self._numbering.size

    def __getitem__(self, position: Any) -> Any:
        key = self._numbering.key(position)
        return Atom(key[0], key[1:])


def _columns(
    domain: Domain, problem: Problem, table: Table
) -> dict[str, list[list[str]]]:
    """Return the objects that each term of an atom can be, from facts and effects."""
    found: dict[str, list[dict[str, None]]] = {
        name: [{} for _ in parameters]
        for name, parameters in domain.predicates.items()
        if name in table.fluents
    }
    for fact in problem.init:
        for column, term in zip(
            found.get(fact.predicate, ()), fact.terms, strict=False
        ):
            column[term] = None
    for schema in domain.schemas.values():
        for effect in schema.effects:
            of = {
                one.name: table.objects.of(one.types)
                for one in (*schema.parameters, *effect.variables)
            }
            for column, term in zip(
                found[effect.atom.predicate], effect.atom.terms, strict=True
            ):
                column.update(dict.fromkeys(of.get(term, (term,))))
    return {name: [list(one) for one in columns] for name, columns in found.items()}


class LiftedActions(Sequence[GroundAction]):
    """The actions of a problem, each grounded when it is asked for.

    Args:
        domain: The domain.
        problem: The problem.
        table: Its atoms.
        init: Its first state.

    Raises:
        TooLargeError: If an action's conditions or the arguments of those that are
            possible in the first state exceed the budget.
    """

    def __init__(
        self, domain: Domain, problem: Problem, table: WideTable, init: int
    ) -> None:
        objects = table.objects
        self._schemas = domain.schemas
        self._table = table
        self._values = problem.values
        self._lifted = {
            name: Lifted(schema, table) for name, schema in domain.schemas.items()
        }
        self._numbering = Numbering(
            {
                name: [objects.of(one.types) for one in schema.parameters]
                for name, schema in domain.schemas.items()
            }
        )
        self._cached: dict[int, GroundAction] = {}
        holding = self._holding(init)
        for name, schema in domain.schemas.items():
            self._arguments(schema, holding)
            columns = [objects.of(one.types) for one in schema.parameters]
            if all(columns):
                table.budget.renew()
                self._lifted[name].literals(tuple([column[0] for column in columns]))

    def __len__(self) -> int:
        return self._numbering.size

    def __getitem__(self, position: Any) -> Any:
        action = self._cached.get(position)
        if action is None:
            if not 0 <= position < self._numbering.size:
                raise IndexError(position)
            if len(self._cached) == _MOST_CACHED:
                self._cached.clear()
            schema, *args = self._numbering.key(position)
            action = self._cached[position] = self._ground(schema, tuple(args))
        return action

    def number(self, name: str) -> int | None:
        """Return the position of an action, given by its canonical text."""
        return self._numbering.find(tuple(name.split(" ")))

    def valid(self, state: int) -> list[int]:
        """Return the positions of the applicable actions, in ascending order.

        An action's schema is left out if finding its arguments exceeds the budget.
        """
        holding, found = self._holding(state), []
        for schema in self._schemas.values():
            with suppress(TooLargeError):
                found += self._arguments(schema, holding)
        return sorted(one for one in found if self[one].condition.holds(state))

    def _holding(self, state: int) -> Rows:
        """Return the terms of a state's facts, by predicate."""
        holding: dict[str, list[tuple[str, ...]]] = {
            name: [] for name in self._table.fluents
        }
        for position in positions(state):
            predicate, *terms = self._table.key(position)
            holding[predicate].append(tuple(terms))
        return holding

    def _arguments(self, schema: Schema, holding: Rows) -> list[int]:
        """Return the actions of a schema whose positive preconditions hold."""
        self._table.budget.renew()
        return [
            self._numbering.number((schema.name, *args))
            for args in bindings(schema, self._table, holding)
        ]

    def _ground(self, name: str, args: tuple[str, ...]) -> GroundAction:
        schema = self._schemas[name]
        action = GroundAction(name, args, _IMPOSSIBLE)
        binding = self._lifted[name].bind(args)
        if self._static_hold(schema, binding):
            self._table.budget.renew()
            try:
                made = self._lifted[name].literals(args)
                set_cost(action, schema, self._values)
            except PDDLError:
                # Its conditions are too large, or its cost has no value.
                return action
            action.literals = made or _IMPOSSIBLE
        return action

    def _static_hold(self, schema: Schema, binding: Mapping[str, str]) -> bool:
        table = self._table
        return all(
            part.bind(binding).key in table.static
            for part in conjuncts_of(schema.precondition)
            if isinstance(part, Atom) and part.predicate not in table.fluents
        )


class LiftedIndex(Mapping[str, int]):
    """The positions of lifted actions, by canonical text."""

    def __init__(self, actions: LiftedActions) -> None:
        self._actions = actions

    def __getitem__(self, name: str) -> int:
        position = self._actions.number(name)
        if position is None:
            raise KeyError(name)
        return position

    def __iter__(self) -> Iterator[str]:
        return (action.name for action in self._actions)

    def __len__(self) -> int:
        return len(self._actions)
