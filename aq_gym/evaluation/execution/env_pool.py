"""Keep environments between episodes of the same setting.

Making an environment can take longer than playing it. A run makes one for each setting
and worker, checks it before the first episode, and resets it for each further one.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeAlias

import gymnasium as gym

from aq_gym.evaluation.task import Task

_MOST_IDLE = 256

_Env: TypeAlias = gym.Env[Any, Any]


class EnvPool:
    """Lends environments, and keeps returned ones while the pool is in use.

    An environment is lent to one borrower at a time. At most 256 idle ones are kept;
    those of the first settings are closed first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._idle: dict[tuple[Hashable, Hashable], list[_Env]] = {}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep environments until the end of the outermost block."""
        self.open()
        try:
            yield
        finally:
            self.close()

    def open(self) -> None:
        """Start keeping environments; must be followed by :meth:`close`."""
        with self._lock:
            self._users += 1

    def close(self) -> None:
        """Close the environments, if this ends the last use."""
        with self._lock:
            self._users -= 1
        self._shrink(_MOST_IDLE if self._users else 0)

    def lend(self, task: Task, use: Hashable = None) -> _Env:
        """Return an environment of the task's setting, which must be reset.

        Args:
            task: The task.
            use: The use of the environment. One that was given back after the same use
                is returned with the wrappers that it had; else it is one without any.
        """
        with self._lock:
            for place in ((task.env_key, use), (task.env_key, None)):
                if self._idle.get(place):
                    return self._idle[place].pop()
        return task.make()

    def give_back(self, task: Task, env: _Env, use: Hashable = None) -> None:
        """Take back an environment that can be reset."""
        with self._lock:
            self._idle.setdefault((task.env_key, use), []).append(env)
        self._shrink(_MOST_IDLE if self._users else 0)

    def _shrink(self, most: int) -> None:
        with self._lock:
            surplus = sum(map(len, self._idle.values())) - most
            closed: list[_Env] = []
            for place in list(self._idle) if surplus > 0 else ():
                while self._idle[place] and len(closed) < surplus:
                    closed.append(self._idle[place].pop(0))
                if not self._idle[place]:
                    del self._idle[place]
        for env in closed:
            close(env)


def close(env: _Env) -> None:
    """Close an environment; a failure becomes a warning.

    The episodes that were played in it are finished even if it cannot be closed.
    """
    try:
        env.close()
    except Exception as error:  # noqa: BLE001 (an environment raises anything)
        warnings.warn(f"{env} could not be closed: {error!r}", stacklevel=2)


# One pool per process: a job is sent to its worker and cannot hold an environment.
POOL = EnvPool()
