"""The recorded solutions of our adventures, resumed from wherever the player is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from aq_gym.envs.jericho.session import Moment, Session

__all__ = ["GIVE_UP", "expert_action", "walkthrough"]

GIVE_UP = "check valid actions"
_DIRECTIONS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast",
    "southwest", "up", "down", "in", "out",
)  # fmt: skip
_MOST_ROOMS = 40


def walkthrough(session: Session) -> list[str]:
    """Spell out the recorded solution for the story's layout.

    What varies is read from the story's memory: the expert is privileged. A step is
    a command, in which ``{name}`` stands for a global variable's value, or a choice:
    ``{"by": variable, "1": [...], "*": [...]}``.
    """
    return list(_spell(session.game.walkthrough, session))


def _spell(steps: Sequence[Any], session: Session) -> Iterator[str]:
    for step in steps:
        if isinstance(step, str):
            yield step.format_map(_Variables(session)) if "{" in step else step
        else:
            value = str(_Variables(session)[step["by"]])
            yield from _spell(step[value] if value in step else step["*"], session)


class _Variables(dict[str, int]):
    """A story's global variables by name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __missing__(self, name: str) -> int:
        assert self._session.game.symbols is not None
        number = self._session.game.symbols["globals"][name]
        return self._session.memory.variable(number)


def expert_action(session: Session) -> str:
    """Return the next step of a way to win that was tried out from here.

    The end of the recorded solution that wins from this very state is played, after
    walking to where it applies; a pure function of the state. Where no such way is
    found, the answer is ``check valid actions``.
    """
    here = session.now
    if here.over or here.wants_key or not session.game.walkthrough:
        return GIVE_UP
    steps = walkthrough(session)
    rooms = _rooms(session, steps)
    session.jump(here)
    try:
        return _search(session, steps, rooms)
    finally:
        session.jump(here)


def _search(session: Session, steps: list[str], rooms: list[int]) -> str:
    """Look from room to room, nearest first, for a step from which the rest wins."""
    queue: deque[tuple[Moment, str]] = deque([(session.now, "")])
    seen = {_room(session)}
    while queue:
        moment, first = queue.popleft()
        session.jump(moment)
        room = _room(session)
        for index in reversed(range(len(steps))):
            if rooms[index] == room and _wins(session, moment, steps[index:]):
                return first or steps[index]
        for direction in _DIRECTIONS:
            session.jump(moment)
            session.do(direction)
            there = _room(session)
            if session.now.over or there in seen or len(seen) > _MOST_ROOMS:
                continue
            seen.add(there)
            queue.append((session.now, first or direction))
    return GIVE_UP


def _rooms(session: Session, steps: list[str]) -> list[int]:
    """Return in which room each step of the solution is taken, from the beginning."""
    session.start(session.now.seed)
    rooms: list[int] = []
    for step in steps:
        rooms.append(_room(session))
        if session.now.over:
            break
        session.do(step)
    return rooms + [0] * (len(steps) - len(rooms))


def _wins(session: Session, moment: Moment, steps: list[str]) -> bool:
    session.jump(moment)
    for step in steps:
        if session.now.over or not session.do(step).understood:
            return False
    return session.now.won


def _room(session: Session) -> int:
    return session.memory.parent(session.game.player)
