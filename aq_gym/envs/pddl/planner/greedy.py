"""Lazy greedy best-first search with relaxed plans, as in Fast Downward."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import NamedTuple

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.relaxation import UNREACHABLE, Relaxation
from aq_gym.envs.pddl.planner.tracing import trace

_BOOST = 1000


class _Entry(NamedTuple):
    """A queued state, with the heuristic value of the state it was reached from.

    Attributes:
        weight: Unmet goal conditions, and the length of a relaxed plan.
        number: The number of entries made before, which breaks ties.
        state: The state.
        before: The state it was reached from, by ``action``; -1 at the start.
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
    task: Task, start: int, relaxation: Relaxation, most_states: int
) -> list[int] | None:
    """Find a plan by lazy greedy search with the FF heuristic.

    States are evaluated when they are expanded and queued with their parent's value.
    Preferred operators have a queue of their own, which is boosted after each
    improvement (Hoffmann & Nebel 2001; Helmert 2006).

    Args:
        task: The task.
        start: The initial state.
        relaxation: The task's relaxation.
        most_states: The most states to evaluate.

    Returns:
        Positions of actions; None if no plan was found.
    """
    return _Search(task, relaxation, most_states).run(start)


class _Search:
    def __init__(self, task: Task, relaxation: Relaxation, limit: int) -> None:
        self._task = task
        self._relaxation = relaxation
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
            if len(self._came_from) == self._limit:
                return None
            self._came_from[state] = entry.before, entry.action
            if self._task.solved(state):
                return trace(self._came_from, state)
            self._expand(state)
        return None

    def _expand(self, state: int) -> None:
        estimate, helpful = self._relaxation.estimate(state)
        if estimate == UNREACHABLE:
            return
        if estimate < self._best:
            self._best = estimate
            self._preferred.priority -= _BOOST
        goals = self._task.goals
        weight = sum(not goal.condition.holds(state) for goal in goals), estimate
        for action in self._task.valid(state):
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
