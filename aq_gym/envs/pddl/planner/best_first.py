"""Heuristic searches: greedy best-first, and best-first width."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import NamedTuple

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.effort import Effort
from aq_gym.envs.pddl.planner.relaxation import UNREACHABLE, Relaxation


def trace(came_from: dict[int, tuple[int, int]], state: int) -> list[int]:
    """Return the actions that lead from the initial state to a state."""
    plan = []
    before, action = came_from[state]
    while before >= 0:
        plan.append(action)
        before, action = came_from[before]
    return plan[::-1]


_BOOST = 1000
# The units of work for an expanded state, and for each of its successors.
_PER_STATE, _PER_SUCCESSOR = 30, 15


class _Entry(NamedTuple):
    """A queued state, with the heuristic value of its parent.

    Attributes:
        weight: Unmet goal conditions, and the length of a relaxed plan.
        number: The number of entries made before, which breaks ties.
        state: The state.
        before: The parent, from which ``action`` led here; -1 at the start.
        action: The action.
    """

    weight: tuple[int, int]
    number: int
    state: int
    before: int
    action: int


@dataclass
class _Queue:
    """Entries by weight; the queue with the lower priority is served next."""

    heap: list[_Entry] = field(default_factory=list)
    priority: int = 0


def solve_by_estimate(
    task: Task, start: int, relaxation: Relaxation, effort: Effort, most_states: int
) -> list[int] | None:
    """Find a plan by lazy greedy search with the FF heuristic.

    States are evaluated when they are expanded and queued with their parent's value.
    Preferred operators have a queue of their own, which is boosted after each
    improvement (Hoffmann & Nebel 2001; Helmert 2006).

    Args:
        task: The task.
        start: The initial state.
        relaxation: The task's relaxation.
        effort: The work that is left.
        most_states: The maximum number of states to evaluate.

    Returns:
        Positions of actions; None if no plan was found.
    """
    return _GreedySearch(task, relaxation, effort, most_states).run(start)


class _GreedySearch:
    def __init__(
        self, task: Task, relaxation: Relaxation, effort: Effort, limit: int
    ) -> None:
        self._task = task
        self._relaxation = relaxation
        self._effort = effort
        self._limit = limit
        self._came_from: dict[int, tuple[int, int]] = {}
        self._best = UNREACHABLE
        self._all, self._preferred = _Queue(), _Queue()
        self._entries = 0

    def run(self, start: int) -> list[int] | None:
        """Search from a state until the goal is reached or the limit is exceeded."""
        self._all.heap.append(_Entry((0, 0), 0, start, -1, -1))
        while self._all.heap or self._preferred.heap:
            entry = self._next()
            state = entry.state
            if state in self._came_from:
                continue
            if len(self._came_from) == self._limit or self._effort.left < 0:
                return None
            self._came_from[state] = entry.before, entry.action
            if self._task.solved(state):
                return trace(self._came_from, state)
            self._expand(state)
        return None

    def _expand(self, state: int) -> None:
        estimate, helpful = self._relaxation.estimate(state, self._effort)
        if estimate == UNREACHABLE:
            return
        if estimate < self._best:
            self._best = estimate
            self._preferred.priority -= _BOOST
        goals = self._task.goals
        weight = sum(not goal.condition.holds(state) for goal in goals), estimate
        valid = self._task.valid(state)
        self._effort.left -= _PER_STATE + _PER_SUCCESSOR * len(valid)
        for action in valid:
            after = self._task.step(state, action)
            if after in self._came_from:
                continue
            self._entries += 1
            entry = _Entry(weight, self._entries, after, state, action)
            heapq.heappush(self._all.heap, entry)
            if action in helpful:
                heapq.heappush(self._preferred.heap, entry)

    def _next(self) -> _Entry:
        queue = self._all
        if self._preferred.heap and (
            not queue.heap or self._preferred.priority <= queue.priority
        ):
            queue = self._preferred
        queue.priority += 1
        return heapq.heappop(queue.heap)


class _Node(NamedTuple):
    """A state in the queue.

    Attributes:
        weight: The sort key in the queue.
        open_goals: The number of goal conditions that don't hold.
        number: The number of nodes made before, which breaks ties.
        state: The state.
        wanted: The atoms of the latest relaxed plan; one is made whenever the number of
            open goals falls.
        had: The wanted atoms that have held since then.
    """

    weight: tuple[int, ...]
    open_goals: int
    number: int
    state: int
    wanted: int
    had: int


def solve_by_width(
    task: Task,
    start: int,
    relaxation: Relaxation,
    effort: Effort,
    most_states: int,
    goals_first: bool = False,
) -> list[int] | None:
    """Find a plan by BFWS(f5) (Lipovetzky & Geffner 2017), with novelty 1.

    Most states cost a few operations on ints instead of a relaxed plan.

    Args:
        task: The task.
        start: The initial state.
        relaxation: The task's relaxation.
        effort: The work that is left.
        most_states: The maximum number of states to expand.
        goals_first: Whether the number of open goals and the rest of the relaxed plan
            rank before novelty. This solves more kinds of tasks, but with longer plans.

    Returns:
        Positions of actions; None if no plan was found.
    """
    search = _WidthSearch(task, relaxation, effort, goals_first)
    return search.run(start, most_states)


class _WidthSearch:
    def __init__(
        self, task: Task, relaxation: Relaxation, effort: Effort, goals_first: bool
    ) -> None:
        self._task = task
        self._relaxation = relaxation
        self._effort = effort
        self._goals_first = goals_first
        self._goals = [goal.condition for goal in task.goals]
        self._came_from: dict[int, tuple[int, int]] = {}
        self._seen: dict[tuple[int, int], int] = {}
        self._queue: list[_Node] = []

    def run(self, start: int, most_states: int) -> list[int] | None:
        """Search from a state until the goal is reached or the limit is exceeded."""
        self._came_from[start] = -1, -1
        self._push(start, self._open(start), None, 0)
        for _ in range(most_states):
            if self._effort.left < 0:
                return None
            if not self._queue:
                self._effort.complete = True
                return None
            node = heapq.heappop(self._queue)
            if not node.open_goals and self._task.solved(node.state):
                return trace(self._came_from, node.state)
            self._expand(node)
        return None

    def _expand(self, node: _Node) -> None:
        task, came_from = self._task, self._came_from
        valid = task.valid(node.state)
        self._effort.left -= _PER_STATE + len(valid) * (
            _PER_SUCCESSOR + len(self._goals)
        )
        for action in valid:
            after = task.step(node.state, action)
            if after in came_from:
                continue
            came_from[after] = node.state, action
            open_goals = self._open(after)
            wanted = None if open_goals < node.open_goals else node.wanted
            self._push(after, open_goals, wanted, node.had)

    def _push(self, state: int, open_goals: int, wanted: int | None, had: int) -> None:
        if wanted is None:
            wanted, had = self._relaxation.facts(state, self._effort), 0
            if wanted is None:
                return
        else:
            had |= state & wanted
        counts = open_goals, had.bit_count()
        seen = self._seen.get(counts, 0)
        self._seen[counts] = seen | state
        stale = not state & ~seen
        weight: tuple[int, ...] = stale, open_goals
        if self._goals_first:
            weight = open_goals, stale, wanted.bit_count() - counts[1]
        number = len(self._came_from)
        heapq.heappush(
            self._queue, _Node(weight, open_goals, number, state, wanted, had)
        )

    def _open(self, state: int) -> int:
        return sum(not condition.holds(state) for condition in self._goals)
