"""The life of a story's session: begun when needed, closed, copied, taken up again."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.jericho.admissible import Explorer
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES, Game, find_game, known_titles
from aq_gym.envs.jericho.isolation import StoryProcessError
from aq_gym.envs.jericho.memo import Memo
from aq_gym.envs.jericho.session import Answer, Moment, Session

__all__ = ["Host"]

_EXPERT: Memo[str] = Memo()
_ADMISSIBLE: Memo[tuple[str, ...]] = Memo()


class _Open(NamedTuple):
    session: Session
    explorer: Explorer
    guide: Guide


class Host:
    """Owns the interpreter of one environment; a copy makes its own when it plays.

    Args:
        name: The game, as :func:`.games.find_game` takes it.
        games: The folder of known titles.
        isolate: Whether to play in a process of its own; None leaves it to the story.
        time_limit: Seconds that process may take for a line.

    Attributes:
        game: The story.
        isolate: Whether it is played in a process of its own.
        max_score: The highest score, once it has been played; 0 where unknown.
    """

    def __init__(
        self, name: str, games: str | None, isolate: bool | None, time_limit: float
    ) -> None:
        self.game: Game = find_game(name, games)
        titled = name in ADVENTURES or name in known_titles()
        self._place = (
            name if titled else _from_anywhere(name),
            None if games is None else _from_anywhere(games),
        )
        self.isolate = not self.game.trusted if isolate is None else isolate
        self._time_limit = time_limit
        self.max_score = 0
        self._last: Moment | None = None
        self._open: _Open | None = None

    @property
    def session(self) -> Session:
        """The session, at the last moment where a copy or ``close`` left it out."""
        return self._opened().session

    @property
    def now(self) -> Moment:
        """The moment, whether or not an interpreter is running."""
        if self._open is None and self._last is not None:
            return self._last
        return self.session.now

    def start(self, seed: int) -> Answer:
        """Begin an episode, with a new interpreter if the old one has died.

        Raises:
            StoryProcessError: If a new one dies too.
        """
        session = self.session
        try:
            return session.start(seed)
        except StoryProcessError:
            self.close()
            return self.session.start(seed)

    def commands(self) -> tuple[str, ...]:
        """Return the commands that change something now.

        None, where trying them out kills the story's process.
        """
        here = self.now
        find = self._opened().explorer.commands
        try:
            return _ADMISSIBLE.answer(self.game.digest, here, find)
        except StoryProcessError:
            self.close()
            self._last = here
            return ()

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a command with things that are here, untried."""
        return self._opened().explorer.sample(rng)

    def expert(self) -> str:
        """Return the reference policy's next command."""
        find = self._opened().guide.next_command
        return _EXPERT.answer(self.game.digest, self.now, find)

    def close(self) -> None:
        """Let go of the interpreter and keep the moment."""
        if self._open is not None:
            self._last = self._open.session.now
            self._open.session.close()
            self._open = None

    def _opened(self) -> _Open:
        if self._open is None:
            session = Session(self.game, self.isolate, self._time_limit)
            if self._last is not None:
                session.jump(self._last)
            self.max_score = session.max_score
            self._open = _Open(session, Explorer(session), Guide(session))
        return self._open

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the interpreter and the story, which can be had again."""
        state = self.__dict__ | {"_open": None, "game": self.game.digest}
        if self._open is not None:
            state["_last"] = self._open.session.now
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the story again.

        Raises:
            ValueError: If it has become another.
        """
        self.__dict__.update(state)
        self.game = find_game(*self._place)
        if self.game.digest != state["game"]:
            raise ValueError(f"game={self._place[0]!r} is another file than before")


def _from_anywhere(path: str) -> str:
    """Return a path that holds in every working folder."""
    return os.path.abspath(os.path.expanduser(path))
