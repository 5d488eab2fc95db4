"""Subgoals, which are latched: once reached, they stay reached."""

from __future__ import annotations

from aq_gym.envs.alfworld.logic.goal import LOOK, TWO
from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.logic.rules import reached

__all__ = ["latched", "milestones"]


def milestones(house: House) -> tuple[str, ...]:
    """Return the subgoals in the order of a solution; the last solves the task.

    In some official games one of two objects is in place from the start, so that the
    subgoals of placing it are left out.
    """
    goal = house.goal
    if goal.task_type == LOOK:
        return ("find", "take", "reach the lamp", "light on")
    if goal.task_type == TWO:
        if _placed(house, house.start):
            return ("find", "take 2", "place 2")
        return ("find", "take 1", "place 1", "take 2", "place 2")
    if goal.process:
        return ("find", "take", goal.process, "reach", "place")
    return ("find", "take", "reach", "place")


def latched(
    house: House, state: State, before: frozenset[str], seen: bool, done: bool
) -> frozenset[str]:
    """Return the subgoals reached before or in this state.

    Args:
        house: The household.
        state: The current state.
        before: The subgoals that have been reached.
        seen: Whether the name of an object of the target type has been read.
        done: Whether the task is solved.
    """
    if done:
        return frozenset(milestones(house))
    now = (
        _with_two(house, state)
        if house.goal.task_type == TWO
        else _with_one(house, state)
    )
    if seen:
        now.add("find")
    if not now or now <= before:
        return before
    return before.union(now.intersection(milestones(house)))


def _with_one(house: House, state: State) -> set[str]:
    goal = house.goal
    held = state.held
    if held not in house.targets:
        return set()
    now = {"find", "take"}
    here = house.nearby[state.location]
    if goal.task_type == LOOK:
        lamps = house.lamps
        if not all(lamps.isdisjoint(state.contents[spot]) for spot in here):
            now.add("reach the lamp")
    elif reached(house, state, held):
        now.add(goal.process or "take")
        if any(house.receptacle_types[spot] == goal.receptacle for spot in here):
            now.add("reach")
    return now


def _with_two(house: House, state: State) -> set[str]:
    placed = _placed(house, state)
    now = {"find", "take 1", "place 1"} if placed else set()
    if state.held in house.targets:
        now |= {"find", "take 2" if placed else "take 1"}
    return now


def _placed(house: House, state: State) -> int:
    """Return the most targets in any receptacle of the goal's type."""
    contents, targets = state.contents, house.targets
    ends = [end for end in house.ends if not targets.isdisjoint(contents[end])]
    return max([len(contents[end] & targets) for end in ends], default=0)
