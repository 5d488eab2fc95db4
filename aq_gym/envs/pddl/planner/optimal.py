"""A* search with an admissible heuristic, for shortest plans of small tasks."""

from __future__ import annotations

import heapq

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.relaxation import UNREACHABLE, Relaxation
from aq_gym.envs.pddl.planner.tracing import trace

_MOST_STATES = 50_000


def shortest(
    task: Task, state: int | None = None, most_states: int = _MOST_STATES
) -> list[int] | None:
    """Find a plan with the fewest steps.

    Args:
        task: The task.
        state: The initial state; by default the task's.
        most_states: The most states to reach.

    Returns:
        Positions of actions; None if no plan was found within the limit.
    """
    start = task.init if state is None else state
    relaxation = Relaxation(task)
    bounds = {start: relaxation.bound(start)}
    steps: dict[int, int] = {start: 0}
    came_from: dict[int, tuple[int, int]] = {start: (-1, -1)}
    queue = [(bounds[start], 0, start)]
    closed: set[int] = set()
    while queue:
        _, _, now = heapq.heappop(queue)
        if now in closed:
            continue
        closed.add(now)
        if task.solved(now):
            return trace(came_from, now)
        for action in task.valid(now):
            after = task.step(now, action)
            length = steps[now] + 1
            if length >= steps.get(after, UNREACHABLE):
                continue
            if after not in bounds:
                if len(bounds) == most_states:
                    return None
                bounds[after] = relaxation.bound(after)
            steps[after] = length
            came_from[after] = (now, action)
            if bounds[after] < UNREACHABLE:
                entry = (length + bounds[after], -length, after)
                heapq.heappush(queue, entry)
    return None
