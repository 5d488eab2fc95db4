"""Episodes for ``rollout_func``: the trained model plays environments."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aq_gym import TaskSampler
from aq_gym.agents.dialogue import Prompting
from aq_gym.core.arguments import check_arguments
from aq_gym.evaluation import Task
from aq_gym.integrations.shared import begin_episode
from aq_gym.integrations.tokens import TokenEpisode
from aq_gym.integrations.trl_training.datasets import row_of, task_of
from aq_gym.models.conversation import check_lengths

_Generate = Callable[
    [Any, list[list[int]], int], tuple[list[list[int]], list[list[float]] | None]
]


class EpisodeDirectories:
    """Makes a new directory for each episode.

    Several processes, and several objects in one, can share the parent directory, and
    an earlier training run may have left episodes there.

    Args:
        parent: The parent of all these directories; None to make none.

    Raises:
        TypeError: If it is not a path.
    """

    def __init__(self, parent: str | os.PathLike[str] | None) -> None:
        if not isinstance(parent, str | os.PathLike | None):
            raise TypeError(f"directory={parent!r:.200} must be a path or None")
        self._parent = None if parent is None else Path(parent)
        self._numbers = itertools.count()

    def make(self, process: int) -> Path | None:
        """Make the directory of the next episode, ``PROCESS-NUMBER``.

        Args:
            process: The index of the process, from 0.

        Returns:
            The directory; None if no trajectories are recorded.
        """
        if self._parent is None:
            return None
        self._parent.mkdir(parents=True, exist_ok=True)
        while True:
            directory = self._parent / f"{process}-{next(self._numbers):07d}"
            try:
                directory.mkdir()
            except FileExistsError:
                continue
            return directory


def generate(
    trainer: Any, prompts: list[list[int]], max_tokens: int
) -> tuple[list[list[int]], list[list[float]] | None]:
    """Complete prompts with the trainer's model, with vLLM if the trainer uses it.

    It was tested with TRL 1.16. If another version generates in a different way, give
    ``Rollouts`` a function of your own.

    Args:
        trainer: The trainer.
        prompts: The token ids of the prompts.
        max_tokens: The longest completion.

    Returns:
        The token ids of the completions, and vLLM's log probabilities of these tokens,
        or None without vLLM.
    """
    with _limited(trainer, max_tokens):
        # The trainer's own loop of tool calls uses this method; no public method does
        # this. The two arguments are images and other fields of the prompts.
        completions, logprobs = trainer._generate_single_turn(
            prompts, None, {}, num_generations=1
        )
    return completions, logprobs


@contextmanager
def _limited(trainer: Any, max_tokens: int) -> Iterator[None]:
    """Limit a completion to one step; the trainer's limit is for the episode."""
    places = [(trainer.generation_config, "max_new_tokens")]
    if trainer.use_vllm:
        places = [(trainer.vllm_generation, "max_completion_length")]
    before = [getattr(*place) for place in places]
    try:
        for owner, name in places:
            setattr(owner, name, max_tokens)
        yield
    finally:
        for (owner, name), value in zip(places, before, strict=True):
            setattr(owner, name, value)


class Rollouts:
    """A rollout function for ``GRPOTrainer(rollout_func=Rollouts())``.

    Each prompt of the batch is played as an :class:`aq_gym.Episode`, all of them at the
    same time: a step of every episode is one batch for the model. An episode is one
    sequence of tokens: the first messages are the prompt; the completion is what the
    model wrote and, masked out of the loss by ``env_mask``, the messages in between.

    The messages are those of ``aq-gym run --agent llm`` with the same arguments and
    ``keep_reasoning=True``. An episode is cut, and scored as it is then, when another
    completion would exceed the trainer's ``max_completion_length`` or when ``context``
    drops a turn, because a later request would not begin with the earlier one.

    Args:
        prompting: The prompting of :class:`aq_gym.Episode`.
        example: Whether the model is shown an example.
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion of a step, in tokens.
        directory: A directory for the trajectories, with a subdirectory for each
            episode; None to record nothing.
        sampler: Draws a task for each row of the batch, which replaces the row's own
            task, and is updated with the success of the episodes. It works only in a
            single process.
        generate: A function that takes the trainer, the token ids of the prompts and
            ``max_tokens``, and returns the ids of the completions and their log
            probabilities (None lets the trainer compute them). By default the trainer
            generates, with vLLM if it uses it.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If an argument is out of its range; on a call, if ``max_tokens``
            exceeds the trainer's ``max_completion_length``, or a prompt has no task.
    """

    def __init__(
        self,
        prompting: Prompting = "act",
        *,
        example: bool = True,
        context: int = 8192,
        max_tokens: int = 64,
        directory: str | os.PathLike[str] | None = None,
        sampler: TaskSampler | None = None,
        generate: _Generate = generate,
    ) -> None:
        check_arguments(Rollouts.__init__, locals())
        check_lengths(context, max_tokens)
        if not callable(generate):
            raise TypeError(f"generate={generate!r:.200} must be a function")
        self._prompting: Prompting = prompting
        self._example = example
        self._context = context
        self._max_tokens = max_tokens
        self._directories = EpisodeDirectories(directory)
        self._sampler = sampler
        self._generate = generate

    def __call__(
        self, prompts: Sequence[Sequence[dict[str, Any]]], trainer: Any
    ) -> dict[str, Any]:
        """Play the episodes of a batch.

        Args:
            prompts: The ``prompt`` column of :func:`env_tasks`, :func:`suite_tasks` or,
                with ``sampler``, :func:`sampled_tasks`.
            trainer: The trainer.

        Returns:
            ``prompt_ids``, ``completion_ids``, ``logprobs``, ``env_mask`` and
            ``episode``, the metrics of each episode for the reward functions.
        """
        if self._max_tokens > trainer.max_completion_length:
            raise ValueError(
                f"max_tokens={self._max_tokens} must be at most the trainer's "
                f"max_completion_length={trainer.max_completion_length}"
            )
        samples: list[TokenEpisode] = []
        tasks = self._tasks(prompts, trainer)
        try:
            for task in tasks:
                samples.append(self._begin(task, trainer))
            while running := [one for one in samples if not one.over]:
                self._step(running, trainer)
            if self._sampler is not None:
                for task, sample in zip(tasks, samples, strict=True):
                    score = float(sample.episode.metrics["success"])
                    self._sampler.update(task, score)
            return _columns(samples)
        finally:
            for sample in samples:
                sample.episode.close()

    def _tasks(
        self, prompts: Sequence[Sequence[dict[str, Any]]], trainer: Any
    ) -> list[Task]:
        if self._sampler is None:
            return [task_of(prompt) for prompt in prompts]
        if trainer.accelerator.num_processes > 1:
            raise ValueError("sampler: use one process, so that a group has one task")
        rows = [row_of(prompt) for prompt in prompts]
        # The episodes of a group share a row, and must share the drawn task.
        drawn = {row: self._sampler.draw() for row in dict.fromkeys(rows)}
        return [drawn[row] for row in rows]

    def _begin(self, task: Task, trainer: Any) -> TokenEpisode:
        directory = self._directories.make(trainer.accelerator.process_index)
        episode = begin_episode(
            task.to_record(),
            prompting=self._prompting,
            example=self._example,
            context=self._context,
            max_tokens=self._max_tokens,
            keep_reasoning=True,
            directory=directory,
        )
        return TokenEpisode(
            episode,
            trainer.processing_class,
            context=self._context,
            max_tokens=self._max_tokens,
            longest=trainer.max_completion_length,
            end_ids=trainer.eos_token_ids,
            template=trainer.chat_template_kwargs,
        )

    def _step(self, running: Sequence[TokenEpisode], trainer: Any) -> None:
        requests = [one.request for one in running]
        completions, logprobs = self._generate(trainer, requests, self._max_tokens)
        for index, sample in enumerate(running):
            known = None if logprobs is None else logprobs[index]
            sample.play(completions[index], known)


def _columns(samples: Sequence[TokenEpisode]) -> dict[str, Any]:
    logprobs = [one.logprobs for one in samples]
    return {
        "prompt_ids": [one.prompt_ids for one in samples],
        "completion_ids": [one.completion_ids for one in samples],
        # Without log probabilities, the trainer computes the ones it needs.
        "logprobs": None if None in logprobs else logprobs,
        "env_mask": [one.mask for one in samples],
        "episode": [{**one.episode.metrics, "cut": one.cut} for one in samples],
    }
