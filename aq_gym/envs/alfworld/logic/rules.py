"""The rules of the ALFRED domain: valid actions, their effects, and subgoals."""

from __future__ import annotations

from typing import NamedTuple

from aq_gym.envs.alfworld.logic.house import LOOK, NOTHING, TWO, House, State

_KNIVES = frozenset({"knife", "butterknife"})
_APPLIANCES = {"heat": frozenset({"microwave"}), "cool": frozenset({"fridge"})}


_NOTHING: frozenset[str] = frozenset()
_FOUND = frozenset({"find"})
_TAKEN = frozenset({"find", "take"})
_UNDER_LAMP = frozenset({"find", "take", "reach the lamp"})


class Action(NamedTuple):
    """An action.

    Attributes:
        verb: "go", "open", "close", "take", "put", "clean", "heat", "cool", "use",
            "slice", "examine receptacle", "examine object", "look", "inventory" or
            "help".
        thing: The object (a receptacle for "go", "open", "close" and
            "examine receptacle"), as a number.
        other: The receptacle, or for "slice" the knife.
    """

    verb: str
    thing: int = NOTHING
    other: int = NOTHING


# The verbs whose ``thing`` is a receptacle.
ON_RECEPTACLES = frozenset({"go", "open", "close", "examine receptacle"})
ALWAYS = (Action("look"), Action("inventory"))


def actions_here(house: House, state: State) -> list[Action]:
    """Return the valid actions except "go", in no particular order."""
    found = [*ALWAYS, Action("help")] if house.helps else list(ALWAYS)
    for receptacle in house.nearby[state.location]:
        found += _with_receptacle(house, state, receptacle)
    return found + _with_hand(house, state)


def accessible(house: House, state: State, receptacle: int) -> bool:
    """Return whether a receptacle is open or can't be closed."""
    return receptacle not in house.openable or receptacle in state.opened


def apply(house: House, state: State, action: Action) -> State:
    """Return the state after a valid action."""
    verb, thing, other = action
    if verb == "go":
        return state._replace(location=house.places[thing])
    place, held, opened, contents, spots, vacated, clean, hot, cool, on, sliced = state
    if verb == "open":
        opened |= {thing}
    elif verb == "close":
        opened -= {thing}
    elif verb == "take":
        held = thing
        contents = _with(contents, other, contents[other] - {thing})
        spots -= {(thing, place)}
        vacated |= {(thing, other)}
    elif verb == "put":
        held = NOTHING
        contents = _with(contents, other, contents[other] | {thing})
        spots |= {(thing, place)}
        vacated -= {(thing, other)}
    elif verb == "clean":
        clean |= {thing}
    elif verb == "heat":
        hot, cool = hot | {thing}, cool - {thing}
    elif verb == "cool":
        cool, hot = cool | {thing}, hot - {thing}
    elif verb == "use":
        on |= {thing}
    elif verb == "slice":
        sliced |= {thing}
    else:
        return state
    return State(
        place, held, opened, contents, spots, vacated, clean, hot, cool, on, sliced
    )


def solved(house: House, state: State) -> bool:
    """Return whether the goal holds."""
    goal = house.goal
    if goal.task_type == LOOK:
        return state.held in house.targets and _in_light(house, state)
    needed = 2 if goal.task_type == TWO else 1
    contents, targets = state.contents, house.targets
    for receptacle in house.ends:
        if targets.isdisjoint(contents[receptacle]):
            continue
        inside = contents[receptacle] & targets
        if sum(reached(house, state, thing) for thing in inside) >= needed:
            return True
    return False


def _in_light(house: House, state: State) -> bool:
    """Return whether a lamp of the goal's type is on at the agent's location."""
    lit = state.toggled & house.lamps
    # A plan's state may have no location, see expert.planned().
    if not lit or state.location == NOTHING:
        return False
    here = house.nearby[state.location]
    contents = state.contents
    return not all([lit.isdisjoint(contents[spot]) for spot in here])


def reached(house: House, state: State, thing: int) -> bool:
    """Return whether an object has the goal's type and is processed as required."""
    goal = house.goal
    if house.object_types[thing] != goal.target:
        return False
    process = goal.process
    if process == "clean":
        return thing in state.clean and thing in house.cleanable
    if process == "heat":
        return thing in state.hot and thing in house.heatable
    if process == "cool":
        return thing in state.cool and thing in house.coolable
    return True


def processors(house: House, process: str) -> frozenset[str]:
    """Return the types of receptacle that clean, heat or cool."""
    return house.washes if process == "clean" else _APPLIANCES[process]


def processable(house: House, process: str) -> frozenset[int]:
    """Return the objects that can be cleaned, heated or cooled."""
    if process == "clean":
        return house.cleanable
    return house.heatable if process == "heat" else house.coolable


def _with_hand(house: House, state: State) -> list[Action]:
    if state.held == NOTHING:
        return []
    found = [Action("examine object", state.held)]
    if house.object_types[state.held] in _KNIVES:
        found += [
            Action("slice", thing, state.held)
            for thing, location in state.spots
            if location == state.location and thing in house.sliceable
        ]
    return found


def _with_receptacle(house: House, state: State, receptacle: int) -> list[Action]:
    found = [Action("examine receptacle", receptacle)]
    if receptacle in house.openable:
        verb = "close" if receptacle in state.opened else "open"
        found.append(Action(verb, receptacle))
    access = accessible(house, state, receptacle)
    for thing in state.contents[receptacle]:
        if access and state.held == NOTHING and thing in house.portable:
            found.append(Action("take", thing, receptacle))
        if thing in house.toggleable:
            found.append(Action("use", thing, receptacle))
    if state.held != NOTHING:
        if access and house.can_hold(receptacle, state.held):
            found.append(Action("put", state.held, receptacle))
        kind = house.receptacle_types[receptacle]
        for process in ("clean", "heat", "cool"):
            if kind in processors(house, process) and state.held in processable(
                house, process
            ):
                found.append(Action(process, state.held, receptacle))
    return found


def _with(
    contents: tuple[frozenset[int], ...], receptacle: int, things: frozenset[int]
) -> tuple[frozenset[int], ...]:
    changed = list(contents)
    changed[receptacle] = things
    return tuple(changed)


def milestones(house: House) -> tuple[str, ...]:
    """Return the subgoals in the order of a solution; the last solves the task.

    In some official games one of the two objects is already in its place at the start;
    then the subgoals of placing it are left out.
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
