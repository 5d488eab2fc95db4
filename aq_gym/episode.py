"""One episode as a dialogue, for training and search."""

from __future__ import annotations

import copy
import hashlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, cast

import gymnasium as gym
from gymnasium.error import ResetNeeded

from aq_gym import trajectory
from aq_gym.agents.dialogue import Dialogue, Prompting, ToolUse
from aq_gym.agents.images import Observe, check_pictures, with_picture
from aq_gym.core.arguments import check_arguments
from aq_gym.evaluation.episode import EpisodeRecorder
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.models import Completion
from aq_gym.models.conversation import IMAGE_TOKENS, check_lengths
from aq_gym.models.messages import Message, ToolCall, chat_message, message
from aq_gym.selection import check_names
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.reader import find

_NEEDED = ("progress", "best_progress", "success")


class Episode:
    """One episode of an environment, played by completions of a language model.

    The messages, the reading of the action, the reward, the metrics and the trajectory
    are those of ``aq-gym run --agent llm`` with the same arguments, because both use
    the same code::

        with aq_gym.Episode("aq/Mastermind-v0", seed=0) as episode:
            while not episode.done:
                episode.step(model(episode.messages))

    Args:
        id: The id that ``gymnasium.make`` takes.
        kwargs: Constructor arguments, JSON-safe.
        seed: The seed of the reset, from 0.
        max_steps: The step cap, from 1; None for the id's own.
        prompting: "act", "react", "memory" or "chat"; see
            :class:`aq_gym.agents.LLMAgent`.
        example: Whether the model is shown an example.
        context: The tokens that the model can read and write together.
        max_tokens: The tokens of ``context`` that are kept for a completion.
        keep_reasoning: Whether reasoning stays in the messages, in a completion or
            next to it.
        system_prompt: Replaces the system prompt, which is the environment's task
            prompt and the form of the answers; None keeps it.
        progress: The key of info that :attr:`metrics` take as progress; see
            :class:`aq_gym.evaluation.Task`. The reward is not changed by it.
        max_invalid: The number of consecutive invalid actions after which the episode
            is truncated, from 1; None for no limit.
        tools: "native" if the model acts by calling the functions in :attr:`tools`,
            which each request has to offer; "text" offers none.
        directory: The directory of the trajectory; None for a temporary one, which is
            removed with the episode and its forks.
        task_id: The instance, as ``info["task_id"]`` names it; None draws it from the
            seed.
        observe: "image" if :attr:`messages` also have the environment's picture of the
            current state; "text" adds none.

    Attributes:
        reply: The message that followed the last completion, without a picture. The
            next messages end with it. Before the first completion it is the first
            observation.
        done: Whether the episode is over: terminated, truncated, closed, or ended by an
            error that the environment raised.

    An episode cannot be pickled, because it writes its trajectory; :meth:`fork` copies
    it.

    Raises:
        TypeError: If an argument has the wrong type, or the environment's observations
            are not text.
        ValueError: If an argument is out of its range, the environment does not have
            one of ``kwargs``, it reports no progress, or has no pictures for
            ``observe="image"``.
        gymnasium.error.DependencyNotInstalled: If ``observe="image"`` and the extra
            ``pictures`` is missing.
        FileExistsError: If the directory already has a trajectory of this task.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 (as in Task and gymnasium.make)
        kwargs: Mapping[str, Any] | None = None,
        seed: int = 0,
        max_steps: int | None = None,
        prompting: Prompting = "act",
        *,
        example: bool = True,
        context: int = 8192,
        max_tokens: int = 1024,
        keep_reasoning: bool = False,
        system_prompt: str | None = None,
        progress: str = "progress",
        max_invalid: int | None = None,
        tools: ToolUse = "text",
        directory: str | os.PathLike[str] | None = None,
        task_id: str | None = None,
        observe: Observe = "text",
    ) -> None:
        given = dict(locals())
        check_arguments(Episode.__init__, given)
        _check_values(given)
        self.task = Task(
            id,
            seed,
            dict(kwargs or {}),
            max_steps,
            progress=progress,
            max_invalid=max_invalid,
        )
        self._directory = _Directory(directory)
        params: dict[str, Any] = {
            "prompting": prompting,
            "example": example,
            "context": context,
        }
        params |= {"max_tokens": max_tokens, "keep_reasoning": keep_reasoning}
        params |= {} if system_prompt is None else {"system_prompt": system_prompt}
        params |= {} if tools == "text" else {"tools": tools}
        params |= {} if observe == "text" else {"observe": observe}
        env = _make(self.task)
        self._looks = observe == "image"
        if self._looks:
            check_pictures(env)
        self._name = self.task.name
        options = None
        if task_id is not None:
            options = {"task_id": task_id}
            digest = hashlib.sha256(task_id.encode(errors="replace")).hexdigest()
            self._name = f"{self.task.name}-{digest[:8]}"
        self._env = EpisodeRecorder(
            wrap_env(env, self._directory.path, self._name, "episode", params)
        )
        self._env.progress_key = progress
        self._dialogue = Dialogue(
            self._env,
            prompting,
            example,
            context - max_tokens - IMAGE_TOKENS * self._looks,
            keep_reasoning,
            system_prompt,
            tools,
        )
        logged = False
        try:
            observation, info = self._env.reset(seed=seed, options=options)
            logged = True
            _check_start(id, observation, info)
            self._dialogue.begin(observation)
        except BaseException:
            self._env.close()
            if logged:
                # The same arguments must work once the environment is fixed.
                find(self._directory.path, self._name).unlink()
            raise
        self.reply: Message = message("user", observation)
        self.done = False

    def __enter__(self) -> Episode:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            "an Episode cannot be pickled: make another one, or copy it with its "
            "method fork"
        )

    @property
    def messages(self) -> list[Message]:
        """The messages of the next request, as chat completions have them.

        Once the episode is done they end with its last observation. With
        ``observe="image"`` the content of the last one is a list of two parts, its text
        and an image as "image_url", until the episode is done. After the results of
        native calls, the picture comes in an extra user message.
        """
        messages = self._dialogue.messages()
        if not self._looks or self.done:
            return messages
        *before, last = with_picture(messages, self._env)
        return [*before, cast(Message, chat_message(last))]

    @property
    def tools(self) -> Sequence[dict[str, Any]]:
        """The tools of the next request, as chat completions have them.

        Empty without ``tools="native"``. Otherwise the environment's tools, or
        ``act(action)`` and ``check_valid_actions()`` if it has none.
        """
        return self._dialogue.tools

    @property
    def metrics(self) -> dict[str, Any]:
        """The results so far, named as in ``episodes.jsonl``, and ``return``.

        Among them are ``success``, ``progress_rate``, ``repetition_rate``,
        ``grounding``, ``steps``, ``task_id``, ``progress`` after each step, and
        ``ended``: "terminated", "truncated", or "" if the episode is not done.
        """
        return self._env.metrics()

    @property
    def trajectory(self) -> Trajectory:
        """The recorded episode, read from its file.

        The file of a fork is written when this is read, and then after each step. It
        begins with the first step that no other file has, and names the file and the
        step that it continues. Before that step this is the trajectory of the original.
        """
        self._env.get_wrapper_attr("keep_records")()
        name = self._env.get_wrapper_attr("trajectory_name")
        return trajectory.read(find(self._directory.path, name))

    def step(
        self,
        completion: str,
        reasoning: str = "",
        tool_calls: Sequence[ToolCall] = (),
        notes: Mapping[str, Any] | None = None,
    ) -> tuple[Message, float, bool]:
        """Play the action in a completion of :attr:`messages`.

        With ``prompting="memory"``, an action that was tried before is sent back once;
        then no step is taken, and the reward is 0.0.

        Args:
            completion: The model's completion; any text.
            reasoning: The model's reasoning, if it is separate from the completion;
                kept as "reasoning_content" of the message if ``keep_reasoning`` is
                True.
            tool_calls: The completion's calls of :attr:`tools`, as chat completions
                have them; ``completion`` is then the text beside them. Without calls,
                the text is played.
            notes: Further notes on the step for the trajectory, such as token ids.

        Returns:
            The message that follows, the reward (the rise of the best progress, from
            0.0 to 1.0), and whether the episode is over.

        Raises:
            gymnasium.error.ResetNeeded: If the episode is over.
            TypeError: If ``completion`` or ``reasoning`` is not a str.
        """
        if self.done:
            raise ResetNeeded("the episode is over: make another Episode")
        for name, text in (("completion", completion), ("reasoning", reasoning)):
            if not isinstance(text, str):
                raise TypeError(f"{name}={text!r:.200} must be a str")
        content, calls = completion, tool_calls if self.tools else ()
        if calls:
            reply = Completion(content, reasoning=reasoning, tool_calls=tuple(calls))
            completion = self._dialogue.action(reply)
        again = self._dialogue.answer(completion, reasoning, content, calls)
        if again is not None:
            self.reply = message("user", again)
            return self.reply, 0.0, False
        self._env.annotate(**{**(notes or {}), **self._dialogue.notes()})
        try:
            observation, reward, terminated, truncated, _ = self._env.step(completion)
        except BaseException:
            # The trajectory already ends with this error.
            self.done = True
            raise
        self.reply = self._dialogue.observe(observation)
        self.done = terminated or truncated
        return self.reply, float(reward), self.done

    def fork(self) -> Episode:
        """Return an independent copy that continues from here.

        The environment, the messages and the metrics are copied. With the same
        completions, both play the same way. A fork holds its trajectory in memory until
        :attr:`trajectory` is read or, with a ``directory``, the fork ends or is closed.

        Raises:
            gymnasium.error.ResetNeeded: If the episode is over.
        """
        if self.done:
            raise ResetNeeded("the episode is over: fork it before its last step")
        twin = object.__new__(type(self))
        shared = {id(one): one for one in (self.task, self._directory)}
        twin.__dict__.update(copy.deepcopy(self.__dict__, shared))
        twin._env.get_wrapper_attr("hold_records")(until_end=self._directory.given)
        return twin

    def shrink(self) -> bool:
        """Shorten :attr:`messages`, because they are too long for the model.

        The example is left out first; then the window of turns is halved.

        Returns:
            Whether they are shorter now.
        """
        return self._dialogue.shrink()

    def close(self) -> None:
        """Close the environment; an unfinished episode cannot be continued."""
        self.done = True
        self._env.close()


class _Directory:
    """The directory of a trajectory, removed if it is temporary."""

    def __init__(self, given: str | os.PathLike[str] | None) -> None:
        self.given = given is not None
        if given is not None:
            self.path = os.fspath(given)
            return
        self.path = tempfile.mkdtemp(prefix="aq-gym-")
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def _make(task: Task) -> gym.Env[Any, Any]:
    try:
        return task.make()
    except TypeError:
        # The constructor's own error names its arguments.
        check_names(task.id, task.kwargs)
        raise


def _check_start(env_id: str, observation: object, info: Mapping[str, Any]) -> None:
    if not isinstance(observation, str):
        raise TypeError(
            f"id={env_id!r} has observations of the type {type(observation).__name__}, "
            "which must be str: wrap it with aq_gym.adapt and register the result"
        )
    absent = [key for key in _NEEDED if key not in info]
    if absent:
        raise ValueError(
            f"id={env_id!r} has no {', '.join(absent)} in info: wrap it with "
            "aq_gym.wrappers.SubgoalProgress and register the wrapped environment"
        )


def _check_values(given: Mapping[str, Any]) -> None:
    for name, kind, allowed in (
        ("kwargs", Mapping, "a dict"),
        ("directory", str | os.PathLike, "a path"),
    ):
        if not isinstance(given[name], kind | None):
            raise TypeError(f"{name}={given[name]!r:.200} must be {allowed} or None")
    for name, least in (("seed", 0), ("max_steps", 1), ("max_invalid", 1)):
        if given[name] is not None and given[name] < least:
            raise ValueError(f"{name}={given[name]} must be at least {least}")
    seen = IMAGE_TOKENS * (given["observe"] == "image")
    check_lengths(given["context"] - seen, given["max_tokens"])
