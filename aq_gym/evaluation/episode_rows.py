"""The rows of ``episodes.jsonl``, checked as they are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from aq_gym.evaluation.episode import Episode
from aq_gym.trajectory import jsonl

__all__ = ["read_episodes"]


def read_episodes(path: Path) -> list[Episode]:
    """Read a run's rows in the order in which the episodes ended.

    If a task has several rows, the last one counts.

    Args:
        path: The run's directory.

    Raises:
        ValueError: If a row is damaged, or of another version.
    """
    file = path / "episodes.jsonl"
    rows = jsonl.read(file).records if file.exists() else []
    try:
        return [_episode(row) for row in rows]
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{file} is damaged, or of another version: {error}"
        ) from error


def _episode(row: Mapping[str, Any]) -> Episode:
    for name, value in row.items():
        fits, expected = _EXPECTED.get(name, (_is_text, "a string"))
        if not fits(value):
            raise ValueError(f"{name}={value!r:.80} must be {expected}")
    episode = Episode(**row)
    for name in ("progress", "repeated"):
        count = len(getattr(episode, name))
        if count != episode.steps and not episode.error:
            raise ValueError(f"{name} has {count} values, and steps={episode.steps}")
    return episode


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_int(value: object) -> bool:
    return type(value) is int


def _is_number(value: object) -> bool:
    try:
        # mypy does not conclude from type() what it does from isinstance().
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def _is_number_or_none(value: object) -> bool:
    return value is None or _is_number(value)


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


def _are_bools(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_bool, value))


def _are_figures(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


_NUMBER = (_is_number, "a finite number")
_INT = (_is_int, "an int")
_FIGURES = (_are_figures, "an object of finite numbers")
_EXPECTED: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "seed": _INT,
    "cap": _INT,
    "steps": _INT,
    "success": (_is_bool, "a bool"),
    "progress_rate": _NUMBER,
    "repetition_rate": _NUMBER,
    "repetitions": _INT,
    "grounding": (_is_number_or_none, "a finite number or null"),
    "distinct_observations": _INT,
    "distinct_locations": _INT,
    "progress": (_are_numbers, "a list of finite numbers"),
    "repeated": (_are_bools, "a list of bools"),
    "usage": _FIGURES,
    "figures": _FIGURES,
}
