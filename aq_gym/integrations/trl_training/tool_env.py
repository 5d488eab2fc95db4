"""Episodes for ``environment_factory``, whose actions are tool calls."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from gymnasium.error import ResetNeeded

from aq_gym import Episode
from aq_gym.integrations.trl_training.datasets import task_of
from aq_gym.integrations.trl_training.directories import EpisodeDirectories

__all__ = ["ToolEnv"]

_CALL = "Take each of your actions with the tool `act`, whose argument is the action."


class ToolEnv:
    """An environment for ``GRPOTrainer(environment_factory=ToolEnv)``.

    The model plays with calls of the tool ``act``, so its chat template has to support
    tools. The dataset is one of :func:`env_tasks` or :func:`suite_tasks`.

    To record the episodes, give ``functools.partial(ToolEnv, directory=FOLDER)``. In a
    trajectory, a completion is the argument of a call; what the model wrote besides is
    the trainer's.

    The trainer ends an episode without notice. It is closed, and its trajectory
    finished, by the next reset, by ``close()``, or when the process ends.

    Args:
        directory: A directory for the trajectories, with a subdirectory for each
            episode; None to record none.
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        self._directories = EpisodeDirectories(directory)
        self._episode: Episode | None = None
        self._failure = ""
        self._running = ExitStack()
        # Also called at the end of the process.
        weakref.finalize(self, self._running.close)

    @property
    def close(self) -> Callable[[], None]:
        """Close the running episode: ``env.close()``.

        The trainer makes a tool of each method, and none of a property.
        """
        return self._running.close

    @property
    def metrics(self) -> dict[str, Any]:
        """The figures of the episode; see :class:`aq_gym.Episode`."""
        metrics = self._begun().metrics
        # The trainer ends an episode whose tool calls have ended.
        own = {"cut": not metrics["ended"], "error": metrics["error"] or self._failure}
        return {**metrics, **own}

    def reset(self, prompt: Sequence[dict[str, Any]], **row: Any) -> str:
        """Begin the episode of a row.

        Args:
            prompt: The row's prompt.
            **row: The other columns.

        Returns:
            The environment's system prompt, how to act, and the first observation.
        """
        self._running.close()
        self._episode, self._failure = None, ""
        task = task_of(prompt)
        episode = Episode(
            task.id,
            task.kwargs,
            task.seed,
            task.max_steps,
            example=False,
            progress=task.progress,
            max_invalid=task.max_invalid,
            # As torchrun and accelerate number the processes.
            directory=self._directories.make(int(os.environ.get("RANK", "0"))),
        )
        self._episode = self._running.enter_context(episode)
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
        episode = self._begun()
        if episode.done:
            # The trainer tells the model, and counts a failed call.
            raise ValueError("the episode is over")
        try:
            # Arguments are what the model wrote, a number for instance.
            message, _, _ = episode.step(str(action))
        except Exception as error:
            # The trainer takes it for a failed call, and scores the episode.
            self._failure = f"{type(error).__name__}: {error}"
            self._running.close()
            raise
        return message["content"]

    def _begun(self) -> Episode:
        if self._episode is None:
            raise ResetNeeded("no episode has begun: call reset with a row")
        return self._episode
