"""Convert elements of Gymnasium's spaces to and from JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np
from gymnasium import spaces

from aq_gym.core.text import plural


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
    """Return the element of a space that a JSON value denotes.

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
            # Rounding to the space's type must not leave its bounds.
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
