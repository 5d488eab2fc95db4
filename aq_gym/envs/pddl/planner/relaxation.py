"""The delete relaxation of a task: the task without delete effects."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Set
from typing import NamedTuple

from aq_gym.envs.pddl.logic.formulas import Case, Condition, mask, positions
from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.effort import Effort

UNREACHABLE = 1 << 60
_AUXILIARY = -1
_NO_BITS: Set[int] = frozenset()


class _Operator(NamedTuple):
    """A relaxed operator.

    Attributes:
        needs: Facts that must be reached.
        adds: Facts that it reaches.
        action: The task's action; -1 for a case of a disjunction, which costs nothing.
    """

    needs: list[int]
    adds: list[int]
    action: int


class Relaxation:
    """A task without deletes.

    A negative condition becomes a separate fact, which is reached by deleting the atom.
    A disjunction also becomes a fact, which each of its cases reaches at no cost.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._operators: list[_Operator] = []
        self._negated = _negated(task)
        self._size = len(task.atoms)
        self._opposite = {bit: self._new() for bit in positions(self._negated)}
        self._disjunctions: dict[tuple[tuple[int, int], ...], int] = {}
        for index, action in enumerate(task.actions):
            requires, forbids, adds, deletes, clauses, changes = action.literals
            needs = [*requires, *(self._opposite[bit] for bit in forbids)]
            needs += [self._disjunction(clause) for clause in clauses]
            self._add(needs, sorted(adds), sorted(deletes), index)
            for change in changes:
                further = needs + self._facts(change.condition)
                effects = positions(change.add), positions(change.delete)
                self._add(further, *effects, index)
        self._goal = self._facts(task.goal)
        self._goal_facts = [self._facts(goal.condition) for goal in task.goals]
        self._needed_by: list[list[int]] = [[] for _ in range(self._size)]
        for number, operator in enumerate(self._operators):
            for fact in operator.needs:
                self._needed_by[fact].append(number)
        self._counts = [len(operator.needs) for operator in self._operators]
        self._free = [k for k, count in enumerate(self._counts) if not count]

    def estimate(self, state: int, effort: Effort) -> tuple[int, frozenset[int]]:
        """Estimate the number of steps to the goal, and the helpful actions.

        Args:
            state: The state.
            effort: The work that is left.

        Returns:
            The length of a relaxed plan (``UNREACHABLE`` in a dead end), and its
            actions that are applicable in the state.
        """
        found = self._relaxed_plan(state, effort)
        if found is None:
            return UNREACHABLE, frozenset()
        actions, _ = found
        helpful = (one for one in actions if self._task.applicable(state, one))
        return len(actions), frozenset(helpful)

    def facts(self, state: int, effort: Effort) -> int | None:
        """Return the bits that a relaxed plan sets, or None if there is no plan."""
        found = self._relaxed_plan(state, effort)
        return None if found is None else found[1]

    def _relaxed_plan(self, state: int, effort: Effort) -> tuple[set[int], int] | None:
        """Return a relaxed plan's actions, and the bits that they must set."""
        costs, reached_by, _ = self._reach(state, {0: self._goal}, effort)
        if any(costs[fact] == UNREACHABLE for fact in self._goal):
            return None
        actions: set[int] = set()
        bits, atoms = 0, len(self._task.atoms)
        waiting, seen = list(self._goal), set()
        while waiting:
            fact = waiting.pop()
            if fact in seen or reached_by[fact] < 0:
                continue
            seen.add(fact)
            if fact < atoms:
                bits |= 1 << fact
            operator = self._operators[reached_by[fact]]
            actions.add(operator.action)
            waiting += operator.needs
        actions.discard(_AUXILIARY)
        return actions, bits

    def nearest(
        self,
        state: int,
        wanted: Collection[int],
        protected: Collection[int],
        effort: Effort,
    ) -> tuple[int, list[int]] | None:
        """Return the nearest goal condition with the actions of a relaxed plan.

        Args:
            state: The state.
            wanted: The goal conditions to choose from, as positions in the goals.
            protected: Goal conditions that no action of the plan may violate.
            effort: The work that is left.

        Returns:
            The condition, and the actions in an order that is possible in the relaxed
            task; None if no condition can be reached.
        """
        goals = [self._task.goals[one].condition for one in protected]
        required = {bit for one in goals for bit in positions(one.required)}
        forbidden = {bit for one in goals for bit in positions(one.forbidden)}
        targets = {one: self._goal_facts[one] for one in wanted}
        costs, reached_by, found = self._reach(
            state, targets, effort, required, forbidden
        )
        if found is None:
            return None
        order: dict[int, int] = {}
        waiting, seen = list(targets[found]), set()
        while waiting:
            fact = waiting.pop()
            if fact in seen or reached_by[fact] < 0:
                continue
            seen.add(fact)
            operator = self._operators[reached_by[fact]]
            if operator.action != _AUXILIARY:
                cost = order.get(operator.action, UNREACHABLE)
                order[operator.action] = min(cost, costs[fact])
            waiting += operator.needs
        return found, sorted(order, key=lambda action: (order[action], action))

    def bound(self, state: int) -> int:
        """Return a lower bound of the number of steps of every plan (h_max)."""
        costs, _, _ = self._reach(state, {0: self._goal}, Effort(), additive=False)
        return max((costs[fact] for fact in self._goal), default=0)

    def dead_end(self, state: int) -> bool:
        """Return whether the goal of the relaxed task is unreachable.

        If this is True, the state is a dead end. Dead ends that only delete effects
        cause are not detected.
        """
        return not self._task.solved(state) and self.bound(state) >= UNREACHABLE

    def _reach(
        self,
        state: int,
        targets: Mapping[int, list[int]],
        effort: Effort,
        required: Set[int] = _NO_BITS,
        forbidden: Set[int] = _NO_BITS,
        additive: bool = True,
    ) -> tuple[list[int], list[int], int | None]:
        """Reach facts until one target is complete, without the operators ruled out.

        Args:
            state: The state.
            targets: Sets of facts, each under a number.
            effort: The work that is left.
            required: Bits that no operator may clear.
            forbidden: Bits that no operator may set.
            additive: Whether an operator costs the sum of the facts that it needs, or
                only as much as the most expensive one.

        Returns:
            Each fact's cost, the operator that reaches each fact (-1 for none), and the
            number of the reached target, if there is one.
        """
        costs = [UNREACHABLE] * self._size
        reached_by = [-1] * self._size
        missing, sums = self._counts.copy(), [0] * len(self._counts)
        done = bytearray(self._size)
        effort.left -= len(missing) // 20
        left = {one: len(set(facts)) for one, facts in targets.items()}
        wanted_by: dict[int, list[int]] = {}
        for one, facts in targets.items():
            for fact in set(facts):
                wanted_by.setdefault(fact, []).append(one)
        queue = [(0, fact) for fact in self._initial(state)]
        for _, fact in queue:
            costs[fact] = 0
        fired = self._free
        actions, guarded = self._task.actions, bool(required or forbidden)
        while True:
            for number in fired:
                _, adds, action = self._operators[number]
                if guarded and action != _AUXILIARY:
                    _, _, sets, clears, _, _ = actions[action].literals
                    allowed = required.isdisjoint(clears)
                    if not (allowed and forbidden.isdisjoint(sets)):
                        continue
                after = sums[number] + (action != _AUXILIARY)
                for fact in adds:
                    if after < costs[fact]:
                        costs[fact] = after
                        reached_by[fact] = number
                        heapq.heappush(queue, (after, fact))
            if not queue:
                return costs, reached_by, None
            cost, fact = heapq.heappop(queue)
            fired = []
            if done[fact]:
                continue
            done[fact] = 1
            effort.left -= len(self._needed_by[fact]) + 1
            for one in wanted_by.get(fact, ()):
                left[one] -= 1
                if not left[one]:
                    return costs, reached_by, one
            for number in self._needed_by[fact]:
                missing[number] -= 1
                sums[number] = sums[number] + cost if additive else cost
                if not missing[number]:
                    fired.append(number)

    def _initial(self, state: int) -> list[int]:
        facts = self._task.facts(state)
        if self._negated:
            facts += [self._opposite[bit] for bit in positions(self._negated & ~state)]
        return facts

    def _add(
        self, needs: list[int], add: list[int], delete: list[int], action: int
    ) -> None:
        adds = add + [self._opposite[bit] for bit in delete if bit in self._opposite]
        if adds:
            self._operators.append(_Operator(sorted(set(needs)), adds, action))

    def _facts(self, condition: Condition) -> list[int]:
        facts = positions(condition.required)
        facts += [self._opposite[bit] for bit in positions(condition.forbidden)]
        return facts + [self._disjunction(clause) for clause in condition.clauses]

    def _disjunction(self, clause: tuple[tuple[int, int], ...]) -> int:
        fact = self._disjunctions.get(clause)
        if fact is None:
            fact = self._disjunctions[clause] = self._new()
            for required, forbidden in clause:
                needs = self._facts(Condition(required, forbidden))
                self._operators.append(_Operator(needs, [fact], _AUXILIARY))
        return fact

    def _new(self) -> int:
        self._size += 1
        return self._size - 1


def _negated(task: Task) -> int:
    """Return the bits that occur in a negative condition."""
    conditions = [task.goal]
    found: set[int] = set()
    clauses: list[tuple[Case, ...]] = []
    for action in task.actions:
        found.update(action.literals.forbids)
        clauses += action.literals.clauses
        conditions += [change.condition for change in action.literals.changes]
    for condition in conditions:
        found.update(positions(condition.forbidden))
        clauses += condition.clauses
    bits = mask(found)
    for _, forbidden in (case for clause in clauses for case in clause):
        bits |= forbidden
    return bits
