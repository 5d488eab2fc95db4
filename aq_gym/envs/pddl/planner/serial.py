"""Serialized search: reach the goal conditions of large tasks one after another."""

from __future__ import annotations

from collections.abc import Collection

from aq_gym.envs.pddl.logic.task import Task
from aq_gym.envs.pddl.planner.effort import Effort
from aq_gym.envs.pddl.planner.relaxation import Relaxation

# The average number of tries for each goal condition before the search gives up.
_TRIES = 20
# The maximum number of searches, each with the order learned before, and the amount of
# work (relaxed plans times actions) after which no further search begins.
_ROUNDS = 4
_MOST_WORK = 5_000_000


def solve_serially(
    task: Task,
    start: int,
    relaxation: Relaxation,
    effort: Effort,
    tries: int = _TRIES,
) -> list[int] | None:
    """Find a plan by reaching one goal condition after another.

    The next condition is the one nearest in the relaxed task. Its relaxed plan is
    executed as far as possible, and then a new one is made (Vidal, "A Lookahead
    Strategy for Heuristic Search Planning", 2004). Conditions that hold are protected:
    no action may violate them. If this blocks all other conditions, the blocking
    conditions lose their protection, and are reached again later. From this the search
    learns an order of the conditions, and is repeated with it for a shorter plan.

    Args:
        task: The task.
        start: The initial state.
        relaxation: The task's relaxation.
        effort: The work that is left.
        tries: The limit of relaxed plans, as an average over the goal conditions.

    Returns:
        Positions of actions; None if no plan was found.
    """
    best: list[int] | None = None
    after: list[set[int]] = [set() for _ in task.goals]
    work = 0
    for _ in range(_ROUNDS):
        if best is not None and work > _MOST_WORK:
            break
        search = _Search(task, relaxation, effort, start, after)
        plan = _run(search, tries * len(task.goals))
        work += search.tries * len(task.actions)
        if plan is not None and (best is None or len(plan) < len(best)):
            best = plan
        elif best is not None:
            break
    return best


def _run(search: _Search, tries: int) -> list[int] | None:
    for _ in range(tries):
        if search.solved():
            return search.plan
        if search.effort.left < 0 or not search.advance():
            return None
    return None


class _Search:
    """One run of the search.

    Args:
        task: The task.
        relaxation: The task's relaxation.
        effort: The work that is left.
        start: The initial state.
        after: For each goal condition, the conditions that must be reached before it;
            the run adds to them.
    """

    def __init__(
        self,
        task: Task,
        relaxation: Relaxation,
        effort: Effort,
        start: int,
        after: list[set[int]],
    ) -> None:
        self._task = task
        self._relaxation = relaxation
        self.effort = effort
        self._conditions = [goal.condition for goal in task.goals]
        self.state = start
        self.plan: list[int] = []
        self.tries = 0
        self._protected: set[int] = set()
        self._after = after
        self._current: int | None = None
        self._protected |= self._holding() - self._premature()
        self._tried: set[tuple[int, int]] = set()
        self._postponed: set[int] = set()

    def solved(self) -> bool:
        """Return whether the goal holds."""
        return self._task.solved(self.state)

    def advance(self) -> bool:
        """Execute one relaxed plan; return whether the search can continue."""
        self.tries += 1
        found = self._relaxed_plan()
        if found is None:
            return False
        self._current, actions = found
        looping = (self._current, self.state) in self._tried
        self._tried.add((self._current, self.state))
        if looping or not self._execute(actions):
            self._postponed.add(self._current)
            self._current = None
        elif self._conditions[self._current].holds(self.state):
            self._protected |= self._holding() - self._premature()
            self._current = None
            self._postponed.clear()
            self._tried.clear()
        return True

    def _holding(self) -> set[int]:
        state = self.state
        return {i for i, one in enumerate(self._conditions) if one.holds(state)}

    def _premature(self) -> set[int]:
        opened = self._open()
        return {i for i, before in enumerate(self._after) if before & opened}

    def _open(self) -> set[int]:
        return set(range(len(self._conditions))) - self._holding()

    def _relaxed_plan(self) -> tuple[int, list[int]] | None:
        """Return the next goal condition and a relaxed plan, in order."""
        opened = self._open() - self._postponed
        if self._current is not None and self._current in opened:
            wanted: Collection[int] = {self._current}
        else:
            wanted = {i for i in opened if not self._after[i] & opened} or opened
        if not wanted:
            return None
        protected = self._protected
        found = self._relaxation.nearest(self.state, wanted, protected, self.effort)
        if found is None and protected:
            found = self._relaxation.nearest(self.state, opened, (), self.effort)
            if found is not None:
                self._give_up(*found)
        return found

    def _give_up(self, goal: int, actions: list[int]) -> None:
        """Stop protecting the conditions that the next relaxed plan violates."""
        deleted = added = 0
        for action in actions:
            more, less = self._task.actions[action].effects
            added |= more
            deleted |= less
        for one in sorted(self._protected):
            condition = self._conditions[one]
            if condition.required & deleted or condition.forbidden & added:
                self._protected.discard(one)
                self._after[one].add(goal)

    def _execute(self, actions: list[int]) -> bool:
        """Execute actions while any is applicable; return whether any was."""
        waiting = list(actions)
        cost = 4 + len(self._protected)
        while waiting:
            self.effort.left -= cost * len(waiting)
            ready = [one for one in waiting if self._allowed(one)]
            if not ready:
                break
            action = min(ready, key=lambda one: self._harm(one, waiting))
            self.state = self._task.step(self.state, action)
            self.plan.append(action)
            waiting.remove(action)
        return len(waiting) < len(actions)

    def _allowed(self, action: int) -> bool:
        """Return whether an action is applicable and violates no protection."""
        if not self._task.applicable(self.state, action):
            return False
        after = self._task.step(self.state, action)
        held = (self._conditions[one].holds(after) for one in self._protected)
        return after != self.state and all(held)

    def _harm(self, action: int, waiting: list[int]) -> int:
        """Return the number of waiting actions whose precondition an action deletes."""
        actions = self._task.actions
        delete = actions[action].effects[1] & self.state
        return sum(
            bool(actions[one].condition.required & delete)
            for one in waiting
            if one != action
        )
