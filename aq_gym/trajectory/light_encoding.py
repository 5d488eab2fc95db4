"""Encode values as JSON in less time, for a writer that rejects invalid text."""

from __future__ import annotations

from typing import Any

from aq_gym.trajectory.encoding import (
    MAX_DEPTH,
    PLAIN,
    READABLE_BITS,
    TAG,
    TEXT_ONLY,
    encode_within,
)

# Types that JSON represents exactly, if floats are finite and texts are Unicode.
LEAVES = PLAIN | {str, float}


def encode_for_utf8(value: Any) -> Any:
    """Encode a value as :func:`encode` does, for a writer that rejects invalid text.

    It takes less time, because numbers that are not finite and lone surrogates are left
    as they are, and plain dicts and lists are not copied. The value is to be written at
    once, by a function that raises ValueError for both; if it does, the result of
    :func:`encode` is to be written instead.

    Args:
        value: Any value.

    Raises:
        RecursionError: If it is nested more than 100 levels deep.
    """
    if type(value) in LEAVES:
        return value
    if type(value) is dict and _has_text_keys(value):
        # An info dict has the dict of subgoals, so that it is not of leaves alone.
        return _light_dict(value, MAX_DEPTH - 1)
    return _light(value, MAX_DEPTH)


def _light(value: Any, room: int) -> Any:
    """Return the encoding of a value that is not one of the leaves."""
    kind = type(value)
    if kind is dict:
        if room and _has_text_keys(value):
            # Every step has dozens of subgoals; a loop would take twice the time.
            leaves = set(map(type, value.values())) <= LEAVES
            return value if leaves else _light_dict(value, room - 1)
    elif kind is int:
        if value.bit_length() <= READABLE_BITS:
            return value
    elif kind is list and room:
        leaves = set(map(type, value)) <= LEAVES
        return value if leaves else _light_list(value, room - 1)
    return encode_within(value, room)


def _has_text_keys(value: dict[Any, Any]) -> bool:
    return set(map(type, value)) <= TEXT_ONLY and TAG not in value


def _light_dict(value: dict[str, Any], room: int) -> dict[str, Any]:
    encoded = value
    for key, item in value.items():
        if type(item) in LEAVES:
            continue
        light = _light(item, room)
        if light is not item:
            if encoded is value:
                encoded = value.copy()
            encoded[key] = light
    return encoded


def _light_list(value: list[Any], room: int) -> list[Any]:
    return [item if type(item) in LEAVES else _light(item, room) for item in value]
