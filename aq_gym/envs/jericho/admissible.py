"""The commands that change something, found by trying them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.grounding import Grounding
from aq_gym.envs.jericho.logic import Header, Memory
from aq_gym.envs.jericho.moment import Moment, StoryFailedError
from aq_gym.envs.jericho.responses import asks_to_restart
from aq_gym.envs.jericho.session import Session
from aq_gym.zmachine import Answer, Status

Mask: TypeAlias = npt.NDArray[np.uint8]
# Changes that these commands make do not count: the parser's notes, and time.
_IDLE = ("look", "inventory", "examine me")
_ENTRY_SIZE = 14


class World(NamedTuple):
    """The part of a moment that a player could distinguish from other moments.

    Attributes:
        bytes: The bytes of memory that are compared.
        over: Whether the story has ended.
        won: Whether the story has been won.
    """

    bytes: bytes
    over: bool
    won: bool


class Trial(NamedTuple):
    """The result of a command that was tried.

    Attributes:
        memory: Dynamic memory after the command.
        over: Whether the command ended the story.
        won: Whether the command won the story.
    """

    memory: bytes
    over: bool
    won: bool


class Worlds:
    """Compares worlds by the object tree and an adventure's own variables."""

    def __init__(self, session: Session) -> None:
        self._session = session
        game = session.game
        header = Header.read(game.story)
        self._slices = [_objects(header), *_variables(game, header)]
        self._fixed = _workflag_mask(game, header, self.parts(game.story))

    def parts(self, memory: bytes) -> bytes:
        """Return the bytes of dynamic memory that may matter."""
        return b"".join([memory[part] for part in self._slices])

    def world(self, trial: Trial | Moment, mask: Mask) -> World:
        """Return the world after a command or at a moment.

        Args:
            trial: The result of a tried command, or a moment.
            mask: The result of :meth:`mask` at the moment before the commands.
        """
        memory = trial.memory if isinstance(trial, Trial) else trial.snapshot.memory
        parts = np.frombuffer(self.parts(memory), np.uint8)
        return World((parts & mask).tobytes(), trial.over, trial.won)

    def mask(self, here: Moment) -> Mask:
        """Return a mask of the bits that count from a moment on, mostly 255 or 0.

        Bits in bytes that looking around changes do not count.
        """
        before = np.frombuffer(self.parts(here.snapshot.memory), np.uint8)
        mask = self._fixed.copy()
        for command in _IDLE:
            trial = self.attempt(command, here)
            if trial is not None and not trial.over:
                after = np.frombuffer(self.parts(trial.memory), np.uint8)
                mask[before != after] = 0
        return mask

    def attempt(
        self, command: str, here: Moment, unless: bytes | None = None
    ) -> Trial | None:
        """Try a command; return None if the story fails or does not understand it.

        The session may be left at any moment. This is :meth:`Session.do` without the
        parts that only a player needs.

        Args:
            command: A safe line.
            here: The moment at which it is tried.
            unless: The result of :meth:`parts` before the command; if the command does
                not change it, None is returned.
        """
        session = self._session
        if here.question is not None:
            return self._attempt_answer(command, here)
        interpreter, memory = session.interpreter, session.memory
        interpreter.restore(here.snapshot)
        memory.ram = here.snapshot.memory
        before = session.classifier.counters(memory)
        answer = interpreter.step(command)
        if answer.error:
            return None
        memory.ram = interpreter.dynamic_memory()
        idle = unless is not None and self.parts(memory.ram) == unless
        if idle and not _may_end(answer):
            return None
        outcome = session.classifier.judge(command, answer, memory, before)
        if not outcome.understood:
            return None
        return Trial(memory.ram, outcome.over, outcome.won)

    def _attempt_answer(self, command: str, here: Moment) -> Trial | None:
        session = self._session
        session.jump(here)
        try:
            if not session.do(command).understood:
                return None
        except StoryFailedError:
            return None
        now = session.now
        return Trial(now.snapshot.memory, now.over, now.won)


def _may_end(answer: Answer) -> bool:
    """Return whether an answer may be the last one."""
    return answer.status is not Status.LINE or asks_to_restart(answer.text)


def _objects(header: Header) -> slice:
    """Return the object table's bytes; the variables usually follow them."""
    end = header.globals if header.globals > header.objects else header.static
    return slice(header.objects, end)


def _variables(game: Game, header: Header) -> list[slice]:
    """Return the bytes of the score and of an adventure's own variables, in order."""
    numbers = set(game.own_globals.values())
    if game.score_variable is not None:
        numbers.add(game.score_variable)
    slices: list[slice] = []
    for number in sorted(numbers):
        start = header.globals + 2 * number
        if slices and slices[-1].stop == start:
            start = slices.pop().start
        slices.append(slice(start, header.globals + 2 * number + 2))
    return slices


def _workflag_mask(game: Game, header: Header, parts: bytes) -> Mask:
    """Return a mask without Inform's ``workflag``, which listing things changes."""
    mask = np.full(len(parts), 0xFF, np.uint8)
    workflag = game.symbols["attributes"].get("workflag", -1) if game.symbols else -1
    if workflag >= 0:
        memory = Memory(game.story)
        first = memory.entry_address(1) - header.objects + workflag // 8
        flags = slice(first, first + _ENTRY_SIZE * memory.count, _ENTRY_SIZE)
        mask[flags] &= ~(0x80 >> workflag % 8) & 0xFF
    return mask


# The budget in instructions, about half a second.
BUDGET = 60_000_000
# The count is not read at each command, because this costs as much as a short command.
_CHECKED_EVERY = 4
# If looking around takes more instructions than this, the count is read at each
# command.
_SLOW = 3_000_000


class Found(NamedTuple):
    """The commands that change something.

    Attributes:
        commands: One command for each new world, in alphabetical order.
        complete: Whether every candidate has been tried.
        in_order: The same commands in the order in which they were found.
    """

    commands: tuple[str, ...] = ()
    complete: bool = True
    in_order: tuple[str, ...] = ()


class Explorer:
    """Finds the commands that change a story's world.

    Every candidate is tried from the present moment; one command stands for all that
    lead to the same world.

    Args:
        session: The story being played.

    Attributes:
        worlds: Compares worlds and tries commands.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._grounding = Grounding(session.game, session.memory)
        self.worlds = Worlds(session)

    def find(self) -> Found:
        """Return the commands that change something, one for each new world.

        The budget is counted in instructions, so that the result depends only on the
        moment.
        """
        trials = self.trials()
        commands = tuple(trials.distinct())
        return Found(tuple(sorted(commands)), trials.complete, commands)

    def trials(self) -> Trials:
        """Return the search for commands that change something now."""
        return Trials(self._session, self._grounding, self.worlds)

    def sample(self, rng: np.random.Generator) -> str:
        """Draw one of the commands that could be tried, including ``look``."""
        commands = ("look", *self._grounding.commands())
        return commands[int(rng.integers(len(commands)))]


class Trials(Iterator[tuple[str, World]]):
    """Yields commands that change something at a moment, and the worlds they lead to.

    Commands are tried one by one, when they are requested. The session may be used in
    between; each trial leaves it at its moment.

    Args:
        session: The story, at the moment at which the commands are tried.
        grounding: Lists the candidates.
        worlds: Tries commands.

    Attributes:
        complete: False if candidates were left out because the budget was used up.
    """

    def __init__(self, session: Session, grounding: Grounding, worlds: Worlds) -> None:
        self._session = session
        self._grounding = grounding
        self._worlds = worlds
        self._here = session.now
        self._start = worlds.parts(self._here.snapshot.memory)
        self._candidates: Iterator[tuple[int, str]] | None = None
        self._spent = 0
        self.complete = True

    def distinct(self) -> Iterator[str]:
        """Yield one command for each world that is reached."""
        worlds: set[World] = set()
        for command, world in self:
            if world not in worlds:
                worlds.add(world)
                yield command

    def __next__(self) -> tuple[str, World]:
        """Try candidates until one changes something."""
        session, back = self._session, self._session.now
        if self._here.over or self._here.wants_key or not self.complete:
            raise StopIteration
        begun = session.interpreter.steps - self._spent
        try:
            for index, command in self._prepared():
                if self._slow or index % _CHECKED_EVERY == 0:
                    self.complete = session.interpreter.steps - begun <= BUDGET
                    if not self.complete:
                        break
                world = self._try(command)
                if world is not None:
                    return command, world
            raise StopIteration
        finally:
            self._spent = session.interpreter.steps - begun
            session.jump(back)

    def _prepared(self) -> Iterator[tuple[int, str]]:
        """Return the remaining candidates; list them first, if necessary."""
        if self._candidates is not None:
            return self._candidates
        session, worlds, here = self._session, self._worlds, self._here
        # Looking around changes the parser's notes, which do not count.
        begun = session.interpreter.steps
        self._mask = worlds.mask(here)
        self._now = worlds.world(here, self._mask)
        self._slow = session.interpreter.steps - begun > _SLOW
        session.jump(here)
        self._candidates = iter(enumerate(self._grounding.commands()))
        return self._candidates

    def _try(self, command: str) -> World | None:
        """Return the world after a command, or None if nothing changes."""
        trial = self._worlds.attempt(command, self._here, self._start)
        if trial is None:
            return None
        world = self._worlds.world(trial, self._mask)
        return None if world == self._now else world
