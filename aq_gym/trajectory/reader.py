"""Read the files that :class:`TrajectoryLogger` writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aq_gym.trajectory import jsonl
from aq_gym.trajectory.codec import decode, shown
from aq_gym.trajectory.packed import SUFFIX, names, packed_path
from aq_gym.trajectory.writer import SCHEMA

_KINDS = ("header", "step", "end")
# The beginning of every trajectory, even with a torn header.
START = b'{"kind":"header",'


@dataclass(frozen=True)
class Trajectory:
    """A recorded episode.

    Attributes:
        path: The file.
        header: The header record; empty if the file has no complete one.
        steps: The records of the steps, in order.
        end: The end record, or None if the episode did not end.
        torn: Whether a part is missing or out of order: a torn line, which is skipped,
            or a step.
    """

    path: Path
    header: dict[str, Any]
    steps: list[dict[str, Any]]
    end: dict[str, Any] | None
    torn: bool

    @property
    def name(self) -> str:
        """The name of the file without suffix."""
        return self.path.name.removesuffix(".gz").removesuffix(SUFFIX)

    @property
    def in_order(self) -> bool:
        """Whether the steps are consecutive, from the first one.

        The file of a copied environment starts after the step that its header names.
        """
        return _in_order(self.header, self.steps)

    @property
    def complete(self) -> bool:
        """Whether the file is complete, from the header to the end record.

        It is not complete if the environment raised an error in a step.
        """
        if not self.header or self.end is None or self.end["reason"] == "error":
            return False
        before = _steps_before(self.header)
        return self.in_order and bool(before + len(self.steps) == self.end["steps"])


def read(path: str | os.PathLike[str]) -> Trajectory:
    """Read an episode, even if its writer was killed or is still writing.

    Args:
        path: The file, which may be packed.

    Raises:
        ValueError: If the file is not a trajectory, is damaged in another way than by
            the end of its writer, or has a later schema version.
    """
    try:
        records, torn = _records(path)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)} is not a trajectory: {error}") from error
    headers, steps, ends = (
        [record for record in records if record["kind"] == kind] for kind in _KINDS
    )
    header = next(iter(headers), {})
    kinds = [record["kind"] for record in records]
    in_place = ["header"] * bool(headers) + ["step"] * len(steps) + ["end"] * bool(ends)
    whole = not torn and kinds == in_place and _in_order(header, steps)
    return Trajectory(Path(path), header, steps, next(iter(ends), None), not whole)


def _records(path: str | os.PathLike[str]) -> jsonl.Records:
    records, torn, first = [], 0, START
    for number, line in enumerate(jsonl.read_lines(path), 1):
        if number == 1:
            first = line.raw
        if line.record is None:
            torn += bool(line.raw.strip())
            continue
        try:
            records.append(_checked(line.record))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
    if not records and not START.startswith(first[: len(START)]):
        raise ValueError("it contains no records")
    return jsonl.Records(records, torn)


def missing_part(path: str | os.PathLike[str]) -> str:
    """Return the name of the part that an incomplete trajectory lacks."""
    lines = enumerate(jsonl.read_lines(path), 1)
    damaged = (n for n, one in lines if one.raw.strip() and one.record is None)
    line = next(damaged, 0)
    return f"line {line} is damaged" if line else "it lacks records, or their order"


def iter_trajectories(directory: str | os.PathLike[str]) -> Iterator[Trajectory]:
    """Yield the episodes in a directory, sorted by name.

    Args:
        directory: The directory; subdirectories are not searched.

    Raises:
        ValueError: If a JSON Lines file in it is not a trajectory.
    """
    for name in sorted(names(directory)):
        yield read(find(directory, name))


def find(directory: str | os.PathLike[str], name: str) -> Path:
    """Return the path of an episode, packed or not.

    No file exists at the path of a packed episode, but :func:`read` reads it.

    Raises:
        FileNotFoundError: If there is no such file.
    """
    path = Path(directory, name + SUFFIX)
    # A name can come from a file, and must not lead out of the directory.
    if path.parent == Path(directory) and (path.exists() or packed_path(path).exists()):
        return path
    raise FileNotFoundError(f"{os.fspath(directory)} has no trajectory {name!r}")


def _checked(record: dict[str, Any]) -> dict[str, Any]:
    check_schema(record, SCHEMA)
    decoded = {}
    for name, value in record.items():
        try:
            decoded[name] = decode(value)
        except RecursionError:
            raise ValueError(f"{name!r} is nested too deeply") from None
        except ValueError as error:
            raise ValueError(f"{name!r}: {error}") from error
    check_fields(decoded)
    return decoded


def _steps_before(header: dict[str, Any]) -> int:
    parent = header.get("parent")
    return parent["step"] if parent else 0


def _in_order(header: dict[str, Any], steps: list[dict[str, Any]]) -> bool:
    first = _steps_before(header) + 1
    return [step["t"] for step in steps] == list(range(first, first + len(steps)))


_Kinds = type | tuple[type, ...]
_OR_NONE = type(None)
_FIELDS: dict[str, dict[str, _Kinds]] = {
    "header": {
        "schema": int,
        "spec": (dict, _OR_NONE),
        "spec_missing": str,
        "versions": dict,
        "parent": (dict, _OR_NONE),
        "agent": dict,
        "seed": object,
        "random_state": (dict, _OR_NONE),
        "options": object,
        "task_id": object,
        "observation": object,
        "info": dict,
    },
    "step": {
        "t": int,
        "action": object,
        "observation": object,
        "reward": object,
        "terminated": bool,
        "truncated": bool,
        "info": dict,
    },
    "end": {"steps": int, "return": object, "reason": str},
}
_PARENT: dict[str, _Kinds] = {"file": str, "step": int}


def check_schema(record: dict[str, Any], newest: int) -> None:
    """Raise if a record has an unknown kind or a header has a later schema version.

    Raises:
        ValueError: If the record is invalid.
    """
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise ValueError(f"{shown(record)} is not a header, step or end record")
    if kind != "header":
        return
    schema = record.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise ValueError(f"schema version {shown(schema)} must be an int of at least 1")
    if schema > newest:
        raise ValueError(
            f"it has schema version {schema}; this version of aq_gym reads up to "
            f"{newest}"
        )


def check_fields(record: dict[str, Any]) -> None:
    """Raise if a record lacks a field or has a field of the wrong type.

    Raises:
        ValueError: If a field is missing or has a wrong type.
    """
    kind = record["kind"]
    _check(record, _FIELDS[kind], kind)
    if kind != "header" or record["parent"] is None:
        return
    parent = record["parent"]
    _check(parent, _PARENT, "parent")
    if parent["step"] < 0 or set(parent["file"]) & set("/\\\0"):
        raise ValueError(
            f"the header's parent {shown(parent)} is not a file name and a step"
        )


def _check(record: dict[str, Any], fields: dict[str, _Kinds], owner: str) -> None:
    for name, kinds in fields.items():
        if name not in record:
            raise ValueError(f"a record {owner!r} lacks {name!r}: {shown(record)}")
        if not _is(record[name], kinds):
            raise ValueError(
                f"a record {owner!r} has {name}={shown(record[name])}, which has "
                "the wrong type"
            )


def _is(value: object, kinds: _Kinds) -> bool:
    return isinstance(value, kinds) and not (kinds is int and isinstance(value, bool))
