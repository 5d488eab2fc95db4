"""An agent that repeats a recorded episode."""

from __future__ import annotations

import os
from typing import Any

import gymnasium as gym

from aq_gym import trajectory

__all__ = ["ReplayAgent"]


class ReplayAgent:
    """Takes the actions of a trajectory file, one after the other.

    Args:
        env: The environment it plays.
        path: The trajectory.

    Raises:
        ValueError: If the file is no trajectory.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._actions = [step["action"] for step in trajectory.read(path).steps]
        self._next = 0

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin with the first action again."""
        self._next = 0

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return the next recorded action.

        Raises:
            RuntimeError: If the episode goes on where the recorded one ended.
        """
        if self._next >= len(self._actions):
            raise RuntimeError(
                f"{self._path} has {len(self._actions)} actions and the episode is not "
                "over: it was recorded with another seed or environment"
            )
        action = self._actions[self._next]
        self._next += 1
        return action
