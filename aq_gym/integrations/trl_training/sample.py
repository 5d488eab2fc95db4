"""An episode as one sequence of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aq_gym import Episode
from aq_gym.integrations.trl_training.generation import message_ids, prompt_ids

__all__ = ["Sample"]


class Sample:
    """The tokens of an episode that is being played.

    Args:
        episode: The episode, at its beginning.
        trainer: The trainer, with its tokenizer.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.

    Attributes:
        episode: The episode.
        prompt_ids: The token ids of the first messages.
        completion_ids: Those of the completions and the messages between them.
        env_mask: 1 for each token of a completion, 0 for one of a message.
        logprobs: The log probability of each token, 0.0 for one of a message; None if
            they are not known.
        cut: Whether the episode ended because it could not be continued.
    """

    def __init__(
        self, episode: Episode, trainer: Any, context: int, max_tokens: int
    ) -> None:
        self.episode = episode
        self._trainer = trainer
        self._max_tokens = max_tokens
        self.prompt_ids = prompt_ids(trainer, episode.messages)
        # The episode estimates its tokens.
        while len(self.prompt_ids) + max_tokens > context and episode.shrink():
            self.prompt_ids = prompt_ids(trainer, episode.messages)
        self._room = min(trainer.max_completion_length, context - len(self.prompt_ids))
        self.completion_ids: list[int] = []
        self.env_mask: list[int] = []
        self.logprobs: list[float] | None = []
        self.cut = False

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.episode.done or self.cut

    @property
    def tokens(self) -> list[int]:
        """The token ids of the next request."""
        return [*self.prompt_ids, *self.completion_ids]

    def play(self, ids: Sequence[int], logprobs: Sequence[float] | None) -> None:
        """Play a completion.

        Args:
            ids: Its token ids.
            logprobs: Their log probabilities; None if they are not known.
        """
        self._add(ids, 1, logprobs)
        sent = self.episode.messages
        text = self._trainer.processing_class.decode(ids, skip_special_tokens=True)
        reply, _, done = self.episode.step(text)
        if done:
            return
        ended = bool(ids) and ids[-1] in self._trainer.eos_token_ids
        between = message_ids(self._trainer, reply, ended)
        needed = len(self.completion_ids) + len(between) + self._max_tokens
        continued = self.episode.messages[: len(sent)] == sent
        if needed > self._room or not continued:
            self.cut = True
            return
        self._add(between, 0, None if self.logprobs is None else [0.0] * len(between))

    def _add(
        self, ids: Sequence[int], mask: int, logprobs: Sequence[float] | None
    ) -> None:
        self.completion_ids.extend(ids)
        self.env_mask.extend([mask] * len(ids))
        if logprobs is None or self.logprobs is None:
            self.logprobs = None
        else:
            self.logprobs.extend(logprobs)
