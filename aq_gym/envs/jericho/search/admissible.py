"""The commands that change something, found by trying them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from aq_gym.envs.jericho.search.grounding import Grounding
from aq_gym.envs.jericho.search.worlds import World, Worlds
from aq_gym.envs.jericho.session import Session

# In instructions: about half a second.
BUDGET = 60_000_000
# Asking for the count costs as much as a short command.
_CHECKED_EVERY = 4
# If looking around takes more instructions than this, each command is counted.
_SLOW = 3_000_000


class Found(NamedTuple):
    """The commands that change something.

    Attributes:
        commands: One for each new world, in alphabetical order.
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

        The budget is counted in the story's instructions, so that the answer depends
        only on the moment.
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

    They are tried one by one, as they are asked for. The session may be used in the
    meantime: it is left at the moment where it was.

    Args:
        session: The story, at the moment at which commands are to be tried.
        grounding: Lists the candidates.
        worlds: Tries commands.

    Attributes:
        complete: Whether no candidate has been left out, as the budget was used up.
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
        """Yield the first command for each new world."""
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
        """Return the candidates that are left; at first, list them and look around."""
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
        """Return the world after a command, None where nothing changes."""
        trial = self._worlds.attempt(command, self._here, self._start)
        if trial is None:
            return None
        world = self._worlds.world(trial, self._mask)
        return None if world == self._now else world
