"""What would change something here, found by trying it."""

from __future__ import annotations

from time import monotonic

import numpy as np

from aq_gym.envs.jericho.grounding import Grounding
from aq_gym.envs.jericho.isolation import StoryProcessError
from aq_gym.envs.jericho.session import Moment, Session

__all__ = ["Explorer"]

LONGEST_SEARCH = 60.0
# What these change is no change of the world: the parser's notes, and time.
_IDLE = ("look", "inventory", "examine me")


class Explorer:
    """Finds the commands that change a story's world.

    Each command that could be tried is tried from the present moment; one stands for
    all that lead to the same world. What looking around changes too (the parser's
    own notes, clocks) does not count, nor does Inform's ``workflag``.

    Args:
        session: The story being played.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        game = session.game
        self._grounding = Grounding(game, session.memory)
        attributes = game.symbols["attributes"] if game.symbols else {}
        self._workflag = attributes.get("workflag", -1)
        self._own = tuple(game.own_globals.values())

    def commands(self) -> tuple[str, ...]:
        """Return the commands that change something, one for each new world.

        Raises:
            StoryProcessError: If trying them out takes more than a minute.
        """
        session = self._session
        began = monotonic()
        here = session.now
        if here.over or here.wants_key:
            return ()
        commands = self._grounding.commands()
        try:
            mask = self._mask(here)
            worlds = {self.world(here, mask): ""}
            for command in commands:
                if monotonic() - began > LONGEST_SEARCH:
                    raise StoryProcessError("the story is too slow to be tried out")
                session.jump(here)
                if session.do(command).understood:
                    worlds.setdefault(self.world(session.now, mask), command)
        finally:
            session.jump(here)
        return tuple(sorted(filter(None, worlds.values())))

    def sample(self, rng: np.random.Generator) -> str:
        """Draw one command of all that could be tried, ``look`` among them."""
        commands = ("look", *self._grounding.commands())
        return commands[int(rng.integers(len(commands)))]

    def world(self, moment: Moment, mask: np.ndarray) -> tuple[object, ...]:
        """Return what tells worlds apart at a moment."""
        world = (self._bytes(moment) * mask).tobytes()
        return world, moment.over, moment.won, moment.score

    def mask(self) -> np.ndarray:
        """Return which bytes of the world count from here on."""
        here = self._session.now
        try:
            return self._mask(here)
        finally:
            self._session.jump(here)

    def _bytes(self, moment: Moment) -> np.ndarray:
        """Return the objects with their properties, and the story's own variables."""
        header = self._session.memory.header
        ram = np.frombuffer(moment.snapshot.ram, np.uint8)
        start = header.globals
        own = [ram[start + 2 * n : start + 2 * n + 2] for n in self._own]
        objects = ram[header.objects : header.globals].copy()
        if self._workflag >= 0:
            memory = self._session.memory
            first = memory.entry_address(1) - header.objects + self._workflag // 8
            flags = slice(first, first + 14 * memory.count, 14)
            objects[flags] &= ~(0x80 >> self._workflag % 8) & 0xFF
        return np.concatenate([objects, *own])

    def _mask(self, here: Moment) -> np.ndarray:
        session = self._session
        before = self._bytes(here)
        mask = np.ones_like(before)
        for command in _IDLE:
            session.jump(here)
            session.do(command)
            if not session.now.over:
                mask &= before == self._bytes(session.now)
        return mask
