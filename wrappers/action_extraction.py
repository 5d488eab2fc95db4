"""Extract the action from a model's completion."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, SupportsFloat, cast

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.support.arguments import check_type
from aq_gym.wrappers._arguments import method_of
from aq_gym.wrappers._completion import Reading, read_completion, split_reasoning

_REACT = re.compile(r"\s*Thought:.*^(Action:.*)", re.DOTALL | re.MULTILINE)


class ExtractAction(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Replaces a model's completion with the action in it; see :func:`extract_action`.

    If the environment has a method ``understands(text) -> bool``, as every
    :class:`aq_gym.TextEnv` has, the first candidate that it understands is the action.
    If its method ``published_action(text) -> str | None`` returns a text, that is the
    action; so is what ``stated_answer(text) -> str | None`` returns, the part of a text
    that states an answer, in environments that ask for one.
    A completion without an action is passed to the environment, which finds it invalid:
    it takes a step and counts as repetition like any other text. If it consists of
    reasoning alone, a short text that says so is passed on instead, and the reason is
    put before ``info["feedback"]``. An action that is not a str is not changed.

    Added to info: ``extracted_action: str``, the text passed to the environment; "" on
    reset and for an action that is not a str.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        pattern: str | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: A Gymnasium environment whose actions are text.
            pattern: A regular expression with one group, which is the action. The last
                match in the completion counts. By default, :func:`extract_action` is
                used.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If the pattern is malformed or does not have one group.
        """
        RecordConstructorArgs.__init__(self, pattern=pattern)
        gym.Wrapper.__init__(self, env)
        self._pattern = None if pattern is None else _compiled(pattern)
        self._reader: Callable[[str], Reading] = read_completion

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        # Looked up once an episode, because the lookup passes through every wrapper.
        self._reader = reader_of(self.env)
        return observation, {**info, "extracted_action": ""}

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment with the action in the completion."""
        if isinstance(action, str):
            reading = self._read(action)
            action = cast("ActType", reading.action)
        else:
            reading = Reading("")
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = {**info, "extracted_action": reading.action}
        if reading.problem and isinstance(info.get("feedback"), str):
            info["feedback"] = f"{reading.problem} {info['feedback']}".strip()
        return observation, reward, terminated, truncated, info

    def _read(self, completion: str) -> Reading:
        if self._pattern is None:
            return self._reader(completion)
        action = completion
        for match in self._pattern.finditer(completion):
            if match[1] is not None:
                action = match[1]
        return Reading(action)


def extract_action(
    completion: str,
    understands: Callable[[str], bool] | None = None,
    has_tools: bool = False,
) -> str:
    """Return the action in a model's completion, or the completion if it has none.

    Reasoning and invented observations are removed first. Then the action is searched
    for in JSON, tags, markers such as ``Action:``, code fences, bold or quoted parts,
    and lines. The first candidate that the environment understands is the action;
    without ``understands``, it is the first candidate, and lines are used only if there
    is one. ``docs/agents.md`` describes all rules.

    Args:
        completion: The text that a model returned, of any length.
        understands: Returns whether a text is in the environment's grammar of actions;
            see :func:`understands_of`.
        has_tools: Whether actions are tool calls, whose arguments are not actions.

    Returns:
        The action; "[reasoning without an action]" or a similar text in brackets for
        a completion of reasoning alone.

    Raises:
        TypeError: If the completion is not a str.
    """
    check_type("completion", completion, str, "a str")
    return read_completion(completion, understands, has_tools).action


def reader_of(env: gym.Env[Any, Any]) -> Callable[[str], Reading]:
    """Return the function that reads the action in a completion for an environment."""
    own, understands = method_of(env, "published_action"), understands_of(env)
    read = partial(
        read_completion,
        understands=understands,
        has_tools=env.has_wrapper_attr("tools"),
        stated=method_of(env, "stated_answer"),
    )
    return partial(_read_published, own, read) if own else read


def _read_published(
    own: Callable[[str], str | None], read: Callable[[str], Reading], completion: str
) -> Reading:
    # Frameworks for ReAct pass on what follows the last marker.
    react = _REACT.match(completion)
    action = own(react[1] if react else completion)
    return read(completion) if action is None else Reading(action)


def strip_reasoning(completion: str) -> str:
    """Return a completion without reasoning, for the history of a conversation.

    Args:
        completion: The text that a model returned, of any length.

    Raises:
        TypeError: If it is not a str.
    """
    check_type("completion", completion, str, "a str")
    return split_reasoning(completion).text


def understands_of(env: gym.Env[Any, Any]) -> Callable[[str], bool] | None:
    """Return an environment's method ``understands``, or None if it has none.

    Args:
        env: The environment, wrapped or not.
    """
    return method_of(env, "understands")


def _compiled(pattern: str) -> re.Pattern[str]:
    check_type("pattern", pattern, str, "a str, or None")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(
            f"pattern={pattern!r} is not a regular expression: {error}"
        ) from error
    if compiled.groups != 1:
        raise ValueError(
            f"pattern={pattern!r} has {compiled.groups} groups; it must have one, "
            "which holds the action"
        )
    return compiled
