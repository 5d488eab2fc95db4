"""The life cycle of a story's session: opened when needed, closed, copied, resumed."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from aq_gym.envs.jericho.admissible import Explorer, Found, Trials
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES, Game, find_game, known_titles
from aq_gym.envs.jericho.moment import Moment, Reply, StoryState
from aq_gym.envs.jericho.session import Session

T = TypeVar("T")


class Cache(Generic[T]):
    """Keeps the latest answers for all environments of a process.

    Trying commands takes milliseconds, and copies, replays and vectors of environments
    make the same requests for the same moments.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._answers: OrderedDict[tuple[bytes, bytes], T] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, story: bytes, moment: Moment, compute: Callable[[], T]) -> T:
        """Return the cached answer, or compute it.

        Args:
            story: The story's digest.
            moment: The moment.
            compute: Computes the answer if it is not cached.
        """
        answer = self.get(story, moment)
        if answer is None:
            answer = compute()
            self.keep(story, moment, answer)
        return answer

    def get(self, story: bytes, moment: Moment) -> T | None:
        """Return the cached answer, or None."""
        key = story, _digest(moment)
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def keep(self, story: bytes, moment: Moment, answer: T) -> None:
        """Cache an answer."""
        with self._lock:
            self._answers[story, _digest(moment)] = answer
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)


def _digest(moment: Moment) -> bytes:
    snapshot, *fields = moment
    digest = hashlib.blake2b(repr(fields).encode(), digest_size=16)
    for part in snapshot.parts:
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()


# The lengths of solutions by story and layout; a story has at most a few hundred
# layouts.
_LENGTHS: dict[tuple[bytes, str], int] = {}
_EXPERT: Cache[str] = Cache()
_ADMISSIBLE: Cache[Found] = Cache()


class _Open(NamedTuple):
    session: Session
    explorer: Explorer
    guide: Guide


class SessionManager:
    """Owns the session of one environment; a copy opens its own session when used.

    Args:
        name: The game, as for :func:`.games.find_game`.
        games: The folder of known titles.

    Attributes:
        game: The story.
    """

    def __init__(self, name: str, games: str | None) -> None:
        self.game: Game = find_game(name, games)
        titled = name in ADVENTURES or name in known_titles()
        self._place = (
            name if titled else _absolute(name),
            None if games is None else _absolute(games),
        )
        self._lock = threading.RLock()
        self._last: StoryState | None = None
        self._open: _Open | None = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Raise an error if another thread uses the environment.

        Raises:
            RuntimeError: If another thread uses it.
        """
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(
                "this environment is in use by another thread: make one for each thread"
            )
        try:
            yield
        finally:
            self._lock.release()

    @property
    def session(self) -> Session:
        """The session; a copy, or one that was closed, is opened at its last moment."""
        return self._opened().session

    @property
    def now(self) -> Moment:
        """The current moment."""
        return self.session.now

    def start(self, seed: int) -> Reply:
        """Begin an episode.

        Raises:
            StoryFailedError: If the story fails before it waits for a line.
        """
        return self._opened(resume=False).session.start(seed)

    def layout(self, seed: int) -> str:
        """Return a hash of the memory with which an episode begins.

        The memory includes what the story has drawn from its random stream. The current
        moment does not change.

        Args:
            seed: The number of the random stream.

        Raises:
            StoryFailedError: If the story fails before it waits for a line.
        """
        session = Session(self.game)
        try:
            session.start(seed)
            return hashlib.sha256(session.memory.ram).hexdigest()
        finally:
            session.close()

    def solution_length(self, seed: int) -> int:
        """Return the number of commands in the recorded solution of a layout."""
        key = self.game.digest, self.layout(seed)
        if key not in _LENGTHS:
            session = Session(self.game)
            try:
                _LENGTHS[key] = len(Guide(session).solution(seed))
            finally:
                session.close()
        return _LENGTHS[key]

    def resume(self, state: StoryState) -> None:
        """Return to the moment of a state.

        Raises:
            ValueError: If the state belongs to another story or is damaged.
        """
        if state.digest != self.game.digest:
            raise ValueError("the state is of a different story file")
        session = self._opened(resume=False).session
        session.jump(state.moment(session.interpreter))

    def commands(self) -> Found:
        """Return the commands that change something at the current moment."""
        find = self._opened().explorer.find
        return _ADMISSIBLE.answer(self.game.digest, self.now, find)

    def admissible(self) -> tuple[str, ...]:
        """Return the keys to press, or the commands that change something.

        Raises:
            RuntimeError: If another thread uses the environment.
        """
        with self.alone():
            return _keys(self.now) or self.commands().commands or ("look",)

    def iter_admissible(self) -> Iterator[str]:
        """Return an iterator over the admissible actions, each found on demand.

        Raises:
            RuntimeError: If another thread uses the environment.
        """
        with self.alone():
            now = self.now
            if keys := _keys(now):
                return iter(keys)
            kept = _ADMISSIBLE.get(self.game.digest, now)
            if kept is not None:
                return iter(kept.in_order or ("look",))
            return self._iterate(self._opened().explorer.trials(), now)

    def _iterate(self, trials: Trials, now: Moment) -> Iterator[str]:
        commands, found = trials.distinct(), list[str]()
        while True:
            with self.alone():
                command = next(commands, None)
            if command is None:
                break
            found.append(command)
            yield command
        if not found:
            yield "look"
        answer = Found(tuple(sorted(found)), trials.complete, tuple(found))
        _ADMISSIBLE.keep(self.game.digest, now, answer)

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a key, or a command with nearby things, without trying it."""
        if keys := _keys(self.now):
            return keys[int(rng.integers(len(keys)))]
        return self._opened().explorer.sample(rng)

    def expert(self) -> str:
        """Return the reference policy's next command, or "" if it gives up."""
        find = self._opened().guide.next_command
        return _EXPERT.answer(self.game.digest, self.now, find)

    def close(self) -> None:
        """Release the interpreter and keep the moment."""
        if self._open is not None:
            self._last = self._kept()
            self._open.session.close()
            self._open = None

    def _kept(self) -> StoryState | None:
        session = self._open.session if self._open else None
        if session is None or not session.started:
            return self._last
        return StoryState(self.game, session.now, 0)

    def _opened(self, resume: bool = True) -> _Open:
        if self._open is None:
            session = Session(self.game)
            self._open = _Open(session, Explorer(session), Guide(session))
            if resume and self._last is not None:
                session.jump(self._last.moment(session.interpreter))
        return self._open

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the interpreter and the story, which can be loaded again."""
        last = self._last if self._open is None else self._kept()
        return self.__dict__ | {
            "_open": None,
            "game": self.game.digest,
            "_last": last,
            "_lock": None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the story again.

        Raises:
            ValueError: If the file has changed.
        """
        self.__dict__.update(state)
        self._lock = threading.RLock()
        self.game = find_game(*self._place)
        if self.game.digest != state["game"]:
            raise ValueError(f"game={self._place[0]!r} is a different file than before")


def _keys(now: Moment) -> tuple[str, ...]:
    """Return the keys to press; empty if the story waits for a line."""
    if not now.wants_key:
        return ()
    named = (key.partition(" ")[0].lower() for key in now.keys)
    return tuple(dict.fromkeys((*named, "return")))


def _absolute(path: str) -> str:
    """Return a path that is the same in every working folder."""
    return os.path.abspath(os.path.expanduser(path))
