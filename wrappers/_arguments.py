"""Checks of the arguments of wrappers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium as gym
from gymnasium.wrappers import Autoreset

from aq_gym.support.arguments import check_type


def mapping(name: str, value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a mapping as a dict, and None unchanged.

    Raises:
        TypeError: If the value is neither a mapping nor None.
    """
    if value is not None:
        check_type(name, value, Mapping, "a mapping, or None")
    return None if value is None else dict(value)


def rename(names: tuple[str, ...], keys: Mapping[str, str] | None) -> tuple[str, ...]:
    """Return the names with the replacements in ``keys`` applied.

    Raises:
        TypeError: If ``keys`` is not a mapping.
        ValueError: If ``keys`` contains an unknown name, or a new name is used twice.
    """
    keys = mapping("keys", keys) or {}
    unknown = sorted(set(keys) - set(names), key=repr)
    if unknown:
        raise ValueError(
            f"keys={dict(keys)!r} contains {unknown}; choose from {list(names)}"
        )
    renamed = tuple(keys.get(name, name) for name in names)
    if len(set(renamed)) < len(renamed):
        raise ValueError(f"keys={dict(keys)!r} gives two keys the same name")
    return renamed


def refuse_autoreset(wrapper: gym.Wrapper[Any, Any, Any, Any]) -> None:
    """Raise if a wrapper is outside Gymnasium's ``Autoreset``.

    ``Autoreset`` begins an episode within a step, so the wrapper would add its counts
    to those of the last episode.

    Raises:
        ValueError: If there is an ``Autoreset`` inside.
    """
    inside = wrapper.env
    while isinstance(inside, gym.Wrapper):
        if isinstance(inside, Autoreset):
            name = type(wrapper).__name__
            raise ValueError(
                f"{name} must be inside Autoreset, which begins episodes without a "
                f"reset: Autoreset({name}(env))"
            )
        inside = inside.env


def method_of(env: gym.Env[Any, Any], name: str) -> Callable[[str], Any] | None:
    """Return a method that an environment may have, or None if it has none."""
    try:
        method = env.get_wrapper_attr(name)
    except AttributeError:
        return None
    return method if callable(method) else None
