"""The agent that plays the reference policy of an environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym


class ExpertAgent:
    """Plays the environment's ``expert_action``.

    Args:
        env: The environment.

    Raises:
        ValueError: If the environment has no expert.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        if not env.has_wrapper_attr("expert_action"):
            raise ValueError(f"{env} has no expert_action: choose another agent")
        self._expert_action: Callable[[], str] = env.get_wrapper_attr("expert_action")

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode; the expert reads the state of the environment."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the reference policy's action."""
        return self._expert_action()
