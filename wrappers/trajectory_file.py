"""Reading of what :class:`TrajectoryLogger` wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aq_gym.wrappers import jsonl
from aq_gym.wrappers._header import SCHEMA
from aq_gym.wrappers.codec import decode
from aq_gym.wrappers.episode_file import COMPRESSED_SUFFIX, SUFFIX


@dataclass(frozen=True)
class Trajectory:
    """One episode.

    Attributes:
        path: The file it was read from.
        header: The header record; empty if not even that was written whole.
        steps: The records of the steps, in their order.
        end: The end record, or None if the episode did not end.
        torn: Whether a line was skipped because it was not written whole.
    """

    path: Path
    header: dict[str, Any]
    steps: list[dict[str, Any]]
    end: dict[str, Any] | None
    torn: bool

    @property
    def name(self) -> str:
        """The file's name without suffix."""
        return _stem(self.path.name)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing from the header to the end record.

        The file of a copied environment begins at the step its header names.
        """
        if not self.header or self.end is None:
            return False
        parent = self.header["parent"]
        before = parent["step"] if parent else 0
        return bool(before + len(self.steps) == self.end["steps"])


def read(path: str | os.PathLike[str]) -> Trajectory:
    """Read one episode, also if its writer was killed or still writes.

    Args:
        path: The file, compressed or not.

    Raises:
        ValueError: If it is no trajectory, or of a later schema version.
    """
    records, torn = jsonl.read(path)
    by_kind: dict[str, list[dict[str, Any]]] = {"header": [], "step": [], "end": []}
    for record in records:
        if record.get("kind") not in by_kind:
            raise ValueError(f"{os.fspath(path)} is not a trajectory: {record!r:.200}")
        by_kind[record["kind"]].append(decode(record))
    header = next(iter(by_kind["header"]), {})
    if header and header["schema"] > SCHEMA:
        raise ValueError(
            f"{os.fspath(path)} has schema version {header['schema']}; this version "
            f"of aq_gym reads up to {SCHEMA}"
        )
    end = next(iter(by_kind["end"]), None)
    return Trajectory(Path(path), header, by_kind["step"], end, torn > 0)


def iter_trajectories(directory: str | os.PathLike[str]) -> Iterator[Trajectory]:
    """Read the episodes in a directory one after the other, sorted by name.

    Args:
        directory: The directory; its subdirectories are not looked into.

    Raises:
        ValueError: If a JSON Lines file in it is no trajectory.
    """
    names = {
        _stem(name)
        for name in os.listdir(directory)
        if name.endswith((SUFFIX, COMPRESSED_SUFFIX))
    }
    for name in sorted(names):
        yield read(find(directory, name))


def find(directory: str | os.PathLike[str], name: str) -> Path:
    """Return the path of an episode, compressed or not.

    Args:
        directory: Where it is.
        name: Its name without suffix.

    Raises:
        FileNotFoundError: If there is none.
    """
    # Of both, the compressed one was finished: its writer was killed before it could
    # remove the other.
    for suffix in (COMPRESSED_SUFFIX, SUFFIX):
        path = Path(directory, name + suffix)
        if path.exists():
            return path
    raise FileNotFoundError(f"{os.fspath(directory)} has no trajectory {name!r}")


def _stem(name: str) -> str:
    return name.removesuffix(".gz").removesuffix(SUFFIX)
