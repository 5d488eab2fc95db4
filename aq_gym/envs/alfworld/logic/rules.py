"""The rules of the ALFRED domain: valid actions and their effects."""

from __future__ import annotations

from typing import NamedTuple

from aq_gym.envs.alfworld.logic.goal import LOOK, TWO
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State

_KNIVES = frozenset({"knife", "butterknife"})
_APPLIANCES = {"heat": frozenset({"microwave"}), "cool": frozenset({"fridge"})}


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
    """Return the valid actions but "go", in no particular order."""
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
    if not lit:
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
