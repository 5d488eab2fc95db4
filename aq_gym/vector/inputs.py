"""Checks of the arguments of a vector environment, which make lists of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Text, Tuple
from gymnasium.vector.utils import iterate
from numpy.typing import NDArray

__all__ = ["checked_mask", "listed_actions", "seeds_of"]


def seeds_of(
    seed: int | Sequence[int | None] | None, num_envs: int
) -> list[int | None]:
    """Return the seed of each environment.

    Args:
        seed: The seed of the first one, one for each, or None.
        num_envs: The number of environments.

    Raises:
        ValueError: If there are more or fewer seeds than environments.
    """
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, int | np.integer):
        return [int(seed) + index for index in range(num_envs)]
    if len(seed) != num_envs:
        raise ValueError(
            f"seed has {len(seed)} items: give one for each of the "
            f"{num_envs} environments"
        )
    return list(seed)


def checked_mask(mask: object, num_envs: int) -> NDArray[np.bool_]:
    """Return a mask of the environments that are reset.

    Args:
        mask: The mask.
        num_envs: The number of environments.

    Raises:
        TypeError: If it is not an array of bool.
        ValueError: If it has another shape, or selects no environment.
    """
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"reset_mask={mask!r:.200} must be a numpy array of bool")
    if mask.shape != (num_envs,):
        raise ValueError(f"reset_mask has shape {mask.shape}: it must be ({num_envs},)")
    if not mask.any():
        raise ValueError("reset_mask must be True for at least one environment")
    return mask


def listed_actions(actions: Any, num_envs: int, space: gym.Space[Any]) -> list[Any]:
    """Return the action of each environment.

    Args:
        actions: The actions, of which a sequence is enough if they are text.
        num_envs: The number of environments.
        space: The space of the actions of all environments.

    Raises:
        TypeError: If a single str is given.
        ValueError: If there are more or fewer actions than environments.
    """
    if isinstance(actions, str):
        raise TypeError(f"actions={actions!r:.80} must be a sequence of {num_envs} str")
    is_text = isinstance(space, Tuple) and isinstance(space[0], Text)
    listed = list(actions if is_text else iterate(space, actions))
    if len(listed) != num_envs:
        raise ValueError(
            f"actions has {len(listed)} items: give one for each of the "
            f"{num_envs} environments"
        )
    return listed
