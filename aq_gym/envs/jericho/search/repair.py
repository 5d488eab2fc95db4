"""Repair the recorded solution where it no longer applies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from aq_gym.envs.jericho.search.grounding import Grounding
from aq_gym.envs.jericho.search.walking import Ways, explore, room, shortest, ways_of
from aq_gym.envs.jericho.session import Session

# Commands that only give information, and cost time.
_LOOKING = ("examine ", "read ", "look", "listen")


class Step(NamedTuple):
    """One command of a solution.

    Attributes:
        room: The room in which it is given.
        command: The command.
        held: The things that the player carries then.
    """

    room: int
    command: str
    held: tuple[int, ...]


class Repairer:
    """Plays the end of a solution from a world that other commands have changed.

    Before each step it fetches what the solution carries by then, from where the
    object tree says that it lies, and walks to the step's room; steps that do
    nothing are passed over. If time runs short, so are steps that only look.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ways: Ways = {}
        self._first = ""

    def next_command(self, solution: Sequence[Step]) -> str:
        """Return the first command of a winning route, or "" if none is found."""
        session = self._session
        here = session.now
        self._ways = ways_of(
            (step.room, step.command, following.room)
            for step, following in pairwise(solution)
        )
        explore(session, lambda moment: False, self._ways)
        needed = [step for step in solution if not step.command.startswith(_LOOKING)]
        for steps in (solution, needed):
            for index in reversed(range(len(steps))):
                session.jump(here)
                self._first = ""
                self._play(steps[index:])
                if session.now.won:
                    return self._first
        return ""

    def _play(self, steps: Sequence[Step]) -> None:
        session = self._session
        for step in steps:
            for thing in self._missing(step):
                self._fetch(thing)
            if not self._walk(step.room):
                return
            self._try(step.command, lambda: True)
            if session.now.over:
                return

    def _missing(self, step: Step) -> list[int]:
        memory, player = self._session.memory, self._session.game.player
        return [thing for thing in step.held if memory.parent(thing) != player]

    def _fetch(self, thing: int) -> None:
        """Go and take a thing, or stay where we are."""
        session, memory = self._session, self._session.memory
        before, first = session.now, self._first
        place, *inside = reversed(self._places(thing))
        if self._walk(place):
            for container in inside:
                if container not in (session.game.player, thing):
                    self._open(container)
            player = session.game.player
            name = self._names.surroundings.name(thing)
            if self._try(f"take {name}", lambda: memory.parent(thing) == player):
                return
        session.jump(before)
        self._first = first

    def _places(self, thing: int) -> list[int]:
        """Return a thing, what it is in, what that is in, up to the room."""
        memory = self._session.memory
        places = [thing]
        while memory.parent(places[-1]) and len(places) < memory.count:
            places.append(memory.parent(places[-1]))
        return places

    def _walk(self, goal: int) -> bool:
        here = room(self._session)
        for direction, there in shortest(self._ways, here, goal) or ():
            if not self._step(direction, there):
                return False
        return room(self._session) == goal

    def _step(self, direction: str, there: int) -> bool:
        session = self._session

        def arrived() -> bool:
            return room(session) == there

        if self._try(direction, arrived):
            return True
        for thing in self._session.memory.children(room(session)):
            if self._open(thing) and self._try(direction, arrived):
                return True
        return False

    def _open(self, thing: int) -> bool:
        session, memory = self._session, self._session.memory
        symbols = session.game.symbols
        if symbols is None:
            return False
        attributes = symbols["attributes"]
        openable, opened = attributes["openable"], attributes["open"]
        if not memory.attribute(thing, openable) or memory.attribute(thing, opened):
            return False
        name = self._names.surroundings.name(thing)
        return self._try(f"open {name}", lambda: memory.attribute(thing, opened))

    def _try(self, command: str, worked: Callable[[], bool]) -> bool:
        """Try a command, and undo it if it did not work."""
        session = self._session
        before = session.now
        if before.over:
            return False
        if session.do(command).understood and worked():
            self._first = self._first or command
            return True
        session.jump(before)
        return False

    @cached_property
    def _names(self) -> Grounding:
        return Grounding(self._session.game, self._session.memory)
