"""Subgoals, which are latched: once reached, they stay reached."""

from __future__ import annotations

from aq_gym.envs.alfworld.logic.goal import LOOK, TWO
from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.logic.rules import reached

_NOTHING: frozenset[str] = frozenset()
_FOUND = frozenset({"find"})
_TAKEN = frozenset({"find", "take"})
_UNDER_LAMP = frozenset({"find", "take", "reach the lamp"})


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
    now = _FOUND if seen else _NOTHING
    if house.goal.task_type == TWO:
        now = now.union(_with_two(house, state)).intersection(milestones(house))
    elif state.held in house.targets:
        now = _with_one(house, state)
    return before if now <= before else before | now


def _with_one(house: House, state: State) -> frozenset[str]:
    goal = house.goal
    if goal.task_type == LOOK:
        lamps, contents = house.lamps, state.contents
        for spot in house.nearby[state.location]:
            if not lamps.isdisjoint(contents[spot]):
                return _UNDER_LAMP
        return _TAKEN
    if not reached(house, state, state.held):
        return _TAKEN
    if state.location in house.end_places:
        return _TAKEN | {goal.process or "take", "reach"}
    return _TAKEN | {goal.process or "take"}


def _with_two(house: House, state: State) -> set[str]:
    placed = _placed(house, state)
    now = {"find", "take 1", "place 1"} if placed else set()
    if state.held in house.targets:
        now |= {"find", "take 2" if placed else "take 1"}
    return now


def _placed(house: House, state: State) -> bool:
    """Return whether a target is in a receptacle of the goal's type."""
    contents, targets = state.contents, house.targets
    return not all([targets.isdisjoint(contents[end]) for end in house.ends])
