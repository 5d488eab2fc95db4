"""The reference policy: make a plan, and a new one when the agent leaves it."""

from __future__ import annotations

from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.planner import Relaxation, solve


class Expert:
    """A planner for one task, which remembers the states without a plan.

    It is not privileged: observations contain the complete state.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._relaxation: Relaxation | None = None
        self._hopeless: set[int] = set()

    def plan(self, state: int) -> tuple[int, ...]:
        """Return a plan from a state, empty if none was found."""
        if state in self._hopeless:
            return ()
        plan = solve(self._task, state, self.relaxation)
        if plan is None:
            self._hopeless.add(state)
        return tuple(plan or ())

    def dead_end(self, state: int) -> bool:
        """Return whether the goal is unreachable even without delete effects."""
        return self.relaxation.dead_end(state)

    @property
    def relaxation(self) -> Relaxation:
        """The task's relaxation, built on first use."""
        if self._relaxation is None:
            self._relaxation = Relaxation(self._task)
        return self._relaxation
