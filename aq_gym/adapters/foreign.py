"""The base class of the adapters of other packages' environments."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded

from aq_gym.core.spaces import FreeText
from aq_gym.core.text import quote
from aq_gym.support.arguments import check_type


class Reply(NamedTuple):
    """The result of a step."""

    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class ForeignEnv(gym.Env[str, str]):
    """A Gymnasium environment that wraps one with a different interface.

    The seed of ``reset`` determines an episode; without one, a seed is drawn from
    ``np_random``. When the other package uses the global generators of ``random`` and
    ``numpy.random``, it gets private ones, which are seeded at reset.

    An exception that the package raises in ``step`` ends the episode: it is truncated,
    and ``info["error"]`` is a description.

    Attributes:
        deterministic: Whether the same seed and actions give the same episode. If not,
            trajectories cannot be replayed.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012
    deterministic: bool = True

    def __init__(self) -> None:
        self.observation_space = FreeText()
        self.action_space = FreeText()
        self._randomness = PrivateRandomness()
        self._over = True

    @abstractmethod
    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        """Begin an episode and return its first observation and info."""

    @abstractmethod
    def _play(self, action: str) -> Reply:
        """Carry out an action."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode.

        Raises:
            ValueError: If there are options.
        """
        if options:
            raise ValueError(f"options={options!r} must be empty")
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**31)) if seed is None else seed % 2**31
        self._over = True
        self._randomness.seed(drawn)
        with self._randomness.active():
            observation, info = self._begin(drawn)
        self._over = False
        return observation, info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out an action.

        Raises:
            TypeError: If ``action`` is not a str.
            gymnasium.error.ResetNeeded: If there is no running episode.
        """
        check_type("action", action, str, "a str")
        if self._over:
            raise ResetNeeded("step() needs a running episode: call reset() first")
        try:
            with self._randomness.active():
                reply = self._play(action)
        except Exception as error:  # noqa: BLE001 (another package raises anything)
            why = f"{type(error).__name__}: {error}"
            info = {"error": f"{self} failed on {quote(action)}: {why}"}
            reply = Reply("The environment has failed.", 0.0, False, True, info)
        self._over = reply.terminated or reply.truncated
        return reply


# The process's generators are swapped, so only one thread at a time may do it.
_LOCK = RLock()


class PrivateRandomness:
    """A private state for the generators of ``random`` and ``numpy.random``.

    Within :meth:`active` the process's generators have this state; afterwards they have
    their previous state again. So an environment and its user do not change each
    other's random numbers. Other threads that draw random numbers meanwhile are not
    protected.
    """

    def __init__(self) -> None:
        self._python: Any = random.Random(0).getstate()
        self._numpy: Any = np.random.RandomState(0).get_state()

    def seed(self, seed: int) -> None:
        """Seed both generators.

        Args:
            seed: The seed, from 0 to 2**32 - 1.
        """
        self._python = random.Random(seed).getstate()
        self._numpy = np.random.RandomState(seed).get_state()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Use the private state until the end of the block."""
        with _LOCK:
            python, numpy = random.getstate(), np.random.get_state()
            random.setstate(self._python)
            np.random.set_state(self._numpy)
            try:
                yield
            finally:
                self._python, self._numpy = random.getstate(), np.random.get_state()
                random.setstate(python)
                np.random.set_state(numpy)
