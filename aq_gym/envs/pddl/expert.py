"""The reference policy: plan once, follow the plan, plan anew when it is left."""

from __future__ import annotations

from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.planner import Relaxation, solve

__all__ = ["Expert"]


class Expert:
    """A planner with a task; it remembers where it found no plan.

    It is privileged in nothing: the observation says the whole state.

    Args:
        task: The task.
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
        """Tell whether the goal is out of reach even if nothing became false."""
        return self.relaxation.dead_end(state)

    @property
    def relaxation(self) -> Relaxation:
        """The task's relaxation, made when it is first asked for."""
        if self._relaxation is None:
            self._relaxation = Relaxation(self._task)
        return self._relaxation
