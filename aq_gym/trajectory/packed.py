"""Trajectories that are packed into one ZIP archive in their folder.

Packing can be killed at any moment: the archive is written under a name that ends in
".part", read back and compared with the files, and renamed; only then are the files
removed. A file in the folder takes precedence over a packed one of the same name: it is
newer, or equal and may be removed.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aq_gym.support.user_files import DAMAGED_ARCHIVE, is_bounded

if TYPE_CHECKING:
    from zipfile import ZipFile

# No episode comes near this size, but a small compressed file could unpack to far more.
LARGEST = 1 << 28
ARCHIVE = "trajectories.zip"
_PART = ".part"
_FILE = re.compile(r"[^/\\\0]+\.jsonl\Z")


class PackResult(NamedTuple):
    """The result of packing.

    Attributes:
        files: The number of files that were packed.
        size: Their size, in bytes.
        packed: The size of the archive, in bytes, with the files that it had before.
    """

    files: int
    size: int
    packed: int


def packed_names(folder: str | os.PathLike[str]) -> frozenset[str]:
    """Return the names of the files in a folder's archive; none if there is none.

    Raises:
        ValueError: If the archive is damaged.
    """
    found = _archive(folder)
    return found.names if found else frozenset()


def read(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a packed file.

    Raises:
        FileNotFoundError: If it is not packed, either.
        ValueError: If the archive is damaged, or the file unpacks to more than 256 MiB.
    """
    folder, name = os.path.split(path)
    found = _archive(folder)
    if found is None or name not in found.names:
        raise FileNotFoundError(f"{os.fspath(path)} does not exist")
    return _member(found.file, name)


def pack(folder: str | os.PathLike[str]) -> PackResult:
    """Pack the trajectories of a folder, to which nothing may write in the meantime.

    Args:
        folder: The folder. Trajectories of more than 256 MiB, and what is not a file,
            which nothing reads, stay as they are.

    Raises:
        ValueError: If the archive is damaged.
        OSError: If the archive could not be written, or does not have the content of
            the files; then all files are as they were.
    """
    folder = Path(folder)
    recover(folder)
    names = [
        name
        for name in _loose(folder)
        if (folder / name).is_file() and (folder / name).stat().st_size <= LARGEST
    ]
    if not names:
        return PackResult(0, 0, 0)
    size = sum((folder / name).stat().st_size for name in names)
    part = folder / (ARCHIVE + _PART)
    try:
        _write_archive(part, folder, names)
        _check_archive(part, folder, names)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _release()
    part.replace(folder / ARCHIVE)
    _sync(folder)
    for name in names:
        (folder / name).unlink()
    return PackResult(len(names), size, (folder / ARCHIVE).stat().st_size)


def unpack(folder: str | os.PathLike[str]) -> int:
    """Write the packed trajectories back as files and remove the archive.

    Args:
        folder: The folder, to which no other process may write.

    Returns:
        The number of files.

    Raises:
        OSError: If the disk is too small, or a file can't be written.
        ValueError: If the archive is damaged; then it is not removed.
    """
    folder = Path(folder)
    recover(folder)
    names = sorted(packed_names(folder))
    # A file in the folder is newer.
    missing = [name for name in names if not (folder / name).exists()]
    found = _archive(folder)
    needed = sum(found.file.getinfo(name).file_size for name in missing if found)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise OSError(
            f"{folder / ARCHIVE} unpacks to {needed:,} bytes, and the disk has {free:,}"
        )
    for name in missing:
        part = folder / (name + _PART)
        with part.open("wb") as file:
            file.write(read(folder / name))
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / name)
    _sync(folder)
    _release()
    (folder / ARCHIVE).unlink(missing_ok=True)
    return len(missing)


def recover(folder: str | os.PathLike[str]) -> None:
    """Complete or undo a packing that was interrupted.

    Args:
        folder: The folder, to which no other process may write.

    Raises:
        ValueError: If the archive is damaged.
    """
    folder = Path(folder)
    for path in folder.glob(f"*{_PART}"):
        whole = path.name.removesuffix(_PART)
        if whole == ARCHIVE or _FILE.match(whole):
            path.unlink()
    found = _archive(folder)
    for name in found.names.intersection(_loose(folder)) if found else ():
        path = folder / name
        if found and zlib.crc32(path.read_bytes()) == found.file.getinfo(name).CRC:
            path.unlink()


def _write_archive(path: Path, folder: Path, names: Iterable[str]) -> None:
    """Write an archive of the packed files of a folder and of others in it."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    old = sorted(packed_names(folder).difference(names))
    contents: Iterator[tuple[str, bytes]] = (
        (name, read(folder / name) if name in old else (folder / name).read_bytes())
        for name in [*old, *names]
    )
    with path.open("wb") as file:
        with ZipFile(file, "w") as archive:
            for name, content in contents:
                # Without the time, equal files make equal archives.
                archive.writestr(ZipInfo(name), content, ZIP_DEFLATED, 9)
        file.flush()
        os.fsync(file.fileno())


def _check_archive(path: Path, folder: Path, names: Iterable[str]) -> None:
    """Raise if a file read back from an archive differs."""
    from zipfile import ZipFile

    with ZipFile(path) as archive:
        for name in names:
            if _member(archive, name) != (folder / name).read_bytes():
                raise OSError(
                    f"{folder / name} was packed wrongly or changed meanwhile"
                )


def _member(archive: ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST:
        raise ValueError(f"{name} in {archive.filename} has more than {LARGEST} bytes")
    if not is_bounded(archive.getinfo(name)):
        raise ValueError(f"{archive.filename} is damaged: {name} is packed differently")
    try:
        # Reads no more than its size, and checks its CRC-32.
        return archive.read(name)
    except DAMAGED_ARCHIVE as error:
        raise ValueError(f"{archive.filename} is damaged: {error}") from error


class _Archive(NamedTuple):
    file: ZipFile
    names: frozenset[str]


def _archive(folder: str | os.PathLike[str]) -> _Archive | None:
    path = os.path.join(folder, ARCHIVE)
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path} is damaged: it is not a file")
    return _open(path, status.st_mtime_ns, status.st_size, status.st_ino)


# The episodes of a run are mostly read one after the other.
@functools.lru_cache(maxsize=2)
def _open(path: str, stamp: int, size: int, inode: int) -> _Archive:
    from zipfile import ZipFile

    try:
        archive = ZipFile(path)
    except DAMAGED_ARCHIVE as error:
        if isinstance(error, OSError) and error.filename:
            # It cannot be opened.
            raise
        raise ValueError(f"{path} is damaged: {error}") from error
    names = frozenset(archive.namelist())
    for name in names:
        if not _FILE.match(name):
            raise ValueError(f"{path} is damaged: {name!r:.80} is not a trajectory")
    return _Archive(archive, names)


def _release() -> None:
    """Close the archives, which some systems need before they are replaced."""
    _open.cache_clear()


def _loose(folder: Path) -> list[str]:
    return sorted(filter(_FILE.match, os.listdir(folder)))


def _sync(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the system supports it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
