"""Find routes through a story's rooms by walking."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from aq_gym.envs.jericho.search.grounding import DIRECTIONS
from aq_gym.envs.jericho.session import Moment, Session

Ways = dict[int, dict[str, int]]
_MOST_ROOMS = 40


def room(session: Session) -> int:
    """Return the object that the player is in."""
    return session.memory.parent(session.game.player)


def explore(
    session: Session, arrived: Callable[[Moment], bool], ways: Ways | None = None
) -> list[str] | None:
    """Return the shortest walk to a moment, or None.

    Args:
        session: The story; it is left at some moment of the walk.
        arrived: Returns whether the walk may end at a moment.
        ways: Where to note which direction leads from which room to which.
    """
    queue: deque[tuple[Moment, list[str]]] = deque([(session.now, [])])
    seen = {room(session)}
    while queue:
        moment, path = queue.popleft()
        session.jump(moment)
        here = room(session)
        if arrived(moment):
            return path
        for direction in DIRECTIONS:
            session.jump(moment)
            session.do(direction)
            there = room(session)
            if session.now.over or there == here:
                continue
            if ways is not None:
                ways.setdefault(here, {})[direction] = there
            if there not in seen and len(seen) <= _MOST_ROOMS:
                seen.add(there)
                queue.append((session.now, [*path, direction]))
    return None


def shortest(ways: Ways, start: int, goal: int) -> list[tuple[str, int]] | None:
    """Return the directions from room to room, each with the room that it leads to."""
    came: dict[int, tuple[int, str]] = {start: (start, "")}
    queue = deque([start])
    while queue and goal not in came:
        here = queue.popleft()
        for direction, there in ways.get(here, {}).items():
            if there not in came:
                came[there] = here, direction
                queue.append(there)
    if goal not in came:
        return None
    path: list[tuple[str, int]] = []
    while goal != start:
        before, direction = came[goal]
        path.append((direction, goal))
        goal = before
    return path[::-1]


def ways_of(walk: Iterable[tuple[int, str, int]]) -> Ways:
    """Record the exits that a walk took: from a room, in a direction, to a room."""
    ways: Ways = {}
    for here, direction, there in walk:
        if direction in DIRECTIONS and here != there:
            ways.setdefault(here, {})[direction] = there
    return ways
