"""ALFWorld's descriptions of rooms, receptacles and objects."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.envs.alfworld.logic.house import House, State


def look(house: House, state: State) -> str:
    """Return the answer to ``look``."""
    here = house.nearby[state.location]
    if not here:
        # The published grammar lists nothing at a location without a receptacle.
        return middle("nothing")
    floor = [
        house.object_names[thing]
        for thing, location in sorted(state.spots)
        if location == state.location
        for receptacle in here
        if (thing, receptacle) in state.vacated
    ]
    facing = _listed([house.receptacle_names[receptacle] for receptacle in here])
    return f"You are facing the {facing}. Next to it, you see {some(floor)}."


def middle(seen: str) -> str:
    """Return the description of a location without a receptacle."""
    return (
        f"You are in the middle of a room. Looking quickly around you, you see {seen}."
    )


def receptacle_view(house: House, state: State, receptacle: int) -> str:
    """Return the description of a receptacle and its contents."""
    name = house.receptacle_names[receptacle]
    can_open = receptacle in house.openable
    if can_open and receptacle not in state.opened:
        return f"The {name} is closed."
    seen, things = "nothing", state.contents[receptacle]
    if things:
        names = house.object_names
        seen = some([names[thing] for thing in sorted(things)])
    if can_open:
        return f"The {name} is open. In it, you see {seen}."
    return f"On the {name}, you see {seen}."


def object_view(house: House, state: State, thing: int) -> str:
    """Return the description of an object."""
    name = house.object_names[thing]
    inside = house.vessels.get(thing)
    if inside is not None:
        seen = some([house.object_names[content] for content in inside])
        return f"This is a normal {name}. In it, you see {seen}."
    condition = _condition(state, thing)
    if condition:
        return f"This is a {condition} {name}."
    if thing in house.toggleable and thing in state.toggled:
        return f"This {name} is on."
    if thing in house.sliceable and thing in state.sliced:
        return f"This is a sliced {name}."
    return f"There's nothing special about {name}."


def _condition(state: State, thing: int) -> str:
    """Describe temperature and cleanness in the published grammar's words.

    Only cool is "cold", only sliced has a sentence of its own, and cool and hot exclude
    each other.
    """
    clean = thing in state.clean
    heat = "hot" if thing in state.hot else "cool" if thing in state.cool else ""
    if not (clean or heat):
        return ""
    if thing in state.sliced:
        return " and ".join(filter(None, (heat, "clean" if clean else ""))) + " sliced"
    if clean:
        return f"{heat} and clean" if heat else "clean"
    return "hot" if heat == "hot" else "cold"


def some(names: Sequence[str]) -> str:
    """Return a list of things with "a", or "nothing" for an empty one."""
    if len(names) < 2:
        return f"a {names[0]}" if names else "nothing"
    return f"a {', a '.join(names[:-1])}, and a {names[-1]}"


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"
