"""The reference policy: ScienceWorld's own solution, resumed after other actions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from aq_gym.envs.scienceworld.engine import POOL, Engine
from aq_gym.envs.scienceworld.tasks import Instance
from aq_gym.envs.scienceworld.world import World

_MOVES = ("go to ", "teleport to ")


@lru_cache(maxsize=1_000)
def gold_path(instance: Instance) -> tuple[str, ...]:
    """Return ScienceWorld's own solution of an instance.

    ScienceWorld plays the instance to find it, which takes 0.2 to 30 seconds.

    Raises:
        EngineError: If ScienceWorld fails.
    """
    with POOL.anywhere() as engine:
        return engine.gold(instance)


def next_action(world: World) -> str | None:
    """Return the next action of the solution, or None if it cannot be continued.

    If other actions were taken, the agent first goes back to the place in which the
    solution continues, and opens the doors on the way. Nothing else is undone.

    Raises:
        EngineError: If ScienceWorld fails.
    """
    path, position = gold_path(world.instance), 0
    for action in world.actions:
        position += action == path[position] if position < len(path) else 0
    if position == len(path):
        return None
    action = path[position]
    # Some solutions fail: they end with answers to a question that was never asked.
    if action.isdecimal() and not world.status.choices:
        return None
    if world.actions == path[:position]:
        return action
    places, here = _places(world.instance), world.status.location
    with POOL.at(world) as engine:
        if here != places[position]:
            doors = [name[8:] for name in engine.objects() if name[:8] == "door to "]
            return _move(engine, _first_room(places, here, places[position], doors))
        if action.startswith(_MOVES):
            return _move(engine, places[position + 1])
        return None if engine.act(action) is None else action


@lru_cache(maxsize=1_000)
def _places(instance: Instance) -> tuple[str, ...]:
    """Return the place before each action of the solution, and after the last one."""
    path = gold_path(instance)
    with POOL.anywhere() as engine:
        places = [engine.load(instance).status.location]
    for action in path:
        verb = next((verb for verb in _MOVES if action.startswith(verb)), "")
        places.append(action.removeprefix(verb) if verb else places[-1])
    return tuple(places)


def _first_room(
    places: Iterable[str], start: str, goal: str, doors: Iterable[str]
) -> str:
    """Return the first room on the way to a place, through rooms that are known.

    Args:
        places: The places of the solution, in order.
        start: The agent's place.
        goal: The place to go to.
        doors: The rooms to which the agent sees doors.

    Returns:
        The room, or "" if no way is known.
    """
    steps = {(one, other) for one, other in pairwise(places) if one != other}
    ways = steps | {(other, one) for one, other in steps} | {(start, d) for d in doors}
    rooms = [goal]
    for room in rooms:
        for one, other in sorted(ways):
            if other == room and one not in rooms:
                if one == start:
                    return room
                rooms.append(one)
    return ""


def _move(engine: Engine, room: str) -> str | None:
    """Return an action that goes to a room or opens the door to it, or None."""
    here = engine.world
    assert here is not None
    for actions in ((f"go to {room}",), (f"open door to {room}", f"go to {room}")):
        engine.go_to(here)
        for action in actions if room else ():
            if engine.act(action) is None:
                break
        if engine.world is not None and engine.world.status.location == room:
            return actions[0]
    return None
