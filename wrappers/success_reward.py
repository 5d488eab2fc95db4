"""Replace the reward with a sparse one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.wrappers._arguments import checked_info, mapping, refuse_autoreset, rename


class SuccessReward(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Replaces the reward: 1.0 in the step that solves the task, otherwise 0.0.

    The task is solved when ``info["success"]`` becomes True. If the environment
    continues, later rewards are 0.0, so the return of an episode is 1.0 or 0.0. Whether
    the task is solved belongs to the wrapper: it is part of its ``copy.deepcopy`` and
    pickle, but not of an environment's own ``get_state()``.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: A Gymnasium environment with ``success`` in its info.
            keys: A new name for the key "success" of info, by default name.

        Raises:
            ValueError: If ``keys`` contains an unknown name.
        """
        RecordConstructorArgs.__init__(self, keys=mapping("keys", keys))
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
        (self._success_key,) = rename(("success",), keys)
        self._solved = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._solved = False
        return observation, info

    def step(
        self, action: ActType
    ) -> tuple[ObsType, float, bool, bool, dict[str, Any]]:
        """Step the environment.

        Raises:
            KeyError: If info lacks the key "success".
        """
        observation, _, terminated, truncated, info = self.env.step(action)
        if self._success_key not in checked_info(info, self.env):
            raise KeyError(
                f"SuccessReward requires info[{self._success_key!r}], which {self.env} "
                "lacks: wrap it in SubgoalProgress first, or rename the key "
                "with keys={'success': ...}"
            )
        solved = bool(info[self._success_key])
        reward = float(solved and not self._solved)
        self._solved = self._solved or solved
        return observation, reward, terminated, truncated, info
