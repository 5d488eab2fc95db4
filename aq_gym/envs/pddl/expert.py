"""The reference policy: a portfolio of searches that shortens the plans it finds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.bar import solve_bar
from aq_gym.envs.pddl.planner.best_first import solve_by_estimate, solve_by_width, trace
from aq_gym.envs.pddl.planner.effort import Effort
from aq_gym.envs.pddl.planner.projection import completed, projected, translated
from aq_gym.envs.pddl.planner.relaxation import Relaxation
from aq_gym.envs.pddl.planner.serial import solve_serially
from aq_gym.envs.pddl.planner.transport import solve_transport

# A plan longer than the first number is shortened by a search over its own actions. In
# small state spaces a search over all actions helps too; for plans longer than the
# second number it may reach more states.
_WORTH_REARRANGING = 12
_WORTH_MORE_STATES = 30
_FEW_STATES, _MOST_STATES = 3_000, 6_000
# With more goal conditions than this, which no generated problem has, other searches
# are slow.
_MANY_GOALS = 16
# In tasks with more actions, each state takes longer, so fewer states are searched.
_MANY_ACTIONS = 2_000
_LOST = "the goal can't be reached from here"
_TOO_LARGE = "the problem has too many ground actions for the planner"
_TOO_HARD = "no plan was found within the expert's budget of states and work"


class Expert:
    """A planner for one task; what it answers depends on the state alone.

    It is not privileged: observations contain the complete state.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        # Why there is no plan, by state.
        self._hopeless: dict[int, str] = {}

    def plan(self, state: int) -> tuple[int, ...]:
        """Return a plan from a state; empty if none was found.

        On the way of the plan from the start it is the rest of that plan.
        """
        if state not in self._plans:
            self._plans[state] = self._searched(state)
        return self._plans[state]

    @cached_property
    def _plans(self) -> dict[int, tuple[int, ...]]:
        """The plans so far by their states, first those on the way from the start."""
        state = self._task.init
        plan = self._searched(state)
        plans = {state: plan}
        for position, action in enumerate(plan[:-1], 1):
            state = self._task.step(state, action)
            plans[state] = plan[position:]
        return plans

    def _searched(self, state: int) -> tuple[int, ...]:
        task, small = self._task, self._small
        if small is None:
            self._hopeless[state] = _TOO_LARGE
            return ()
        effort = Effort()
        start = state if small is task else translated(task, small, state)
        plan = solve(small, start, self._relaxation, effort)
        if plan is not None and small is not task:
            plan = completed(task, small, state, plan)
        if plan is None:
            lost = effort.complete or self.dead_end(state)
            self._hopeless[state] = _LOST if lost else _TOO_HARD
        return tuple(plan or ())

    def reason(self, state: int) -> str:
        """Return why there is no plan from a state, or "" if one was found."""
        self.plan(state)
        return self._hopeless.get(state, "")

    def dead_end(self, state: int) -> bool:
        """Return whether the goal is unreachable even without delete effects."""
        small = self._small
        if small is None:
            return False
        if small is not self._task:
            state = translated(self._task, small, state)
        return self._relaxation.dead_end(state)

    @cached_property
    def _small(self) -> Task | None:
        """The task that the planner solves; for a lifted task, a smaller one."""
        return projected(self._task) if self._task.lifted else self._task

    @cached_property
    def _relaxation(self) -> Relaxation:
        assert self._small is not None
        return Relaxation(self._small)


def solve(
    task: Task,
    state: int | None = None,
    relaxation: Relaxation | None = None,
    effort: Effort | None = None,
) -> list[int] | None:
    """Find a plan, which need not be the shortest.

    The searches are limited by states and units of work, not by seconds, so that the
    result is the same on every machine. Each may do half of the work that is left; the
    serial one nearly all, because only it solves large tasks.

    Args:
        task: The task.
        state: The initial state; by default the task's.
        relaxation: The task's relaxation, if it is already built.
        effort: The work that may be done.

    Returns:
        Positions of actions; None if no plan was found.
    """
    start = task.init if state is None else state
    if task.solved(start):
        return []
    for special in (solve_transport, solve_bar):
        plan = special(task, start)
        if plan is not None:
            return plan
    relaxation, effort = relaxation or Relaxation(task), effort or Effort()
    searches: list[Callable[[Task, int, Relaxation, Effort], list[int] | None]] = [
        partial(solve_by_width, most_states=_most(task, 1_000)),
        partial(solve_by_estimate, most_states=_most(task, 1_000)),
        partial(solve_by_width, most_states=_most(task, 4_000), goals_first=True),
        partial(solve_by_estimate, most_states=_most(task, 20_000)),
    ]
    if len(task.goals) > _MANY_GOALS:
        searches.insert(0, solve_serially)
    for find in searches:
        part = Effort(effort.left * (9 if find is solve_serially else 5) // 10)
        effort.left -= part.left
        plan = find(task, start, relaxation, part)
        effort.left += part.left
        effort.complete = part.complete
        if plan is not None:
            return shorten(task, start, plan, effort)
        if effort.complete:
            return None
    return None


def _most(task: Task, states: int) -> int:
    """Return the limit of states of a search, lower in tasks with very many actions."""
    share = min(1.0, _MANY_ACTIONS / max(1, len(task.actions)))
    return max(10, int(states * share**2))


def shorten(task: Task, start: int, plan: list[int], effort: Effort) -> list[int]:
    """Shorten a plan with inexpensive methods.

    Args:
        task: The task.
        start: The initial state.
        plan: Positions of actions that reach the goal.
        effort: The work that may be done.

    Returns:
        A plan that is no longer.
    """
    plan = _without_detours(task, start, _without_loops(task, start, plan), effort)
    if len(plan) > _WORTH_REARRANGING:
        few = sorted(set(plan))
        plan = _rearranged(task, start, plan, few, _MOST_STATES, effort)
    most = _MOST_STATES if len(plan) > _WORTH_MORE_STATES else _FEW_STATES
    return _rearranged(task, start, plan, None, most, effort)


def _without_detours(
    task: Task, start: int, plan: list[int], effort: Effort
) -> list[int]:
    """Remove actions, with those that depend on them, while the goal is reached.

    This is action elimination (Nakhost & Müller 2010).
    """
    position = 0
    state = start
    while position < len(plan) and effort.left >= 0:
        effort.left -= 3 * (len(plan) - position)
        shorter = _rest(task, state, plan[position + 1 :])
        if shorter is not None:
            plan = plan[:position] + shorter
        else:
            state = task.step(state, plan[position])
            position += 1
    return plan


def _rearranged(
    task: Task,
    start: int,
    plan: list[int],
    actions: list[int] | None,
    most: int,
    effort: Effort,
) -> list[int]:
    """Return a shortest plan with the given actions, if the search stays small."""
    came_from: dict[int, tuple[int, int]] = {start: (-1, -1)}
    layer = [start]
    while layer and len(came_from) < most:
        following = []
        for state in layer:
            if effort.left < 0:
                return plan
            possible = _possible(task, state, actions)
            effort.left -= 5 * len(possible) + 2 * len(actions or ()) + 10
            for action in possible:
                after = task.step(state, action)
                if after not in came_from:
                    came_from[after] = state, action
                    if task.solved(after):
                        return trace(came_from, after)
                    following.append(after)
        layer = following
    return plan


def _possible(task: Task, state: int, actions: list[int] | None) -> list[int]:
    """Return the applicable actions, out of some actions or, for None, of all."""
    if actions is None:
        return task.valid(state)
    return [action for action in actions if task.applicable(state, action)]


def _rest(task: Task, state: int, plan: list[int]) -> list[int] | None:
    """Apply the applicable actions of a plan; return them if they reach the goal."""
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
