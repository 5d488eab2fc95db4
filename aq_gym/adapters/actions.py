"""How the actions of Gymnasium's spaces are written as text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import singledispatch
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces

from aq_gym.core.text import normalize, plural, quote


@singledispatch
def describe(space: spaces.Space[Any]) -> str:
    """Return the format of a space's elements in words.

    Raises:
        TypeError: If the space is not a Discrete, MultiDiscrete, MultiBinary, Box,
            Text, Dict or Tuple.
    """
    raise TypeError(f"actions in {space} have no default text: give text_to_action")


@singledispatch
def from_json(space: spaces.Space[Any], value: Any) -> Any:
    """Return the element of a space that a JSON value stands for.

    Raises:
        ValueError: If the value does not denote an element; the message says what is
            wrong with it.
    """
    raise TypeError(f"{space} is not supported")


@singledispatch
def to_json(space: spaces.Space[Any], element: Any) -> Any:
    """Return an element of a space as a JSON value."""
    return np.asarray(element).tolist()


@describe.register
def _(space: spaces.Discrete) -> str:
    return (
        f"a whole number {_interval(int(space.start), int(space.start + space.n - 1))}"
    )


@from_json.register
def _(space: spaces.Discrete, value: Any) -> int:
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    _check_whole(value)
    if not space.start <= value < space.start + space.n:
        raise ValueError(f"{_shown(value)} is not {describe(space)}")
    return int(value)


@describe.register(spaces.MultiDiscrete)
@describe.register(spaces.MultiBinary)
@describe.register(spaces.Box)
def _(space: Any) -> str:
    low, high = _bounds(space)
    kind = "whole number" if np.issubdtype(space.dtype, np.integer) else "number"
    if low.size == 0:
        return "an empty list"
    if low.ndim > 1:
        head = f"nested lists of {kind}s of shape {low.shape}"
    elif low.ndim == 0:
        return f"a {kind} {_interval(low.item(), high.item())}"
    else:
        head = f"a list of {plural(low.size, kind)}"
    if (low == low.flat[0]).all() and (high == high.flat[0]).all():
        return f"{head} {_interval(low.flat[0].item(), high.flat[0].item())}"
    pairs = zip(low.flat, high.flat, strict=True)
    return f"{head}: {', '.join(_interval(a.item(), b.item()) for a, b in pairs)}"


@from_json.register(spaces.MultiDiscrete)
@from_json.register(spaces.MultiBinary)
@from_json.register(spaces.Box)
def _(space: Any, value: Any) -> Any:
    low, high = _bounds(space)
    given = value
    if low.ndim and not isinstance(value, list):
        given = [value]
    elif not low.ndim and isinstance(value, list) and len(value) == 1:
        given = value[0]
    try:
        array = np.array(given)
    except ValueError:  # lists of several lengths
        array = np.array(None)
    kinds = "biu" if np.issubdtype(space.dtype, np.integer) and array.size else "biuf"
    fits = array.shape == low.shape and array.dtype.kind in kinds
    if fits and ((low <= array) & (array <= high)).all():
        with np.errstate(over="ignore"):
            element = array.astype(space.dtype)
        if np.isfinite(element).all():
            # Rounding to the space's dtype could leave its bounds.
            return np.asarray(np.clip(element, low, high), dtype=space.dtype)
    raise ValueError(f"{_shown(value)} is not {describe(space)}")


@describe.register
def _(space: spaces.Text) -> str:
    return f"a text of at most {plural(space.max_length, 'character')}"


@from_json.register
def _(space: spaces.Text, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} is not a text")
    if not space.contains(value):
        raise ValueError(f"the text {_shown(value)} is not in {space}")
    return value


@to_json.register
def _(space: spaces.Text, element: str) -> str:
    return element


@describe.register
def _(space: spaces.Dict) -> str:
    parts = [f'"{name}": {describe(part)}' for name, part in space.items()]
    return f"a JSON object with {', '.join(parts)}"


@from_json.register
def _(space: spaces.Dict, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{_shown(value)} is not a JSON object")
    known = space.spaces
    wrong = [f"no {name!r}" for name in known if name not in value]
    wrong += [f"an unknown key {_shown(name)}" for name in value if name not in known]
    if wrong:
        raise ValueError(f"the JSON object has {wrong[0]}")
    found = {}
    for name, part in space.items():
        try:
            found[name] = from_json(part, value[name])
        except ValueError as error:
            raise ValueError(f"{name!r}: {error}") from None
    return found


@to_json.register
def _(space: spaces.Dict, element: Any) -> dict[str, Any]:
    return {name: to_json(part, element[name]) for name, part in space.items()}


@describe.register(spaces.Tuple)
def _(space: spaces.Tuple[Any]) -> str:
    return f"a JSON list of {', '.join(map(describe, space))}"


@from_json.register(spaces.Tuple)
def _(space: spaces.Tuple[Any], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) != len(space.spaces):
        raise ValueError(f"{_shown(value)} is not a list of {len(space.spaces)} items")
    return tuple(map(from_json, space.spaces, value))


@to_json.register(spaces.Tuple)
def _(space: spaces.Tuple[Any], element: Any) -> list[Any]:
    return list(map(to_json, space.spaces, element))


def _bounds(space: Any) -> tuple[Any, Any]:
    """Return the lower and upper bounds of a space of numbers, as arrays."""
    if isinstance(space, spaces.Box):
        return space.low, space.high
    if isinstance(space, spaces.MultiBinary):
        shape = tuple(space.shape or ())
        return np.zeros(shape, space.dtype), np.ones(shape, space.dtype)
    return space.start, space.start + space.nvec - 1


def _interval(low: float, high: float) -> str:
    shown = [
        f"{bound:g}" if isinstance(bound, float) else str(bound)
        for bound in (low, high)
    ]
    if math.isinf(low) and math.isinf(high):
        return "of any size"
    if math.isinf(high):
        return f"of at least {shown[0]}"
    if math.isinf(low):
        return f"of at most {shown[1]}"
    return f"from {shown[0]} to {shown[1]}"


def _check_whole(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{_shown(value)} is not a whole number")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


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
    """Return the JSON value of a text that may lack JSON's quotes or brackets."""
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
