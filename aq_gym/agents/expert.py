"""The agent that plays an environment's reference policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym

__all__ = ["ExpertAgent"]


class ExpertAgent:
    """Asks the environment for ``expert_action``.

    Args:
        env: The environment it plays.

    Raises:
        ValueError: If the environment has no expert.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        if not env.has_wrapper_attr("expert_action"):
            raise ValueError(f"{env} has no expert_action: choose another agent")
        self._expert_action: Callable[[], str] = env.get_wrapper_attr("expert_action")

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode; the expert looks at the environment itself."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the reference policy's action."""
        return self._expert_action()
