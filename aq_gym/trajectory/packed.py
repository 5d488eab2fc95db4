"""Trajectories of finished runs, each compressed as ``NAME.jsonl.gz``.

Packing can be killed at any moment: a compressed file is written under a name that ends
in ".part" and renamed, and only then is the original removed. If both exist, the
original is read.
"""

from __future__ import annotations

import gzip
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

SUFFIX = ".jsonl"
_PACKED = ".gz"
_PART = ".part"
# The exceptions of reading a damaged packed file.
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class PackResult(NamedTuple):
    """The result of packing.

    Attributes:
        files: The number of files that were packed.
        size: The total size of the files, in bytes.
        packed: Their total size after packing.
    """

    files: int
    size: int
    packed: int


@contextmanager
def open_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for reading, packed or not.

    Args:
        path: The path of a file, or the path that a packed file had before.

    Raises:
        FileNotFoundError: If it does not exist.
        ValueError: If it is not a file, such as a pipe, or is packed and damaged.
    """
    found = Path(path)
    if not found.exists():
        found = packed_path(found)
    if not found.exists():
        raise FileNotFoundError(f"{os.fspath(path)} does not exist")
    if not found.is_file():
        raise ValueError(f"{found!s:.200} is not a file")
    if found.suffix != _PACKED:
        with found.open("rb") as file:
            yield file
        return
    try:
        with gzip.open(found) as unpacked:
            yield cast("IO[bytes]", unpacked)
    except DAMAGED as error:
        raise ValueError(f"{found} is damaged: {error}") from error


def packed_path(path: Path) -> Path:
    """Return the path of a file when it is packed."""
    return path.with_name(path.name + _PACKED)


def names(folder: str | os.PathLike[str]) -> set[str]:
    """Return the names of the trajectories in a folder, packed or not.

    They have no suffix. Subfolders are not searched.
    """
    files = (name.removesuffix(_PACKED) for name in os.listdir(folder))
    return {name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)}


def pack(folder: str | os.PathLike[str]) -> PackResult:
    """Compress the trajectories of a folder, to which nothing may write meanwhile.

    Args:
        folder: The folder; entries that are not files stay unchanged.

    Raises:
        OSError: If a file cannot be written. It and the remaining ones are then
            unchanged.
    """
    recover(folder)
    paths = [path for path in sorted(Path(folder).glob(f"*{SUFFIX}")) if path.is_file()]
    size = sum(path.stat().st_size for path in paths)
    for path in paths:
        with path.open("rb") as file:
            _compress(file, packed_path(path))
        path.unlink()
    packed = sum(packed_path(path).stat().st_size for path in paths)
    return PackResult(len(paths), size, packed)


def recover(folder: str | os.PathLike[str]) -> None:
    """Remove the unfinished files of an interrupted packing from a folder."""
    for name in names(folder):
        path = Path(folder, name + SUFFIX)
        if path.exists():
            packed_path(path).unlink(missing_ok=True)
    for path in Path(folder).glob(f"*{SUFFIX}{_PACKED}{_PART}"):
        path.unlink()


def _compress(source: IO[bytes], target: Path) -> None:
    """Compress a file, which exists under its name only when it is complete."""
    part = target.with_name(target.name + _PART)
    try:
        with part.open("wb") as file:
            # Without the time and the name, equal files make equal bytes.
            with gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
                shutil.copyfileobj(source, packed)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
