"""Vector environments: many text environments with Gymnasium's vector API.

``gymnasium.make_vec`` finds the vector environment of an id here, as the attribute of
this module that has the id's name: an entry point is a name without arguments, so that
a spec is JSON, and only the id is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium as gym
from gymnasium.vector import AutoresetMode

from aq_gym.vector.text_vector_env import TextVectorEnv

__all__ = ["TextVectorEnv"]


def __getattr__(name: str) -> Callable[..., TextVectorEnv]:
    """Return the function that makes the vector environment of an id."""
    if "/" not in name:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(_make_vector, name)


def _make_vector(
    env_id: str,
    num_envs: int = 1,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    num_workers: int = 0,
    **kwargs: Any,
) -> TextVectorEnv:
    if num_envs < 1:
        raise ValueError(f"num_envs={num_envs} must be at least 1")
    make = partial(gym.make, env_id, disable_env_checker=True, **kwargs)
    return TextVectorEnv(
        [make] * num_envs, autoreset_mode=autoreset_mode, num_workers=num_workers
    )
