"""The agents that need no model: random actions, and the environment's expert."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym.agents.view import AgentView
from aq_gym.core.arguments import check_arguments


class RandomAgent:
    """Draws from ``sample_action``, or from the action space if there is none.

    The same agent seed and episode seed give the same actions.

    Args:
        env: The environment.
        seed: The agent's own seed, at least 0.

    Raises:
        TypeError: If ``seed`` is not an int.
        ValueError: If ``seed`` is negative.
    """

    def __init__(self, env: gym.Env[Any, Any], seed: int = 0) -> None:
        check_arguments(RandomAgent.__init__, {"seed": seed})
        if seed < 0:
            raise ValueError(f"seed={seed} must be at least 0")
        self._env = env if isinstance(env, AgentView) else AgentView(env)
        self._seed = seed
        # Looked up once, because the lookup passes through every wrapper.
        self._sample: Callable[[np.random.Generator], Any] | None = None
        if env.has_wrapper_attr("sample_action"):
            self._sample = env.get_wrapper_attr("sample_action")

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._rng = self._env.generator(self._seed)
        self._env.action_space.seed(int(self._rng.integers(2**31)))

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return a random action."""
        if self._sample is not None:
            return self._sample(self._rng)
        return self._env.action_space.sample()


class ExpertGaveUpError(RuntimeError):
    """Raised if the expert has no action: the episode says nothing about the task."""


class ExpertAgent:
    """Plays the environment's ``expert_action``.

    Args:
        env: The environment.

    Raises:
        ValueError: If the environment has no expert.
    """

    privileged = True

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        if not env.has_wrapper_attr("expert_action"):
            raise ValueError(f"{env} has no expert_action: choose another agent")
        self._env = env
        self._expert_action: Callable[[], str | None] = env.get_wrapper_attr(
            "expert_action"
        )

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode; the expert reads the state of the environment."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the reference policy's action.

        Raises:
            ExpertGaveUpError: If the expert has no action.
        """
        action = self._expert_action()
        if action is None:
            why = self._env.get_wrapper_attr("expert_gave_up")()
            raise ExpertGaveUpError(f"the expert gave up: {why or 'it has no action'}")
        return action
