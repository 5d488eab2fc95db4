"""The reference policy: it follows the route of the task."""

from __future__ import annotations

from collections.abc import Callable

from aq_gym.envs.tooloperation.logic.builder import Operation, Step
from aq_gym.envs.tooloperation.logic.session import Changes, Session


def next_step(
    task: Operation, session: Session, new: Callable[[], Session], made: int
) -> Step | None:
    """Return the next call of the route, None in a dead end.

    Args:
        task: The task.
        session: The session.
        new: Returns a session at the start.
        made: The number of the route's calls that were made in order.
    """
    finish = Step("finish", {"answer": task.answer})
    now = session.changes()
    if now == task.target.changes and made >= len(task.route):
        return finish
    states = _states(new, task.route)
    if now == states[made]:
        return task.route[made] if made < len(task.route) else None
    # The agent did something else: continue from the same state, if it is on the way.
    for place in reversed(range(len(states))):
        if states[place] == now:
            return (*task.route, finish)[place]
    if now.items() <= task.target.changes.items():
        return _missing(task, now, states)
    return None


def _missing(task: Operation, now: Changes, states: list[Changes]) -> Step | None:
    """Return the first call whose changes do not hold."""
    for step, before, after in zip(task.route, states, states[1:], strict=True):
        if not after.items() - before.items() <= now.items():
            return step
    return None


def _states(new: Callable[[], Session], route: tuple[Step, ...]) -> list[Changes]:
    """Return the changes before each call of a route, and after the last."""
    session = new()
    states: list[Changes] = [dict(session.changes())]
    for step in route:
        version = session.version
        getattr(session, step.tool)(**step.arguments)
        same = session.version == version
        states.append(states[-1] if same else dict(session.changes()))
    return states
