"""Find the split to which an instance belongs."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import gymnasium as gym

_PREFIX = "generated_"
_WHOLE = ("all", "generated")


class InstanceSplits:
    """Finds the splits of the instances of one setting."""

    def __init__(self, env: gym.Env[Any, Any], kwargs: Mapping[str, Any]) -> None:
        parameters = inspect.signature(type(env.unwrapped)).parameters
        default = parameters["split"].default if "split" in parameters else None
        self._split = str(kwargs.get("split", default or "all"))
        self._id = env.spec.id if env.spec is not None else ""
        self._kwargs = dict(kwargs)
        self._can_search = default in _WHOLE
        self._find = lru_cache(maxsize=None)(self._env_of)

    def of(self, task_id: str) -> str:
        """Return "train" or "test", another name of the setting's split, or "all".

        An instance of an environment with ``split="all"`` belongs to the split whose
        environment accepts its task id; to "all" if none does.
        """
        if self._split not in _WHOLE:
            return self._split.removeprefix(_PREFIX)
        if not self._can_search:
            return "all"
        found = [name for name in ("train", "test") if self._has(name, task_id)]
        return found[0] if len(found) == 1 else "all"

    def _has(self, split: str, task_id: str) -> bool:
        env = self._find(split)
        return env is not None and _accepts(env, task_id)

    def _env_of(self, split: str) -> gym.Env[Any, Any] | None:
        try:
            return gym.make(self._id, **{**self._kwargs, "split": split})
        except ValueError:
            # An argument that fixes the instance has no split.
            return None


def _accepts(env: gym.Env[Any, Any], task_id: str) -> bool:
    try:
        env.reset(options={"task_id": task_id})
    except ValueError:
        return False
    return True
