"""The protocol of agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import gymnasium as gym
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete

_NUMBERS = (Box, Discrete, MultiBinary, MultiDiscrete)


class Agent(Protocol):
    """Plays one environment, for any number of episodes.

    The evaluation hands an agent an :class:`AgentView` in place of the environment, and
    the public part of info. A class or function with ``privileged = True`` gets both
    whole, and every score shows it.
    """

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode.

        Args:
            observation: The observation returned by ``env.reset``.
            info: The public part of the info dict returned by ``env.reset``.
        """

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the next action.

        Args:
            observation: The last observation.
            info: The public part of the last info dict; all of it if ``privileged``.
        """


# Called with the view of the environment and the agent's parameters by name.
AgentFactory: TypeAlias = Callable[..., Agent]


class ContinuationError(ValueError):
    """Raised if a recorded episode cannot be continued."""


def check_text_actions(env: gym.Env[Any, Any]) -> None:
    """Check that a text agent can play an environment.

    Raises:
        ValueError: If its actions are numbers.
    """
    if isinstance(env.action_space, _NUMBERS):
        raise ValueError(
            f"{env} takes actions of {env.action_space}, and the agent "
            "writes text: wrap it with aq_gym.adapt (or aq_gym.adapters.TextAdapter) "
            "and register the wrapped environment"
        )
