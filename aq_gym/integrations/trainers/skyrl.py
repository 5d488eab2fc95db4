"""SkyRL-Gym: an environment for its generator.

Register it and name it as ``env_class`` of the rows::

    skyrl_gym.register("aq_gym", "aq_gym.integrations.trainers.skyrl:SkyRLEnv")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from aq_gym.integrations.trainers import begin, numbers
from aq_gym.models.messages import Message

__all__ = ["SkyRLEnv"]


class SkyRLEnv(BaseTextEnv):
    """Plays the task in ``extras["task"]``.

    Args:
        env_config: Further arguments of :class:`aq_gym.Episode`.
        extras: The row of the dataset, with ``task``.
    """

    def __init__(
        self,
        env_config: Mapping[str, Any] | None = None,
        extras: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._episode = begin((extras or {})["task"], env_config or {})
        self.max_turns = self._episode.task.cap or 1

    def init(self, prompt: list[Message]) -> tuple[list[Message], dict[str, Any]]:
        """Return the first messages; those of the row are not used."""
        return self._episode.messages, {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Play a completion; the reward is the rise of the progress."""
        self.turns += 1
        reply, reward, done = self._episode.step(action)
        return BaseTextEnvStepOutput(
            observations=[] if done else [dict(reply)],
            reward=reward,
            done=done,
            metadata=numbers(self._episode),
        )

    def get_metrics(self) -> dict[str, Any]:
        """Return the metrics of the episode."""
        return numbers(self._episode)

    def close(self) -> None:
        """Close the episode."""
        self._episode.close()
