"""Read trajectories that are packed into shards.

``shards.json`` in a folder is the index of its shards. A shard is a sequence of
Zstandard frames, each of which holds the bytes of several files, one after the other.
The index has the place and the CRC-32 of each file, and is the only thing that says
which shards count: what it does not name was not finished. A file that lies in the
folder itself takes precedence over a packed one of the same name.
"""

from __future__ import annotations

import functools
import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

# No episode comes near it; a small compressed file could unpack to far more.
LARGEST = 1 << 28
INDEX = "shards.json"
PART = ".part"
SCHEMA = 1

_SHARD = re.compile(r"shard-[0-9]{5}\.zst\Z")
_FILE = re.compile(r"[^/\\\0]+\.jsonl(\.gz)?\Z")


class Frame(NamedTuple):
    """A compressed piece of a shard.

    Attributes:
        shard: The number of the shard in the index.
        offset: Where it begins in the shard, in bytes.
        size: Its size, in bytes.
        unpacked: The size of what it holds, in bytes.
    """

    shard: int
    offset: int
    size: int
    unpacked: int


class Entry(NamedTuple):
    """The place of a file.

    Attributes:
        frame: The number of the frame in the index.
        offset: Where the file begins in what the frame holds, in bytes.
        size: Its size, in bytes.
        crc: Its CRC-32.
    """

    frame: int
    offset: int
    size: int
    crc: int


@dataclass(frozen=True)
class Index:
    """The index of a folder's shards.

    Attributes:
        shards: The names of the shards.
        frames: Their frames.
        files: The place of each file, by its name.
    """

    shards: Sequence[str] = ()
    frames: Sequence[Frame] = ()
    files: Mapping[str, Entry] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the index as JSON."""
        return json.dumps(
            {
                "schema": SCHEMA,
                "shards": list(self.shards),
                "frames": list(self.frames),
                "files": dict(self.files),
            },
            separators=(",", ":"),
        )


def load(folder: str | os.PathLike[str]) -> Index:
    """Return the index of a folder, which is empty if there is no index file.

    Args:
        folder: The folder.

    Raises:
        ValueError: If the index is damaged.
    """
    path = os.path.join(folder, INDEX)
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return _EMPTY
    return _load(path, status.st_mtime_ns, status.st_size, status.st_ino)


def holds(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is packed in a shard of its folder.

    Args:
        path: Where the file would lie.

    Raises:
        ValueError: If the index is damaged.
    """
    folder, name = os.path.split(path)
    return name in load(folder).files


def read(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a packed file.

    Args:
        path: Where the file would lie.

    Raises:
        FileNotFoundError: If it is not packed, either.
        ValueError: If the index or the shard is damaged, or unpacks to more than the
            index says or 256 MiB.
    """
    folder, name = os.path.split(path)
    index = load(folder)
    if name not in index.files:
        raise FileNotFoundError(f"{os.fspath(path)} does not exist")
    return read_from(folder, index, name)


def read_from(folder: str | os.PathLike[str], index: Index, name: str) -> bytes:
    """Return the bytes of a packed file.

    Args:
        folder: The folder of the shards.
        index: Their index.
        name: The name of the file, which the index has.

    Raises:
        ValueError: If the shard is damaged.
    """
    entry = index.files[name]
    frame = index.frames[entry.frame]
    shard = _shard_path(folder, index.shards[frame.shard])
    try:
        unpacked = _unpacked(shard, os.stat(shard).st_mtime_ns, *frame[1:])
    except FileNotFoundError as error:
        raise ValueError(f"{shard} is missing") from error
    data = unpacked[entry.offset : entry.offset + entry.size]
    if zlib.crc32(data) != entry.crc:
        raise ValueError(f"{shard} is damaged: the checksum of {name} differs")
    return data


def packed_frame(path: str | os.PathLike[str]) -> bytes:
    """Return the frame of a file as stored in the shard, even if it is damaged.

    Args:
        path: Where the file would lie.
    """
    folder, name = os.path.split(path)
    index = load(folder)
    frame = index.frames[index.files[name].frame]
    try:
        return _piece(_shard_path(folder, index.shards[frame.shard]), *frame[1:3])
    except OSError:
        return b""


def is_shard(name: str) -> bool:
    """Return whether a file has the name of a shard.

    Args:
        name: The name.
    """
    return _SHARD.match(name) is not None


def is_trajectory(name: str) -> bool:
    """Return whether a file has the name of a trajectory.

    Args:
        name: The name.
    """
    return _FILE.match(name) is not None


def _shard_path(folder: str | os.PathLike[str], name: str) -> str:
    path = os.path.join(folder, name)
    # The process that packed it may have been killed before it renamed it.
    return path + PART if os.path.exists(path + PART) else path


# The episodes of a run are mostly read in order, several of them from one frame.
@functools.lru_cache(maxsize=2)
def _unpacked(path: str, stamp: int, offset: int, size: int, unpacked: int) -> bytes:
    from aq_gym.trajectory.zstandard import zstd

    decompressor = zstd.ZstdDecompressor()
    try:
        # One byte more would be too many.
        data = decompressor.decompress(_piece(path, offset, size), unpacked + 1)
    except zstd.ZstdError as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    if len(data) != unpacked or not decompressor.eof or decompressor.unused_data:
        raise ValueError(f"{path} is damaged: it does not unpack to {unpacked} bytes")
    return data


def _piece(path: str, offset: int, size: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(size)


@functools.lru_cache(maxsize=8)
def _load(path: str, stamp: int, size: int, inode: int) -> Index:
    if size > LARGEST:
        raise ValueError(f"{path} has more than {LARGEST} bytes")
    try:
        index = _index(json.loads(Path(path).read_bytes()))
    except FileNotFoundError:
        return _EMPTY
    except (
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    return index


def _index(record: Any) -> Index:
    schema = record["schema"]
    if schema != SCHEMA:
        raise ValueError(f"schema version {schema!r:.80} is not {SCHEMA}")
    shards = [str(name) for name in record["shards"]]
    for name in shards:
        if not is_shard(name):
            raise ValueError(f"{name!r:.80} is not the name of a shard")
    frames = [Frame(*_naturals(frame)) for frame in record["frames"]]
    for frame in frames:
        if frame.shard >= len(shards) or max(frame[2:]) > LARGEST:
            raise ValueError(f"{frame} is out of bounds")
    files = {name: Entry(*_naturals(entry)) for name, entry in record["files"].items()}
    for name, entry in files.items():
        inside = entry.frame < len(frames) and (
            entry.offset + entry.size <= frames[entry.frame].unpacked
        )
        if not is_trajectory(name) or not inside:
            raise ValueError(f"{name!r:.80} is out of bounds")
    return Index(tuple(shards), tuple(frames), files)


def _naturals(values: Any) -> list[int]:
    if any(type(value) is not int or value < 0 for value in values):
        raise ValueError(f"{values!r:.80} must be non-negative ints")
    return list(values)


_EMPTY = Index()
