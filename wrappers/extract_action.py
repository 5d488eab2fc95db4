"""The action in a model's completion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, SupportsFloat, cast

import gymnasium as gym
from gymnasium.core import ActType, ObsType
from gymnasium.utils import RecordConstructorArgs

from aq_gym.wrappers._keys import rename

# Possessive repeats: nothing here may go back, so any text takes linear time.
_MARKER = re.compile(r"(?<!\w)action[ \t*_]*+\d*+[ \t*_]*+[:\uff1a]", re.IGNORECASE)
_LANGUAGE = re.compile(r"[\w+-]*+[ \t]*+\n")
_FENCE = "```"
_QUOTES = (("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("\u201c", "\u201d"))


class ExtractAction(
    gym.Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs
):
    """Takes the action out of a model's completion; see :func:`extract_action`.

    Where there is none the whole completion goes on to the environment, which finds it
    invalid: it costs a step and counts as repetition like any other text. An action
    that is not a str goes on as it is.

    Added to info: ``extracted_action: str``, the text that went on to the environment;
    "" on reset and for an action that is not a str.
    """

    def __init__(
        self,
        env: gym.Env[ObsType, ActType],
        pattern: str | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: A Gymnasium environment whose actions are text.
            pattern: A regular expression with one group, which holds the action; the
                last match in the completion counts. By default, what
                :func:`extract_action` finds.
            keys: Another name for the key "extracted_action" of info.

        Raises:
            ValueError: If the pattern is malformed or has not one group, or ``keys``
                lists an unknown name.
        """
        RecordConstructorArgs.__init__(
            self, pattern=pattern, keys=None if keys is None else dict(keys)
        )
        gym.Wrapper.__init__(self, env)
        self._pattern = None if pattern is None else _compiled(pattern)
        (self._action_key,) = rename(("extracted_action",), keys)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, self._action_key: ""}

    def step(
        self, action: ActType
    ) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment with the action that the completion names."""
        extracted = self._extract(action) if isinstance(action, str) else ""
        given = cast("ActType", extracted) if isinstance(action, str) else action
        observation, reward, terminated, truncated, info = self.env.step(given)
        info = {**info, self._action_key: extracted}
        return observation, reward, terminated, truncated, info

    def _extract(self, completion: str) -> str:
        if self._pattern is None:
            return extract_action(completion)
        action = completion
        for match in self._pattern.finditer(completion):
            if match[1] is not None:
                action = match[1]
        return action


def extract_action(completion: str) -> str:
    """Return the action that a completion names, or the whole completion.

    The action is what follows the last ``Action:`` (in any case, numbered or bold) on
    its line or, where that is empty, on the next one or in a code fence. Without such
    a marker it is the last code fence. Quotes, backticks and bold around it are taken
    off. A completion with none of these is returned unchanged.

    Args:
        completion: What the model answered, of any length.
    """
    end = len(completion)
    for marker in reversed(list(_MARKER.finditer(completion))):
        action = _marked(completion[marker.end() : end])
        if action:
            return action
        end = marker.start()
    action = _last_fenced(completion) or _unquote(completion)
    return completion if action == completion.strip() else action


def _marked(text: str) -> str:
    # Here the bold of "**Action:** x" ends.
    text = text.removeprefix("**").lstrip()
    if text.startswith(_FENCE):
        return _in_fence(text.split(_FENCE, 2)[1])
    action = text.partition("\n")[0].partition(_FENCE)[0].strip()
    for mark in ("**", "`"):
        # And here that of "**Action: x**".
        if action.endswith(mark) and action.count(mark) == 1:
            action = action.removesuffix(mark)
    return _unquote(action)


def _last_fenced(text: str) -> str:
    for fenced in reversed(text.split(_FENCE)[1::2]):
        action = _in_fence(fenced)
        if action:
            return action
    return ""


def _in_fence(fenced: str) -> str:
    language = _LANGUAGE.match(fenced)
    action = _unquote(fenced[language.end() :]) if language else ""
    # A fence of one word has no language.
    return action or _unquote(fenced)


def _unquote(text: str) -> str:
    text = text.strip()
    for opening, closing in _QUOTES:
        if not (text.startswith(opening) and text.endswith(closing)):
            continue
        inner = text[len(opening) : len(text) - len(closing)].strip()
        if inner and opening not in inner and closing not in inner:
            return _unquote(inner)
    return text


def _compiled(pattern: str) -> re.Pattern[str]:
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
