"""Environments that are stepped one after another in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Text
from gymnasium.vector import AutoresetMode, SyncVectorEnv

__all__ = ["EnvGroup"]


# Without parameters: gymnasium 1.2 has none.
class EnvGroup(SyncVectorEnv):
    """A ``SyncVectorEnv`` that returns infos by the index of their environment.

    Args:
        env_fns: The functions that make the environments.
        autoreset_mode: When an environment is reset after the end of its episode.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], gym.Env[Any, Any]]],
        autoreset_mode: AutoresetMode,
    ) -> None:
        super().__init__(env_fns, autoreset_mode=autoreset_mode)
        # gymnasium 1.2 sets the mode in the dict of the environment's class.
        self.metadata = dict(self.metadata)
        self.envs[0].metadata.pop("autoreset_mode", None)
        # Text is a tuple of str, and needs no copy.
        self.copy = not isinstance(self.single_observation_space, Text)

    def _add_info(
        self, vector_infos: dict[Any, Any], env_info: dict[str, Any], env_num: int
    ) -> dict[Any, Any]:
        """Collect an info; SyncVectorEnv calls it to merge the info."""
        if "final_info" in env_info:
            env_info = _snapshot(env_info)
        if env_num in vector_infos:
            env_info = vector_infos[env_num] | env_info
        vector_infos[env_num] = env_info
        return vector_infos


def _snapshot(value: Any) -> Any:
    """Copy dicts and arrays, which the reset that follows may change in place."""
    if isinstance(value, dict):
        return {key: _snapshot(item) for key, item in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value
