"""The recorded solutions of our adventures, resumed from wherever the player is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from aq_gym.envs.jericho.grounding import DIRECTIONS
from aq_gym.envs.jericho.session import Moment, Session

__all__ = ["GIVE_UP", "Guide", "Step"]

GIVE_UP = "check valid actions"
_MOST_ROOMS = 40


class Step(NamedTuple):
    """One command of a solution, and the room in which it is given."""

    room: int
    command: str


class Guide:
    """Knows the recorded solution; privileged, for what varies is read from memory.

    Args:
        session: The story being played.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._solutions: dict[int, tuple[Step, ...]] = {}

    def next_command(self) -> str:
        """Return the next step of a way to win that was tried out from here.

        The end of the recorded solution that wins from this very state is played,
        after walking to where it applies; a pure function of the state. Where no such
        way is found, the answer is ``check valid actions``.
        """
        here = self._session.now
        if here.over or here.wants_key or not self._session.game.walkthrough:
            return GIVE_UP
        try:
            solution = self.solution(here.seed)
            self._session.jump(here)
            return self._search(solution)
        finally:
            self._session.jump(here)

    def solution(self, seed: int) -> tuple[Step, ...]:
        """Play the recorded solution for a layout, and write it down.

        A step of the record is a command, in which ``{name}`` stands for a global
        variable's value; a choice, ``{"by": variable, "1": [...], "*": [...]}``; or a
        walk, ``{"go": room}``.
        """
        if seed not in self._solutions:
            self._session.start(seed)
            self._solutions[seed] = tuple(self._play(self._session.game.walkthrough))
        return self._solutions[seed]

    def _play(self, record: Sequence[Any]) -> Iterator[Step]:
        for entry in record:
            if isinstance(entry, str):
                step = Step(self._room(), entry.format_map(_Variables(self._session)))
                self._session.do(step.command)
                yield step
            elif "go" in entry:
                yield from self._play(self._path(entry["go"]))
            else:
                value = str(_Variables(self._session)[entry["by"]])
                yield from self._play(entry.get(value) or entry.get("*", ()))
            if self._session.now.over:
                return

    def _path(self, room: str) -> list[str]:
        symbols = self._session.game.symbols
        target = symbols["objects"][room] if symbols else 0
        here = self._session.now
        path = self._explore(lambda moment: self._room() == target)
        self._session.jump(here)
        return path or []

    def _search(self, solution: tuple[Step, ...]) -> str:
        """Walk, nearest room first, to where the end of the solution wins."""
        found = ""

        def applies(moment: Moment) -> bool:
            nonlocal found
            room = self._room()
            for index in reversed(range(len(solution))):
                if solution[index].room == room and self._wins(
                    moment, solution[index:]
                ):
                    found = solution[index].command
                    return True
            return False

        path = self._explore(applies)
        return path[0] if path else found or GIVE_UP

    def _explore(self, arrived: Callable[[Moment], bool]) -> list[str] | None:
        """Return the shortest walk to a moment that will do, None if there is none."""
        session = self._session
        queue: deque[tuple[Moment, list[str]]] = deque([(session.now, [])])
        seen = {self._room()}
        while queue:
            moment, path = queue.popleft()
            session.jump(moment)
            if arrived(moment):
                return path
            for direction in DIRECTIONS:
                session.jump(moment)
                session.do(direction)
                there = self._room()
                if session.now.over or there in seen or len(seen) > _MOST_ROOMS:
                    continue
                seen.add(there)
                queue.append((session.now, [*path, direction]))
        return None

    def _wins(self, moment: Moment, steps: Sequence[Step]) -> bool:
        session = self._session
        session.jump(moment)
        for step in steps:
            if session.now.over or self._room() != step.room:
                return False
            if not session.do(step.command).understood:
                return False
        return session.now.won

    def _room(self) -> int:
        return self._session.memory.parent(self._session.game.player)


class _Variables(dict[str, int]):
    """A story's global variables by name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __missing__(self, name: str) -> int:
        symbols = self._session.game.symbols
        assert symbols is not None, "only our adventures have a recorded solution"
        return self._session.memory.variable(symbols["globals"][name])
