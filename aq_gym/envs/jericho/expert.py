"""The recorded solutions of our adventures, resumed from wherever the player is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from aq_gym.envs.jericho.search.repair import Repairer, Step
from aq_gym.envs.jericho.search.walking import explore, room
from aq_gym.envs.jericho.session import Moment, Session

GIVE_UP = "check valid actions"


class Guide:
    """Plays the recorded solution; privileged: it reads what varies from memory."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._repairer = Repairer(session)
        self._latest: tuple[int | None, tuple[Step, ...]] = None, ()

    def next_command(self) -> str:
        """Return the next step of a winning route that was tried from here.

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
        if self._latest[0] != seed:
            self._session.start(seed)
            self._latest = seed, tuple(self._play(self._session.game.walkthrough))
        return self._latest[1]

    def _play(self, record: Sequence[Any]) -> Iterator[Step]:
        session = self._session
        for entry in record:
            if isinstance(entry, str):
                held = tuple(session.memory.children(session.game.player))
                command = entry.format_map(_Variables(session))
                step = Step(room(session), command, held)
                session.do(command)
                yield step
            elif "go" in entry:
                yield from self._play(self._path(entry["go"]))
            else:
                value = str(_Variables(session)[entry["by"]])
                yield from self._play(entry.get(value) or entry.get("*", ()))
            if session.now.over:
                return

    def _path(self, place: str) -> list[str]:
        session = self._session
        symbols = session.game.symbols
        target = symbols["objects"][place] if symbols else 0
        here = session.now
        path = explore(session, lambda moment: room(session) == target)
        session.jump(here)
        return path or []

    def _search(self, solution: tuple[Step, ...]) -> str:
        """Walk, nearest room first, to where the rest of the solution wins."""
        found = ""

        def applies(moment: Moment) -> bool:
            nonlocal found
            place = room(self._session)
            for index in reversed(range(len(solution))):
                here = solution[index].room == place
                if here and self._wins(moment, solution[index:]):
                    found = solution[index].command
                    return True
            return False

        here = self._session.now
        path = explore(self._session, applies)
        if path or found:
            return path[0] if path else found
        self._session.jump(here)
        return self._repairer.next_command(solution) or GIVE_UP

    def _wins(self, moment: Moment, steps: Sequence[Step]) -> bool:
        session = self._session
        session.jump(moment)
        for step in steps:
            if session.now.over or room(self._session) != step.room:
                return False
            if not session.do(step.command).understood:
                return False
        return session.now.won


class _Variables(dict[str, int]):
    """A story's global variables by name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __missing__(self, name: str) -> int:
        symbols = self._session.game.symbols
        assert symbols is not None, "only our adventures have a recorded solution"
        return self._session.memory.variable(symbols["globals"][name])
