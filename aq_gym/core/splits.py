"""Disjoint training and test splits, determined by the instance itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar, get_args

import gymnasium as gym

Split: TypeAlias = Literal["all", "train", "test"]
_SPLITS: tuple[str, ...] = get_args(Split)

_TEST_SHARE = 0.2
_TRIES = 10_000

T = TypeVar("T")


def in_split(instance: str, split: str) -> bool:
    """Return whether an instance belongs to a split.

    A hash of the instance decides, so the splits are disjoint and the same everywhere:
    a fifth of all instances are "test", the rest "train".

    Raises:
        ValueError: If ``split`` is not one of the splits.
    """
    if split not in _SPLITS:
        raise ValueError(f"split={split!r}: choose one of {', '.join(_SPLITS)}")
    if split == "all":
        return True
    digest = hashlib.sha256(instance.encode()).digest()
    is_test = int.from_bytes(digest[:8], "big") < _TEST_SHARE * 2**64
    return is_test == (split == "test")


def all_in_split(parts: str | tuple[str, ...], split: str) -> bool:
    """Return whether an instance, or every part of it, belongs to a split."""
    parts = (parts,) if isinstance(parts, str) else parts
    return all(in_split(part, split) for part in parts)


def draw(
    generate: Callable[[], T], key: Callable[[T], str | tuple[str, ...]], split: str
) -> T:
    """Generate instances until one belongs to the split.

    Args:
        generate: A function that generates a random instance.
        key: A function that returns the text that identifies an instance, or the texts
            of its parts, for :func:`all_in_split`.
        split: "all", "train" or "test".

    Raises:
        gymnasium.error.Error: If 10,000 instances in a row belong to the other split.
    """
    for _ in range(_TRIES):
        instance = generate()
        if all_in_split(key(instance), split):
            return instance
    raise gym.error.Error(
        f"split={split!r} contains none of {_TRIES} generated instances: these "
        "arguments allow too few; use split='all'"
    )
