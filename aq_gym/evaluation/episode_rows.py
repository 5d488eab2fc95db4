"""The rows of ``episodes.jsonl``, checked as they are read."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from aq_gym.evaluation.episode import Episode
from aq_gym.trajectory import jsonl

__all__ = ["add_scores", "read_episodes"]


def read_episodes(path: Path) -> list[Episode]:
    """Read a run's rows in the order in which the episodes ended.

    If a task has several rows, the last one counts.

    Args:
        path: The run's directory.

    Raises:
        ValueError: If a row is damaged, or of another version.
    """
    file = path / "episodes.jsonl"
    if not file.exists():
        return []
    episodes = []
    for number, line in enumerate(jsonl.read_lines(file), 1):
        if line.damaged:
            raise ValueError(
                f"{file} is damaged: line {number} has a wrong checksum; delete the "
                "line, and the command that began the run writes the row again"
            )
        if line.record is None:
            continue
        try:
            episodes.append(_episode(line.record))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{file} is damaged, or of another version: line {number}: {error}"
            ) from error
    return episodes


def add_scores(path: Path, scores: Mapping[str, Mapping[str, float | None]]) -> None:
    """Add values of metrics to the last row of each task.

    The file is replaced at once, and its other lines are kept as they are.

    Args:
        path: The run's directory.
        scores: The values by name, by task; None removes an earlier value.
    """
    file = path / "episodes.jsonl"
    checksums = jsonl.has_checksums(file)
    lines = jsonl.read_lines(file)
    last = {line.record["task"]: n for n, line in enumerate(lines) if line.record}
    part = file.with_name(f".{file.name}.part")
    part.unlink(missing_ok=True)
    written = [line.raw for line in lines]
    for task, values in scores.items():
        row = _episode(lines[last[task]].record or {})
        merged = {**row.scores, **values}
        known = {name: value for name, value in merged.items() if value is not None}
        row = replace(row, scores=known)
        text = jsonl.dumps(row.to_record())
        written[last[task]] = jsonl.with_checksum(text) if checksums else text
    with part.open("wb") as out:
        out.write(b"".join(line + b"\n" for line in written))
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def _episode(row: Mapping[str, Any]) -> Episode:
    if "figures" in row:
        # The name of the field in earlier versions.
        row = {("scores" if k == "figures" else k): v for k, v in row.items()}
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


def _is_object_of_numbers(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


_BOOL = (_is_bool, "a bool")
_NUMBER = (_is_number, "a finite number")
_INT = (_is_int, "an int")
_NUMBERS = (_is_object_of_numbers, "an object of finite numbers")
_EXPECTED: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "seed": _INT,
    "cap": _INT,
    "steps": _INT,
    "success": _BOOL,
    "unfinished": _BOOL,
    "progress_rate": _NUMBER,
    "repetition_rate": _NUMBER,
    "repetitions": _INT,
    "grounding": (_is_number_or_none, "a finite number or null"),
    "distinct_observations": _INT,
    "distinct_locations": _INT,
    "progress": (_are_numbers, "a list of finite numbers"),
    "repeated": (_are_bools, "a list of bools"),
    "usage": _NUMBERS,
    "scores": _NUMBERS,
}
