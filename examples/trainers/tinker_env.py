"""Tinker: environments on tokens for the loops of tinker-cookbook.

groups = [TinkerGroup(task.to_record(), tokenizer) for task in suite.tasks]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import tinker
from tinker_cookbook.rl.types import ActionExtra, Env, EnvGroupBuilder, StepResult

from aq_gym.integrations.shared import begin_episode, number_metrics
from aq_gym.integrations.tokens import TokenEpisode, Tokenizer


class TinkerEnv(Env):
    """Plays one episode; what the model samples is never tokenized again.

    Args:
        tokens: The episode at its beginning, with the tokenizer.
        stop: The tokens that end an answer.
    """

    def __init__(self, tokens: TokenEpisode, stop: list[int]) -> None:
        self._tokens, self._stop = tokens, stop

    async def initial_observation(self) -> tuple[tinker.ModelInput, list[int]]:
        """Return the tokens of the first request, and where an answer ends."""
        return tinker.ModelInput.from_ints(self._tokens.request), self._stop

    async def step(
        self, action: list[int], *, extra: ActionExtra | None = None
    ) -> StepResult:
        """Play a completion; the reward is the rise of the progress."""
        self._tokens.play(action)
        over = self._tokens.over
        return StepResult(
            reward=self._tokens.rewards[-1],
            episode_done=over,
            next_observation=tinker.ModelInput.from_ints(self._tokens.request),
            next_stop_condition=self._stop,
            metrics=number_metrics(self._tokens.episode) if over else {},
        )


@dataclass(frozen=True)
class TinkerGroup(EnvGroupBuilder):
    """Makes the episodes of one task, whose rewards are compared.

    Attributes:
        task: The record of the task.
        tokenizer: The tokenizer, with its chat template.
        size: The number of episodes.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.
        how: Further arguments of ``aq_gym.Episode``.
    """

    task: Mapping[str, Any]
    tokenizer: Tokenizer
    size: int = 8
    context: int = 8192
    max_tokens: int = 512
    how: Mapping[str, Any] = field(default_factory=dict)

    async def make_envs(self) -> Sequence[Env]:
        """Return the environments of the group."""
        stop = [self.tokenizer.eos_token_id]
        return [TinkerEnv(self._begin(), stop) for _ in range(self.size)]

    def _begin(self) -> TokenEpisode:
        limits: dict[str, Any] = {
            "context": self.context,
            "max_tokens": self.max_tokens,
        }
        episode = begin_episode(self.task, **limits, **self.how)
        return TokenEpisode(episode, self.tokenizer, **limits)
