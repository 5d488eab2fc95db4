"""Episodes for ``environment_factory``, whose actions are tool calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aq_gym import Episode
from aq_gym.integrations.trl_training.datasets import task_of

__all__ = ["ToolEnv"]

_CALL = "Take each of your actions with the tool `act`, whose argument is the action."


class ToolEnv:
    """An environment for ``GRPOTrainer(environment_factory=ToolEnv)``.

    The model plays with calls of the tool ``act``, so its chat template has to support
    tools. The dataset is one of :func:`env_tasks` or :func:`suite_tasks`.
    """

    _episode: Episode | None = None

    @property
    def metrics(self) -> dict[str, Any]:
        """The figures of the episode; see :class:`aq_gym.Episode`."""
        assert self._episode is not None
        # The trainer ends an episode whose tool calls have ended.
        return {**self._episode.metrics, "cut": not self._episode.done}

    def reset(self, prompt: Sequence[dict[str, Any]], **row: Any) -> str:
        """Begin the episode of a row.

        Args:
            prompt: The row's prompt.
            **row: The other columns.

        Returns:
            The environment's system prompt, how to act, and the first observation.
        """
        if self._episode is not None:
            self._episode.close()
        task = task_of(prompt)
        self._episode = Episode(
            task.id,
            task.kwargs,
            task.seed,
            task.max_steps,
            example=False,
            progress=task.progress,
        )
        system, first = self._episode.messages
        # Its last paragraph is the form of answers that are not tool calls.
        briefing = system["content"].rpartition("\n\n")[0]
        return f"{briefing}\n\n{_CALL}\n\n{first['content']}"

    def act(self, action: str) -> str:
        """Take an action.

        Args:
            action: The action, in a form that the environment names.

        Returns:
            The observation that follows.
        """
        assert self._episode is not None
        if self._episode.done:
            # The trainer tells the model, and counts a failed call.
            raise ValueError("the episode is over")
        # Arguments are what the model wrote, a number for instance.
        message, _, _ = self._episode.step(str(action))
        return message["content"]
