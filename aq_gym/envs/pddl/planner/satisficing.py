"""The satisficing planner: a portfolio of searches."""

from __future__ import annotations

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.bar import solve_bar
from aq_gym.envs.pddl.planner.blocks import solve_blocks
from aq_gym.envs.pddl.planner.couriers import solve_transport
from aq_gym.envs.pddl.planner.greedy import solve_by_estimate
from aq_gym.envs.pddl.planner.relaxation import Relaxation
from aq_gym.envs.pddl.planner.serial import solve_serially
from aq_gym.envs.pddl.planner.shortening import shorten
from aq_gym.envs.pddl.planner.width import solve_by_width

# With more goal conditions than any generated problem has, the other searches are slow.
_MANY_GOALS = 16
# In tasks with more actions, each state takes longer and fewer are searched.
_MANY_ACTIONS = 2_000


def solve(
    task: Task, state: int | None = None, relaxation: Relaxation | None = None
) -> list[int] | None:
    """Find a plan, which need not be the shortest.

    The searches are limited by states, not by seconds, so that the result is the same
    on every machine.

    Args:
        task: The task.
        state: The initial state; by default the task's.
        relaxation: The task's relaxation, if it is already built.

    Returns:
        Positions of actions; None if no plan was found.
    """
    start = task.init if state is None else state
    if task.solved(start):
        return []
    for special in (solve_transport, solve_blocks, solve_bar):
        plan = special(task, start)
        if plan is not None:
            return plan
    relaxation = relaxation or Relaxation(task)
    arguments = task, start, relaxation
    if len(task.goals) > _MANY_GOALS:
        plan = solve_serially(*arguments)
    if plan is None:
        plan = solve_by_width(*arguments, _most(task, 1_000))
    if plan is None:
        plan = solve_by_estimate(*arguments, _most(task, 1_000))
    if plan is None:
        plan = solve_by_width(*arguments, _most(task, 4_000), goals_first=True)
    if plan is None:
        plan = solve_by_estimate(*arguments, _most(task, 20_000))
    return None if plan is None else shorten(task, start, plan)


def _most(task: Task, states: int) -> int:
    """Return the limit of states of a search, lower in tasks with very many actions."""
    share = min(1.0, _MANY_ACTIONS / max(1, len(task.actions)))
    return max(10, int(states * share**2))
