"""The agent that repeats a recorded episode."""

from __future__ import annotations

import os
from typing import Any

import gymnasium as gym

from aq_gym import trajectory


class ReplayAgent:
    """Plays the actions of a trajectory file.

    Args:
        env: The environment.
        path: The trajectory file.

    Raises:
        ValueError: If the file is not a trajectory.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._actions = [step["action"] for step in trajectory.read(path).steps]
        self._next = 0

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode with the first action."""
        self._next = 0

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return the next recorded action.

        Raises:
            RuntimeError: If all recorded actions have been returned.
        """
        if self._next >= len(self._actions):
            raise RuntimeError(
                f"{self._path} has {len(self._actions)} actions and the episode is not "
                "over: it was recorded with another seed or environment"
            )
        action = self._actions[self._next]
        self._next += 1
        return action
