"""SkyRL-Gym: register the environment and name it as ``env_class`` of the rows.

skyrl_gym.register("aq_gym", "skyrl_env:SkyRLEnv")
"""

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from aq_gym.integrations.shared import begin_episode, number_metrics
from aq_gym.models.messages import Message


class SkyRLEnv(BaseTextEnv):
    """Plays the task in ``extras["task"]``.

    Args:
        env_config: Further arguments of ``aq_gym.Episode``.
        extras: The row of the dataset, with the record of its task.
    """

    def __init__(
        self, env_config: Mapping[str, Any], extras: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self._episode = begin_episode(extras["task"], **env_config)
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
            metadata=number_metrics(self._episode),
        )

    def get_metrics(self) -> dict[str, Any]:
        """Return the metrics of the episode."""
        return number_metrics(self._episode)

    def close(self) -> None:
        """Close the episode."""
        self._episode.close()
