"""Episodes for ``environment_factory``, whose actions are tool calls."""

from __future__ import annotations

import inspect
import json
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import gymnasium as gym
from gymnasium.error import ResetNeeded

from aq_gym import Episode
from aq_gym.agents.dialogue import ToolUse
from aq_gym.agents.native_calls import make_call
from aq_gym.integrations.shared import begin_episode
from aq_gym.integrations.trl_training.datasets import task_of
from aq_gym.integrations.trl_training.rollouts import EpisodeDirectories
from aq_gym.models.messages import ToolCall
from aq_gym.tools import Tool, Toolbox

_CALL = "Take each of your actions with the tool `act`, whose argument is the action."


class _Episodes:
    """The episodes of an environment for TRL, one after another.

    Args:
        directory: A directory for the trajectories, with a subdirectory for each
            episode; None to record nothing.
    """

    _tools: ToolUse = "text"

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

        It is a property because the trainer makes a tool of each method.
        """
        return self._running.close

    @property
    def metrics(self) -> dict[str, Any]:
        """The metrics of the episode; see :class:`aq_gym.Episode`."""
        metrics = self._begun().metrics
        # The trainer stops an episode when the model makes no more calls.
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
        episode = begin_episode(
            task.to_record(),
            example=False,
            tools=self._tools,
            # The number that torchrun and accelerate give the process.
            directory=self._directories.make(int(os.environ.get("RANK") or 0)),
        )
        self._episode = self._running.enter_context(episode)
        system, first = self._episode.messages
        # The last paragraph describes the form of answers.
        briefing, _, form = system["content"].rpartition("\n\n")
        form = form if self._tools == "native" else _CALL
        return f"{briefing}\n\n{form}\n\n{first['content']}"

    def _take(self, completion: str, calls: Sequence[ToolCall] = ()) -> str:
        """Take a step, and return the observation that follows."""
        episode = self._begun()
        if episode.done:
            # The trainer tells the model and counts a failed call.
            raise ValueError("the episode is over")
        try:
            message, _, _ = episode.step(completion, tool_calls=calls)
        except Exception as error:
            # The trainer treats the error as a failed call, and scores the episode.
            self._failure = f"{type(error).__name__}: {error}"
            self._running.close()
            raise
        return message["content"]

    def _begun(self) -> Episode:
        if self._episode is None:
            raise ResetNeeded("no episode has begun: call reset with a row")
        return self._episode


class ActEnv(_Episodes):
    """An environment for ``GRPOTrainer(environment_factory=ActEnv)``.

    The model plays with calls of the tool ``act``, so its chat template has to support
    tools. The dataset comes from :func:`env_tasks` or :func:`suite_tasks`.

    To record the episodes, give ``functools.partial(ActEnv, directory=FOLDER)``. In a
    trajectory, a completion is the argument of a call; the trainer keeps the model's
    other text to itself.

    The trainer ends an episode without notice. It is closed, and its trajectory
    finished, by the next reset, by ``close()``, or when the process ends.

    Args:
        directory: A directory for the trajectories, with a subdirectory for each
            episode; None to record nothing.
    """

    def act(self, action: str) -> str:
        """Take an action.

        Args:
            action: The action, in a form that the environment names.

        Returns:
            The observation that follows.
        """
        # A model may give an argument of another type, such as a number.
        return self._take(str(action))


def tool_env(id: str, kwargs: Mapping[str, Any] | None = None) -> type[_Episodes]:  # noqa: A002
    """Return a class like :class:`ActEnv` with the tools of an environment.

    It has a method for each tool, in place of ``act``. The dataset must be made for the
    same environment::

        trainer = GRPOTrainer(
            environment_factory=tool_env("aq/ToolQuery-v0"),
            train_dataset=env_tasks("aq/ToolQuery-v0", range(1000)),
            ...
        )

    Args:
        id: The id that ``gymnasium.make`` takes.
        kwargs: Its constructor arguments.

    Raises:
        ValueError: If the environment has no tools, or different ones in each episode.
    """
    env = gym.make(id, **(kwargs or {}))
    try:
        box = env.get_wrapper_attr("tools") if env.has_wrapper_attr("tools") else None
    finally:
        env.close()
    if not isinstance(box, Toolbox):
        raise ValueError(f"id={id!r} has no tools: use ActEnv")
    if (kwargs or {}).get("rename"):
        raise ValueError("rename=True: a trainer needs the same tools in each episode")
    methods = {one.name: _method(one) for one in box}
    taken = sorted(methods.keys() & vars(_Episodes).keys())
    if taken:
        raise ValueError(f"id={id!r}: the tool name {taken[0]!r} is reserved")
    return type("EnvTools", (_Episodes,), {"_tools": "native", **methods})


def _method(tool: Tool) -> Callable[..., str]:
    """Return a method that calls a tool, with the signature that the trainer reads."""

    def call(self: _Episodes, **arguments: Any) -> str:
        made = make_call("", tool.name, json.dumps(arguments))
        return self._take("", [made])

    kind = inspect.Parameter
    parameters = [kind("self", kind.POSITIONAL_OR_KEYWORD)]
    for one in tool.parameters:
        default = kind.empty if one.required else one.default
        parameters.append(
            kind(one.name, kind.KEYWORD_ONLY, default=default, annotation=one.type)
        )
    lines = [f"    {one.name}: {one.description}" for one in tool.parameters]
    described = "\n".join(["", "", "Args:", *lines]) if lines else ""
    call.__name__ = tool.name
    call.__doc__ = f"{tool.description}{described}"
    call.__annotations__ = {one.name: one.type for one in tool.parameters}
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call
