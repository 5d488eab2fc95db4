"""A grounded planning task whose states are ints with one bit for each atom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from aq_gym.envs.pddl.logic.formulas import (
    Condition,
    condition,
    conjuncts,
    mask,
    positions,
)
from aq_gym.envs.pddl.logic.grounding import GroundAction, ground, reachable, set_cost
from aq_gym.envs.pddl.logic.joining import bindings
from aq_gym.envs.pddl.logic.language import Atom, Domain, Formula, Not, Problem
from aq_gym.envs.pddl.logic.lifted import LiftedActions, LiftedIndex, WideTable
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.table import Budget, Objects, Table, TooLargeError

# Each goal condition is a sentence of the first observation and a key of
# ``info["subgoals"]``.
_MOST_GOALS = 10_000


class Goal(NamedTuple):
    """One condition of the goal.

    Attributes:
        formula: Its formula, which may contain variables.
        binding: The objects to which its variables are bound.
        condition: The ground condition.
    """

    formula: Formula
    binding: dict[str, str]
    condition: Condition


class Task:
    """A grounded problem; every method is a pure function of a state.

    Args:
        domain: The domain.
        problem: One of its problems.

    Attributes:
        domain: The domain.
        problem: The problem.
        lifted: Whether the problem is too large to ground all actions: each is then
            grounded when it is asked for.
        atoms: The atoms that can change, indexed by the position of their bits.
        static: The facts that never change, in the order of the text.
        init: The first state.
        actions: Every ground action that is reachable and changes something, in the
            order of the domain and the objects; if the task is lifted, all others too.
        goals: The conjuncts of the goal, without duplicates.

    Raises:
        PDDLError: If grounding is too large, or a cost has no value.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain = domain
        self.problem = problem
        fluents = frozenset(
            effect.atom.predicate
            for schema in domain.schemas.values()
            for effect in schema.effects
        )
        self.static = tuple(a for a in problem.init if a.predicate not in fluents)
        budget = Budget()
        objects = Objects(problem.objects, domain.ancestors, budget)
        static = frozenset(atom.key for atom in self.static)
        self.table = Table(objects, fluents, static, budget)
        self.lifted = False
        self.actions: Sequence[GroundAction]
        try:
            self.init = self._first_state()
            self.actions = self._grounded()
        except TooLargeError:
            budget.renew()
            self.lifted = True
            self.table = table = WideTable(domain, problem, self.table)
            self.init = self._first_state()
            self.actions = LiftedActions(domain, problem, table, self.init)
        self.goals = self._goals()
        self._goal = condition(problem.goal, self.table)
        self.atoms = self.table.freeze()
        self._applicability: ApplicabilityIndex | None = None

    def _first_state(self) -> int:
        state = 0
        for atom in self.problem.init:
            if atom.predicate in self.table.fluents:
                state |= self.table.bit(atom.key)
        return state

    def _grounded(self) -> tuple[GroundAction, ...]:
        """Return the ground actions that are reachable and change something."""
        schemas = self.domain.schemas
        found = [(one, bindings(one, self.table)) for one in schemas.values()]
        everything = [
            action
            for schema, args in found
            for action in ground(schema, args, self.table)
        ]
        actions = tuple(reachable(everything, self.init))
        # Published problems give no values to the costs of unreachable actions.
        for action in actions:
            set_cost(action, schemas[action.schema], self.problem.values)
        return actions

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The actions' positions, by canonical text."""
        if isinstance(self.actions, LiftedActions):
            return LiftedIndex(self.actions)
        return {action.name: i for i, action in enumerate(self.actions)}

    def __deepcopy__(self, memo: dict[int, Any]) -> Task:
        """Return the task itself, which is immutable."""
        return self

    def valid(self, state: int) -> list[int]:
        """Return the positions of the applicable actions, in ascending order."""
        if isinstance(self.actions, LiftedActions):
            return self.actions.valid(state)
        if self._applicability is None:
            self._applicability = ApplicabilityIndex(self.actions)
        return self._applicability.valid(state)

    def applicable(self, state: int, action: int) -> bool:
        """Return whether an action is applicable."""
        return self.actions[action].condition.holds(state)

    def step(self, state: int, action: int) -> int:
        """Return the successor state of an applicable action."""
        ground = self.actions[action]
        add, delete = ground.effects
        for asked, more, less in ground.literals.changes:
            if asked.holds(state):
                add |= more
                delete |= less
        return state & ~delete | add

    def solved(self, state: int) -> bool:
        """Return whether the goal holds."""
        required, forbidden, clauses = self._goal
        return (
            state & required == required
            and not state & forbidden
            and (not clauses or self._goal.holds(state))
        )

    @property
    def goal(self) -> Condition:
        """The ground condition of the whole goal."""
        return self._goal

    def facts(self, state: int) -> list[int]:
        """Return the positions of a state's atoms, in ascending order."""
        return positions(state)

    def _goals(self) -> tuple[Goal, ...]:
        goals: dict[tuple[object, ...], Goal] = {}
        # Equal formulas get the same number, because comparing formulas takes a call
        # for each part.
        same: dict[Formula, int] = {}
        numbers: dict[int, int] = {}
        budget = self.table.budget
        for formula, binding in conjuncts(self.problem.goal, self.table):
            budget.left -= 3
            if budget.left < 0:
                budget.exceeded("the conditions of the goal")
            inner = formula.part if isinstance(formula, Not) else formula
            key: tuple[object, ...]
            if isinstance(inner, Atom):
                terms = map(binding.get, inner.terms, inner.terms)
                key = (inner is formula, inner.predicate, *terms)
            else:
                if id(formula) not in numbers:
                    numbers[id(formula)] = same.setdefault(formula, len(same))
                key = (None, numbers[id(formula)], *sorted(binding.items()))
            if key in goals:
                continue
            ground = condition(formula, self.table, binding)
            goals[key] = Goal(formula, dict(binding), ground)
            if len(goals) > _MOST_GOALS:
                raise PDDLError(f"the goal has more than {_MOST_GOALS} conditions")
        return tuple(goals.values())


class ApplicabilityIndex:
    """Finds the applicable actions of a state without testing all actions.

    Each action is listed under the atom of its precondition that the fewest actions
    require. The candidates in a state are the actions listed under its atoms. Their
    number grows with the number of applicable actions, not of all actions.
    """

    def __init__(self, actions: Sequence[GroundAction]) -> None:
        required = [action.literals.requires for action in actions]
        counts = Counter(position for found in required for position in found)
        self._listed: dict[int, list[int]] = {}
        self._unconditional: list[int] = []
        for index, found in enumerate(required):
            if found:
                rarest = min(found, key=counts.__getitem__)
                self._listed.setdefault(rarest, []).append(index)
            else:
                self._unconditional.append(index)
        self._mask = mask(self._listed)
        self._actions = actions

    def valid(self, state: int) -> list[int]:
        """Return the positions of the applicable actions, in ascending order."""
        candidates = list(self._unconditional)
        for position in positions(state & self._mask):
            candidates += self._listed[position]
        actions = self._actions
        found = []
        for index in candidates:
            condition = actions[index].condition
            required, forbidden, clauses = condition
            if (
                state & required == required
                and not state & forbidden
                and (not clauses or condition.holds(state))
            ):
                found.append(index)
        found.sort()
        return found
