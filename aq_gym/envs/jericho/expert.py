"""The recorded solutions of our adventures, resumed from any state."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from aq_gym.envs.jericho.grounding import DIRECTIONS, Grounding
from aq_gym.envs.jericho.moment import Moment
from aq_gym.envs.jericho.session import Session

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
        session: The story; it is left at any moment of the walk.
        arrived: Returns whether the walk may end at a moment.
        ways: A map of exits, to which the walk adds the exits that it finds.
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
    """Return the directions of the shortest walk, each with the room it leads to."""
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
    """Return a map of the exits on a walk, given as (room, direction, next room)."""
    ways: Ways = {}
    for here, direction, there in walk:
        if direction in DIRECTIONS and here != there:
            ways.setdefault(here, {})[direction] = there
    return ways


# Commands that cost time and only give information.
_LOOKING = ("examine ", "read ", "look", "listen")


class Step(NamedTuple):
    """One command of a solution.

    Attributes:
        room: The room in which the command is given.
        command: The command.
        held: The things that the player carries at that time.
    """

    room: int
    command: str
    held: tuple[int, ...]


class Repairer:
    """Plays the end of a solution from a world that other commands have changed.

    Before each step, it fetches the things that the solution carries at that step (the
    object tree says where they are), and walks to the step's room. Steps that do
    nothing are skipped. If time is short, steps that only look are skipped too.
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
        """Return a thing and everything that contains it, up to the room."""
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


class Guide:
    """Plays the recorded solution; it is privileged, because it reads the memory."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._repairer = Repairer(session)
        self._latest: tuple[int | None, tuple[Step, ...]] = None, ()

    def next_command(self) -> str:
        """Return the next step of a winning route that was tried from here.

        The route is a walk to a room, and then an end of the recorded solution that
        wins. It depends only on the state. If no route is found, the result is "".
        """
        here = self._session.now
        if here.over or here.wants_key or not self._session.game.walkthrough:
            return ""
        try:
            solution = self.solution(here.seed)
            self._session.jump(here)
            return self._search(solution)
        finally:
            self._session.jump(here)

    def solution(self, seed: int) -> tuple[Step, ...]:
        """Play the recorded solution for a layout, and return its steps.

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
        """Walk to a room, nearest first, from which the rest of the solution wins."""
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
        return self._repairer.next_command(solution)

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
