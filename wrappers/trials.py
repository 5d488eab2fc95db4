"""Play one task several times in an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.support.arguments import check_type
from aq_gym.wrappers._arguments import (
    checked_info,
    mapping,
    refuse_autoreset,
    refuse_inside,
    rename,
)
from aq_gym.wrappers.trajectory_logger import TrajectoryLogger

_KEYS = ("trial", "trial_over", "success", "best_progress", "error")


class Trials(gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs):
    """Gives an agent several trials of the same task within one episode.

    A trial that ends without success, by the game's end or a step cap, doesn't end the
    episode: its last observation has ``info["trial_over"]`` True, and the next action,
    whatever it is, is not played but begins the next trial, with the seed and options
    of the reset. (Gymnasium's ``Autoreset`` does the same between episodes.) An agent
    can use that action for a note to itself, as in Reflexion (Shinn et al., NeurIPS
    2023). The episode ends with a success, an error, or the last trial.

    ``info["trial"]`` counts from 1. ``best_progress``, where info has it, is the
    highest of all trials; rewards and everything else are those of the trial. It
    belongs outside wrappers that count in a trial or change actions, such as
    ``TimeLimit``, :class:`RepetitionRate` and :class:`ExtractAction`, and inside
    :class:`TrajectoryLogger`; those of this package refuse another order.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        trials: int = 12,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: Any Gymnasium environment whose info has "success".
            trials: The most trials.
            keys: New names for the keys of info, by default name: "trial" and
                "trial_over", which are written, "best_progress", which is replaced, and
                "success" and "error", which are read.

        Raises:
            TypeError: If ``trials`` is not an int.
            ValueError: If it is less than 1, ``keys`` contains an unknown name, or a
                :class:`TrajectoryLogger` is inside.
        """
        check_type("trials", trials, int, "an int")
        if trials < 1:
            raise ValueError(f"{trials=} must be at least 1")
        RecordConstructorArgs.__init__(self, trials=trials, keys=mapping("keys", keys))
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        refuse_inside(self, TrajectoryLogger, "writes a file for all trials of a task")
        self._names = rename(_KEYS, keys)
        self._trials = trials
        self._over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin the first trial."""
        if seed is None:
            # So that the later trials are of the same task.
            seed = int(self.np_random.integers(2**31))
        task = seed, None if options is None else dict(options)
        observation, info = self._begin(*task)
        self._task = task
        self._trial, self._over, self._best = 1, False, 0.0
        return observation, self._told(info)

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment, or begin the next trial.

        Raises:
            KeyError: If info has no "success".
        """
        if self._over:
            observation, info = self._begin(*self._task)
            self._trial, self._over = self._trial + 1, False
            return observation, 0.0, False, False, self._told(info)
        observation, reward, terminated, truncated, info = self.env.step(action)
        *_, success, _, error = self._names
        if success not in checked_info(info, self.env):
            raise KeyError(
                f"Trials requires info[{success!r}], which {self.env} lacks: rename "
                "the key with keys={'success': ...}"
            )
        failed = not (info[success] or info.get(error))
        if (terminated or truncated) and failed and self._trial < self._trials:
            self._over, terminated, truncated = True, False, False
        return observation, reward, terminated, truncated, self._told(info)

    def _begin(
        self, seed: int, options: dict[str, Any] | None
    ) -> tuple[ObsType, dict[str, Any]]:
        options = None if options is None else dict(options)
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, checked_info(info, self.env)

    def _told(self, info: dict[str, Any]) -> dict[str, Any]:
        trial, over, _, best, _ = self._names
        told = {**info, trial: self._trial, over: self._over}
        if best in info:
            told[best] = self._best = max(self._best, float(info[best]))
        return told
