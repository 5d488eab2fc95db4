"""The agents of the reference ladder that need no model."""

from typing import Any

import gymnasium as gym

from aq_gym.agents import ExpertAgent, ExpertGaveUpError, RandomAgent


class Silent:
    """Says nothing: what the environments give for free.

    Args:
        env: The environment.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        """Take the environment, which is not asked."""

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return an empty text."""
        return ""


class NoisyExpert(RandomAgent):
    """Plays a random action with a probability, otherwise the expert's.

    Args:
        env: The environment.
        noise: The probability of a random action.
        seed: The agent's own seed.
    """

    privileged = True

    def __init__(
        self, env: gym.Env[Any, Any], noise: float = 0.3, seed: int = 0
    ) -> None:
        super().__init__(env, seed)
        self._expert, self._noise = ExpertAgent(env), noise

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return an action; a random one, too, where the expert has none."""
        if self._rng.random() >= self._noise:
            try:
                return self._expert.act(observation, info)
            except ExpertGaveUpError:
                pass
        return super().act(observation, info)
