"""The reference policy: it undoes what does not belong, and makes the route's calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from itertools import pairwise

from aq_gym.envs.tooloperation.logic.builder import Operation, Step
from aq_gym.envs.tooloperation.logic.session import Target, WorldSession, score
from aq_gym.tools import ToolError


def next_step(
    task: Operation, session: WorldSession, new: Callable[[], WorldSession], made: int
) -> Step | None:
    """Return the next call, or None if no plan was found.

    If the agent did something else than the route, a plan repairs the differences from
    a point of the route, and continues there; the point is chosen for the fewest
    changes in all. Every plan is tried in a copy; there are at most as many as the
    route has calls.

    Args:
        task: The task.
        session: The session.
        new: Returns a session at the start.
        made: The number of the route's calls that were made in order.
    """
    route, finish = task.route, Step("finish", {"answer": task.answer})
    points = [new()]
    _play(points[0], route[:made])
    now = session.changes()
    if now == points[0].changes() and _solves(session, route[made:], task.target):
        return (*route, finish)[made]
    for call in route[made:]:
        points.append(deepcopy(points[-1]))
        _play(points[-1], [call])
    changing = [one.version != other.version for one, other in pairwise(points)]
    plans = []
    for position, point in enumerate(points):
        # Elsewhere on the route a lookup would be repeated forever, because only the
        # next call of the route is counted as made.
        if not position or all(changing[position : position + 1]):
            repairs = _repairs(session, point)
            if repairs is not None:
                at, goal = point.changes().items(), task.target.changes.items()
                distance = len(now.items() ^ at) + len(at ^ goal)
                plans.append((distance, made + position, repairs))
    for _, place, steps in sorted(plans, key=lambda plan: plan[:2]):
        if _solves(session, [*steps, *route[place:]], task.target):
            return [*steps, *route[place:], finish][0]
    return None


def _repairs(session: WorldSession, point: WorldSession) -> list[Step] | None:
    try:
        calls = session.repairs(point)
    except ToolError:  # For example, two sheets have each other's name.
        return None
    return None if calls is None else [Step(*one) for one in calls]


def _play(session: WorldSession, steps: Sequence[Step]) -> None:
    for step in steps:
        getattr(session, step.tool)(**step.arguments)


def _solves(session: WorldSession, steps: Sequence[Step], target: Target) -> bool:
    """Return whether calls lead to the end state."""
    trial = deepcopy(session)
    try:
        _play(trial, steps)
    except ToolError:
        return False
    return score(trial, target).exact
