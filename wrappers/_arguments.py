"""Checks of what wrappers are given, by their users and by environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import gymnasium as gym


def check_type(
    name: str, value: object, kinds: type | tuple[type, ...], allowed: str
) -> None:
    """Refuse an argument of another type; a bool is no number.

    Args:
        name: The argument's name.
        value: Its value.
        kinds: The types it may have.
        allowed: The same in words.

    Raises:
        TypeError: If it has none of them.
    """
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    is_bool = isinstance(value, bool) and bool not in kinds
    if is_bool or not isinstance(value, kinds):
        raise TypeError(f"{name}={value!r:.200} must be {allowed}")


def texts(name: str, value: Sequence[str]) -> list[str]:
    """Return a sequence of texts as a list, and refuse a single text.

    Args:
        name: The argument's name.
        value: Its value.

    Raises:
        TypeError: If it is no sequence of str.
    """
    if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        return list(value)
    raise TypeError(f"{name}={value!r:.200} must be a list or tuple of str")


def mapping(name: str, value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a mapping as a dict, and None as it is.

    Args:
        name: The argument's name.
        value: Its value.

    Raises:
        TypeError: If it is neither.
    """
    if value is not None:
        check_type(name, value, Mapping, "a mapping, or None")
    return None if value is None else dict(value)


def checked_info(info: object, env: gym.Env[Any, Any]) -> dict[str, Any]:
    """Return what an environment gave as info.

    Args:
        info: That.
        env: The environment.

    Raises:
        TypeError: If it is no dict.
    """
    # A dict is told apart without the cost of the abstract class, three times a step.
    if type(info) is not dict and not isinstance(info, Mapping):
        raise TypeError(f"{env} gave info={info!r:.200}; it must be a dict")
    return cast("dict[str, Any]", info)
