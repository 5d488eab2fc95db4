"""Subgoals, which are latched: once reached, they stay reached."""

from __future__ import annotations

from aq_gym.envs.alfworld.logic.goal import LOOK, TWO
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import reached

__all__ = ["equally_reached", "latched", "milestones"]


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
    now = {"find"} if seen else set()
    if house.goal.task_type == TWO:
        _add_with_two(now, house, state)
        now.intersection_update(milestones(house))
    elif state.held in house.targets:
        _add_with_one(now, house, state)
    return before if now <= before else before | now


def equally_reached(house: House, one: State, other: State) -> bool:
    """Return whether two states of an episode reach the same subgoals.

    False if it would take as long to find out as to compare the subgoals.
    """
    if one.held != other.held or one.contents is not other.contents:
        return False
    return one.held == NOTHING or house.goal.task_type == TWO


def _add_with_one(now: set[str], house: House, state: State) -> None:
    goal = house.goal
    now |= {"find", "take"}
    if goal.task_type == LOOK:
        lamps, contents = house.lamps, state.contents
        for spot in house.nearby[state.location]:
            if not lamps.isdisjoint(contents[spot]):
                now.add("reach the lamp")
    elif reached(house, state, state.held):
        now.add(goal.process or "take")
        if state.location in house.end_places:
            now.add("reach")


def _add_with_two(now: set[str], house: House, state: State) -> None:
    placed = _placed(house, state)
    if placed:
        now |= {"find", "take 1", "place 1"}
    if state.held in house.targets:
        now |= {"find", "take 2" if placed else "take 1"}


def _placed(house: House, state: State) -> bool:
    """Return whether a target is in a receptacle of the goal's type."""
    contents, targets = state.contents, house.targets
    return not all([targets.isdisjoint(contents[end]) for end in house.ends])
