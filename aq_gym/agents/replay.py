"""The agent that repeats a recorded episode."""

from __future__ import annotations

import os
from typing import Any

import gymnasium as gym

from aq_gym import trajectory
from aq_gym.trajectory.codec import shown


class ReplayAgent:
    """Plays the actions of a trajectory file.

    Args:
        env: The environment.
        path: The trajectory file.

    Raises:
        ValueError: If the file is not a trajectory, or an action is not the text that
            the environment takes.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        steps = trajectory.read(path).steps
        self._actions = [step["action"] for step in steps]
        if isinstance(env.action_space, gym.spaces.Text):
            for step in steps:
                if not isinstance(step["action"], str):
                    raise ValueError(
                        f"{self._path}: step {step['t']}: action is "
                        f"{shown(step['action'], 80)}, and must be a text"
                    )
        self._next = 0

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode with the first action."""
        self._next = 0

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return the next recorded action.

        Raises:
            EOFError: If all recorded actions have been returned.
        """
        if self._next >= len(self._actions):
            raise EOFError(
                f"{self._path} has {len(self._actions)} actions and the episode is not "
                "over: it was recorded with another seed or environment"
            )
        action = self._actions[self._next]
        self._next += 1
        return action
