"""Environments of GEM."""

from __future__ import annotations

import copy
from typing import Any

from aq_gym.adapters.foreign import ForeignEnv, Reply


class GemEnv(ForeignEnv):
    """An environment of GEM as a Gymnasium environment.

    Observations, rewards and ends are GEM's; its info is kept. Added to info on reset
    and step: ``success: bool``, whether the episode ended with a reward of at least 1,
    which is GEM's reward of success.

    Contained: GEM seeds the process's generators of ``random`` and ``numpy``; here they
    are private. Each episode is played in a copy of the environment.

    Args:
        env: The environment, as ``gem.make`` returns it.
    """

    def __init__(self, env: Any) -> None:
        super().__init__()
        self._new_env = env
        self._env = env

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self._env = copy.deepcopy(self._new_env)
        observation, info = self._env.reset(seed=seed)
        return str(observation), {**info, "success": False}

    def _play(self, action: str) -> Reply:
        observation, reward, terminated, truncated, info = self._env.step(action)
        reward = float(reward)
        success = bool(terminated) and reward >= 1.0
        info = {**info, "success": success}
        return Reply(str(observation), reward, bool(terminated), bool(truncated), info)
