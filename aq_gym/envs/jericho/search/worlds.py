"""Compare a story's worlds, and try commands."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.logic import Header, Memory
from aq_gym.envs.jericho.session import Moment, Session, StoryFailedError
from aq_gym.envs.jericho.session.responses import asks_to_restart
from aq_gym.zmachine import Answer, Status

Mask: TypeAlias = npt.NDArray[np.uint8]
# Changes that these make do not count: the parser's notes, and time.
_IDLE = ("look", "inventory", "examine me")
_ENTRY_SIZE = 14


class World(NamedTuple):
    """The part of a moment by which a player could tell it from others.

    Attributes:
        bytes: The bytes of memory that count.
        over: Whether the story has ended.
        won: Whether the story has been won.
    """

    bytes: bytes
    over: bool
    won: bool


class Trial(NamedTuple):
    """The result of a command that was tried.

    Attributes:
        memory: Dynamic memory after it.
        over: Whether it ended the story.
        won: Whether it won the story.
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
        """Return the bytes of dynamic memory that may count."""
        return b"".join([memory[part] for part in self._slices])

    def world(self, trial: Trial | Moment, mask: Mask) -> World:
        """Return the world after a command or at a moment.

        Args:
            trial: Where the world is to be seen.
            mask: The result of :meth:`mask` at the moment that is compared with.
        """
        memory = trial.memory if isinstance(trial, Trial) else trial.snapshot.memory
        parts = np.frombuffer(self.parts(memory), np.uint8)
        return World((parts & mask).tobytes(), trial.over, trial.won)

    def mask(self, here: Moment) -> Mask:
        """Return which bits count from a moment on: usually 255 or 0 for each byte.

        Whatever looking around changes too does not count.
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
        """Try a command; None where the story fails or does not understand it.

        The session may be left at any moment. This is :meth:`Session.do` without the
        parts that only a player needs.

        Args:
            command: A safe line.
            here: Where to try it.
            unless: The result of :meth:`parts` that is of no interest: None is
                returned, too, where nothing else has changed.
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
    """Return where the object table is; most compilers put the variables behind it."""
    end = header.globals if header.globals > header.objects else header.static
    return slice(header.objects, end)


def _variables(game: Game, header: Header) -> list[slice]:
    """Return where the score and an adventure's own variables are, in order."""
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
    """Return a mask without Inform's ``workflag``, which it uses to list things."""
    mask = np.full(len(parts), 0xFF, np.uint8)
    workflag = game.symbols["attributes"].get("workflag", -1) if game.symbols else -1
    if workflag >= 0:
        memory = Memory(game.story)
        first = memory.entry_address(1) - header.objects + workflag // 8
        flags = slice(first, first + _ENTRY_SIZE * memory.count, _ENTRY_SIZE)
        mask[flags] &= ~(0x80 >> workflag % 8) & 0xFF
    return mask
