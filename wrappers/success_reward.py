"""Replace the reward with a sparse one."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.wrappers._arguments import refuse_autoreset


class SuccessReward(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Replaces the reward: 1.0 in the step that solves the task, otherwise 0.0.

    The task is solved when ``info["success"]`` becomes True. If the environment
    continues, later rewards are 0.0, so the return of an episode is 1.0 or 0.0. Whether
    the task is solved belongs to the wrapper: it is part of its ``copy.deepcopy`` and
    pickle, but not of an environment's own ``get_state()``.
    """

    def __init__(self, env: gym.Env[ObsType, ActType]) -> None:
        """Wrap an environment.

        Args:
            env: A Gymnasium environment with ``success`` in its info.
        """
        RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        refuse_autoreset(self)
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
        if "success" not in info:
            raise KeyError(
                f"SuccessReward requires info['success'], which {self.env} lacks: wrap "
                "it in SubgoalProgress first"
            )
        solved = bool(info["success"])
        reward = float(solved and not self._solved)
        self._solved = self._solved or solved
        return observation, reward, terminated, truncated, info
