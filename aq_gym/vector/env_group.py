"""Environments that are stepped one after another, and their infos as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Text
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray


# Without parameters: gymnasium 1.2 has none.
class EnvGroup(SyncVectorEnv):
    """A ``SyncVectorEnv`` that returns infos by the index of their environment."""

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


_NUMBERS = bool, int, float


def merged(infos: Mapping[Any, dict[str, Any]], num_envs: int) -> dict[str, Any]:
    """Return the infos as Gymnasium's vector environments merge them.

    They go through the infos one after another; going through the keys, as here, takes
    a fraction of the time.

    Args:
        infos: The info of each environment that has one, by its index.
        num_envs: The number of environments, the length of each array.

    Returns:
        For each key an array of the values, or a merged dict if they are dicts, and
        for ``"_" + key`` the mask of the environments that have the key.
    """
    result: dict[str, Any] = {}
    for key in dict.fromkeys(chain.from_iterable(infos.values())):
        places = [place for place, info in infos.items() if key in info]
        values = [infos[place][key] for place in places]
        mask = np.zeros(num_envs, dtype=np.bool_)
        mask[places] = True
        if key != "final_obs" and all(isinstance(value, dict) for value in values):
            nested = dict(zip(places, values, strict=True))
            result[key] = merged(nested, num_envs)
        else:
            array = _empty("" if key == "final_obs" else values[0], num_envs)
            for place, value in zip(places, values, strict=True):
                array[place] = value
            result[key] = array
        result[f"_{key}"] = mask
    return result


def _empty(first: object, num_envs: int) -> NDArray[Any]:
    """Return an empty array for a key, of the type of its first value."""
    if isinstance(first, np.ndarray):
        return np.zeros((num_envs, *first.shape), dtype=first.dtype)
    if type(first) in _NUMBERS or isinstance(first, np.number):
        return np.zeros(num_envs, dtype=type(first))
    return np.full(num_envs, None, dtype=object)
