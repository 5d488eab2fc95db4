"""Text formats of the actions of Gymnasium's spaces."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces

from aq_gym.adapters.values import describe, from_json, to_json
from aq_gym.core.text import normalize, quote

# A longer text is not an action made of numbers.
_LONGEST = 10_000
_PREFIX = re.compile(r"\A(?:action|number)?\s*[:#=]?\s*", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,;]+")


class ActionFormat(Protocol):
    """Parses actions that are written as text."""

    @property
    def description(self) -> str:
        """The format, as the end of "An action is ..."."""

    def read(self, text: str) -> Any:
        """Return the action that a text denotes.

        Raises:
            ValueError: If the text is not an action; the message is the description
                of what is wrong.
        """

    def canonical(self, text: str) -> str:
        """Return one text for all texts that denote the same action.

        Raises:
            ValueError: If the text is not an action.
        """

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a random action as text."""


class Named:
    """Actions with names."""

    def __init__(
        self, actions: Mapping[str, Any], synonyms: Mapping[str, Any] | None = None
    ) -> None:
        self.names = tuple(actions)
        self.description = f"one of: {', '.join(self.names)}"
        spellings = {**(synonyms or {}), **actions}
        self._actions = {normalize(name): spellings[name] for name in spellings}
        first: dict[str, str] = {}
        for name, action in actions.items():
            first.setdefault(repr(action), name)
        self._canonical = {
            name: first.get(repr(action), name)
            for name, action in self._actions.items()
        }

    def read(self, text: str) -> Any:
        """Return the action with a name."""
        name = normalize(text[:_LONGEST])
        if name not in self._actions:
            raise ValueError(f"{quote(text)} is not an action")
        return self._actions[name]

    def canonical(self, text: str) -> str:
        """Return the first name of the action."""
        self.read(text)
        return self._canonical[normalize(text[:_LONGEST])]

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a name."""
        return self.names[int(rng.integers(len(self.names)))]


class Values:
    """Actions of most spaces, written as numbers or JSON.

    Raises:
        TypeError: If actions of the space cannot be written as JSON.
    """

    def __init__(self, space: spaces.Space[Any]) -> None:
        # A copy, so that nothing else depends on its random numbers.
        self._space = deepcopy(space)
        self.description = describe(space)
        if isinstance(space, spaces.Dict | spaces.Tuple):
            example = self.sample(np.random.default_rng(0))
            self.description += f", such as {example}"

    def read(self, text: str) -> Any:
        """Return the element of the space that a text denotes."""
        if isinstance(self._space, spaces.Text):
            return from_json(self._space, text)
        if len(text) > _LONGEST:
            raise ValueError(f"an action of {len(text)} characters is too long")
        try:
            return from_json(self._space, _value(text, self._space))
        except RecursionError:
            raise ValueError(f"{quote(text)} is nested too deeply") from None

    def sample(self, rng: np.random.Generator) -> str:
        """Draw an element of the space and write it as text."""
        self._space.seed(int(rng.integers(2**31)))
        return self._write(self._space.sample())

    def canonical(self, text: str) -> str:
        """Return the element as ``sample`` would write it."""
        return self._write(self.read(text))

    def _write(self, action: Any) -> str:
        value = to_json(self._space, action)
        return value if isinstance(value, str) else json.dumps(value)


class Custom:
    """Actions that are parsed by a function.

    Args:
        function: Returns the action that a text denotes, or raises ``ValueError`` with
            a description of what is wrong.
        space: The space of actions.
    """

    description = ""

    def __init__(
        self, function: Callable[[str], Any], space: spaces.Space[Any]
    ) -> None:
        self._function = function
        self._space = space

    def read(self, text: str) -> Any:
        """Return the action that the function returns."""
        action = self._function(text)
        if not self._space.contains(action):
            raise TypeError(
                f"text_to_action returned {action!r:.200} for {text!r:.200}, which "
                f"is not in {self._space}"
            )
        return action

    def canonical(self, text: str) -> str:
        """Return the text itself: the function does not write actions."""
        return text

    def sample(self, rng: np.random.Generator) -> str:
        """Raise an error: a function cannot draw random actions."""
        raise NotImplementedError("text_to_action does not draw random actions")


def _value(text: str, space: spaces.Space[Any]) -> Any:
    """Return the value that a text denotes, as if it were JSON."""
    bare = text.strip().strip("\"'`").strip()
    nested = isinstance(space, spaces.Dict | spaces.Tuple)
    if not nested:
        bare = _PREFIX.sub("", bare).removesuffix(".")
    found = _json(bare)
    if found is None and not nested:
        parts = [_json(part) for part in _SEPARATORS.split(bare.strip("()[] "))]
        found = None if None in parts else parts
    if found is None:
        what = "JSON" if nested else "a number or a list of numbers"
        raise ValueError(f"{quote(text)} is not {what}")
    return found


def _json(text: str) -> Any:
    """Return the value of a JSON text, or None if it is not JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")
