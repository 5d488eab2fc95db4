"""Pack the trajectories of a folder into shards, and unpack them.

Packing can be killed at any moment. The shards are written under names that end in
".part", read back and compared with the files; then the index, which replaces the old
one at once, names them; only then are they renamed and the files removed. So a shard
that the index does not name has all its files beside it, and a file that the index
names is either gone, or equal to the packed one and can go, or newer and stays.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from aq_gym.trajectory import shards
from aq_gym.trajectory.shards import INDEX, LARGEST, PART, Entry, Frame, Index

__all__ = ["PackResult", "pack", "recover", "take_out", "unpack"]

# Larger frames compress better; to read one file its frame is unpacked (2 ms).
_FRAME_BYTES = 1 << 22
_SHARD_BYTES = 1 << 28
_LEVEL = 9


class PackResult(NamedTuple):
    """The result of packing.

    Attributes:
        files: The number of files that were packed.
        size: Their size, in bytes.
        packed: The size of the new shards, in bytes.
    """

    files: int
    size: int
    packed: int


def pack(folder: str | os.PathLike[str]) -> PackResult:
    """Pack the trajectories of a folder, to which nothing may write meanwhile.

    Args:
        folder: The folder. Trajectories of more than 256 MiB, which nothing reads,
            stay as they are.

    Raises:
        ValueError: If the index is damaged.
        OSError: If the shards could not be written, or do not have the content of the
            files; then all files are as they were.
    """
    folder = Path(folder)
    recover(folder)
    before = shards.load(folder)
    names = [name for name in _loose(folder) if _is_small(folder / name)]
    if not names:
        return PackResult(0, 0, 0)
    written = _Shards(folder, before)
    try:
        for group in _groups(folder, names):
            written.add(group)
        written.end()
        _verify(folder, written, names)
    except BaseException:
        written.discard()
        raise
    _write_index(folder, written.index())
    _finish(folder)
    size = sum(written.files[name].size for name in names)
    packed = sum(frame.size for frame in written.frames[len(before.frames) :])
    return PackResult(len(names), size, packed)


def recover(folder: str | os.PathLike[str]) -> None:
    """Complete or undo a packing that was interrupted.

    Args:
        folder: The folder, to which no other process may write.

    Raises:
        ValueError: If the index is damaged.
    """
    folder = Path(folder)
    named = set(shards.load(folder).shards)
    for name in os.listdir(folder):
        whole = name.removesuffix(PART)
        if whole == name or whole in named:
            continue
        if whole == INDEX or shards.is_shard(whole) or shards.is_trajectory(whole):
            (folder / name).unlink()
    if named:
        _finish(folder)


def take_out(path: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Write a packed file back as a file and remove it from the index.

    If the shard is damaged, the frame that holds the file is copied as it is, and the
    target's name ends in ".zst".

    Args:
        path: Where the file would lie.
        target: Where to write it; must not exist.
    """
    folder, name = os.path.split(path)
    try:
        _write(Path(target), shards.read(path))
    except ValueError:
        _write(Path(f"{os.fspath(target)}.zst"), shards.packed_frame(path))
    index = shards.load(folder)
    rest = {key: entry for key, entry in index.files.items() if key != name}
    _write_index(Path(folder), Index(index.shards, index.frames, rest))


def unpack(folder: str | os.PathLike[str]) -> int:
    """Write the packed trajectories back as files and remove the shards.

    Args:
        folder: The folder, to which no other process may write.

    Returns:
        The number of files.

    Raises:
        ValueError: If the index or a shard is damaged; then nothing is removed.
    """
    folder = Path(folder)
    recover(folder)
    index = shards.load(folder)
    count = 0
    for name in sorted(index.files, key=lambda name: index.files[name]):
        # A file that lies there is newer.
        if not (folder / name).exists():
            _write(folder / name, shards.read(folder / name))
            count += 1
    _sync(folder)
    (folder / INDEX).unlink(missing_ok=True)
    for name in index.shards:
        (folder / name).unlink(missing_ok=True)
    return count


class _Shards:
    """New shards, and the index of the old and new shards."""

    def __init__(self, folder: Path, before: Index) -> None:
        self._folder = folder
        self._new: list[str] = []
        self.names = list(before.shards)
        self.frames = list(before.frames)
        self.files = dict(before.files)
        self._size = _SHARD_BYTES
        self._descriptor: int | None = None

    def add(self, group: Sequence[tuple[str, bytes]]) -> None:
        """Write files as one frame."""
        from aq_gym.trajectory.zstandard import zstd

        options = {
            int(zstd.CompressionParameter.compression_level): _LEVEL,
            int(zstd.CompressionParameter.checksum_flag): 1,
        }
        data = b"".join(content for _, content in group)
        packed = zstd.compress(data, options=options)
        if self._size + len(packed) > _SHARD_BYTES:
            self._next()
        assert self._descriptor is not None
        position = 0
        while position < len(packed):
            position += os.write(self._descriptor, packed[position:])
        frame = Frame(len(self.names) - 1, self._size, len(packed), len(data))
        self._size += len(packed)
        offset = 0
        for name, content in group:
            place = len(self.frames), offset, len(content), zlib.crc32(content)
            self.files[name] = Entry(*place)
            offset += len(content)
        self.frames.append(frame)

    def end(self) -> None:
        """Flush everything to the disk."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)
            self._close()

    def discard(self) -> None:
        """Remove the new shards."""
        self._close()
        for name in self._new:
            (self._folder / (name + PART)).unlink(missing_ok=True)

    def index(self) -> Index:
        """Return the index of the old and new shards."""
        return Index(self.names, self.frames, self.files)

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _next(self) -> None:
        self.end()
        number = 0
        while f"shard-{number:05d}.zst" in _taken(self._folder, self.names):
            number += 1
        name = f"shard-{number:05d}.zst"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._descriptor = os.open(self._folder / (name + PART), flags, 0o666)
        self._size = 0
        self._new.append(name)
        self.names.append(name)


def _taken(folder: Path, names: Iterable[str]) -> set[str]:
    # A shard whose index was lost is never overwritten.
    return {*names, *os.listdir(folder)}


def _groups(folder: Path, names: Iterable[str]) -> Iterator[list[tuple[str, bytes]]]:
    group: list[tuple[str, bytes]] = []
    size = 0
    for name in names:
        data = (folder / name).read_bytes()
        if group and size + len(data) > _FRAME_BYTES:
            yield group
            group, size = [], 0
        group.append((name, data))
        size += len(data)
    if group:
        yield group


def _verify(folder: Path, written: _Shards, names: Iterable[str]) -> None:
    """Raise if a file read back from its shard differs."""
    index = written.index()
    for name in names:
        if shards.read_from(folder, index, name) != (folder / name).read_bytes():
            raise OSError(f"{folder / name} was packed wrongly or changed during it")


def _finish(folder: Path) -> None:
    """Rename the shards that the index names, and remove the files in them."""
    index = shards.load(folder)
    for name in index.shards:
        with suppress(FileNotFoundError):
            os.replace(folder / (name + PART), folder / name)
    _sync(folder)
    for name in _loose(folder):
        entry = index.files.get(name)
        if entry is None or (folder / name).stat().st_size != entry.size:
            continue
        if zlib.crc32((folder / name).read_bytes()) == entry.crc:
            (folder / name).unlink()
    _sync(folder)


def _loose(folder: Path) -> list[str]:
    return sorted(filter(shards.is_trajectory, os.listdir(folder)))


def _is_small(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= LARGEST


def _write_index(folder: Path, index: Index) -> None:
    _write(folder / INDEX, index.to_json().encode())
    _sync(folder)


def _write(path: Path, data: bytes) -> None:
    """Replace a file atomically: readers see either the old or the new content."""
    part = path.with_name(path.name + PART)
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _sync(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the system supports it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
