"""What an agent is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

__all__ = ["Agent", "AgentFactory"]


class Agent(Protocol):
    """Plays one environment, episode after episode."""

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode with what ``env.reset`` returned."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the next action.

        Args:
            observation: The last observation.
            info: The last info. An agent that is tested looks at the observation only.
        """


# Called with the environment, and with the agent's parameters by name.
AgentFactory: TypeAlias = Callable[..., Agent]
