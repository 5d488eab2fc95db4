"""Post-optimization of plans."""

from __future__ import annotations

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.tracing import trace

# Longer plans than the first are rearranged by a search over their own actions. A
# search over all actions pays in small state spaces, and reaches more states for plans
# that are longer than the second.
_WORTH_REARRANGING = 12
_WORTH_MORE_STATES = 30
_FEW_STATES, _MOST_STATES = 300, 6_000


def shorten(task: Task, start: int, plan: list[int]) -> list[int]:
    """Shorten a plan with inexpensive methods.

    Args:
        task: The task.
        start: The initial state.
        plan: Positions of actions that reach the goal.

    Returns:
        A plan that is no longer.
    """
    plan = _without_detours(task, start, _without_loops(task, start, plan))
    if len(plan) > _WORTH_REARRANGING:
        plan = _rearranged(task, start, plan, sorted(set(plan)), _MOST_STATES)
    most = _MOST_STATES if len(plan) > _WORTH_MORE_STATES else _FEW_STATES
    return _rearranged(task, start, plan, None, most)


def _without_detours(task: Task, start: int, plan: list[int]) -> list[int]:
    """Remove actions, with those that depend on them, while the goal is reached.

    This is action elimination (Nakhost & Müller 2010).
    """
    position = 0
    state = start
    while position < len(plan):
        shorter = _rest(task, state, plan[position + 1 :])
        if shorter is not None:
            plan = plan[:position] + shorter
        else:
            state = task.step(state, plan[position])
            position += 1
    return plan


def _rearranged(
    task: Task, start: int, plan: list[int], actions: list[int] | None, most: int
) -> list[int]:
    """Return a shortest plan of the given actions, if few states are reached."""
    came_from: dict[int, tuple[int, int]] = {start: (-1, -1)}
    layer = [start]
    while layer and len(came_from) < most:
        following = []
        for state in layer:
            for action in _possible(task, state, actions):
                after = task.step(state, action)
                if after not in came_from:
                    came_from[after] = state, action
                    if task.solved(after):
                        return trace(came_from, after)
                    following.append(after)
        layer = following
    return plan


def _possible(task: Task, state: int, actions: list[int] | None) -> list[int]:
    """Return those of the given actions that are applicable; None for all actions."""
    if actions is None:
        return task.valid(state)
    return [action for action in actions if task.applicable(state, action)]


def _rest(task: Task, state: int, plan: list[int]) -> list[int] | None:
    """Apply the applicable actions; return them if they reach the goal."""
    done = []
    for action in plan:
        if task.applicable(state, action):
            state = task.step(state, action)
            done.append(action)
    return done if task.solved(state) else None


def _without_loops(task: Task, start: int, plan: list[int]) -> list[int]:
    visits = {start: 0}
    kept: list[int] = []
    states = [start]
    for action in plan:
        state = task.step(states[-1], action)
        if state in visits:
            for gone in states[visits[state] + 1 :]:
                del visits[gone]
            del states[visits[state] + 1 :], kept[visits[state] :]
        else:
            kept.append(action)
            states.append(state)
            visits[state] = len(kept)
    return kept
