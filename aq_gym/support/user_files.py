"""Read a user's data files, with size limits and only inside the folder that was named.

They may come from other people. A folder can have links to any file, pipes and devices
in place of files, and archives that unpack to any size.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

# What zipfile raises for a damaged member.
DAMAGED_ARCHIVE = (
    OSError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile,
    zlib.error, struct.error,
)  # fmt: skip
# Other methods can unpack any number of bytes at once.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class UserFileError(ValueError):
    """A user's file can't be read; the message names it and says why."""


def check_file(path: Path, most: int, folder: Path | None = None) -> None:
    """Check a file before it is read.

    Args:
        path: The file.
        most: The largest number of bytes.
        folder: The folder that the user named, which the file must not leave by a link;
            None if the user named the file itself.

    Raises:
        FileNotFoundError: If there is none.
        UserFileError: If it is too large, is a link that leads out of the folder, or
            is not a file, such as a pipe.
    """
    size = path.stat().st_size
    if not path.is_file():
        raise UserFileError(f"{path!s:.200} is not a file")
    if folder is not None and not path.resolve().is_relative_to(folder.resolve()):
        raise UserFileError(
            f"{path!s:.200} is a link that leads out of {folder!s:.200}: copy the file"
        )
    if size > most:
        raise UserFileError(
            f"{path!s:.200} has {size:,} bytes; at most {most:,} are read"
        )


def read_bytes(path: Path, most: int, folder: Path | None = None) -> bytes:
    """Read a file; the arguments and errors are those of :func:`check_file`."""
    check_file(path, most, folder)
    return path.read_bytes()


def read_text(path: Path, most: int, folder: Path | None = None) -> str:
    """Read a file of UTF-8, with or without a byte order mark.

    The arguments and errors are those of :func:`check_file`; a file that is not UTF-8
    is a :class:`UserFileError`, too.
    """
    try:
        text = read_bytes(path, most, folder).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserFileError(f"{path!s:.200} is not UTF-8: {error}") from error
    return text.replace("\r\n", "\n")


def parquet_rows(
    path: Path, columns: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Args:
        path: The file.
        columns: The columns to read, where the file has them; None for all.

    Raises:
        ImportError: If pyarrow is not installed.
        UserFileError: If it is damaged.
    """
    if find_spec("pyarrow") is None:
        raise ImportError(f"{path} needs pyarrow")
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if columns is not None:
                names = [name for name in names if name in columns]
            for batch in file.iter_batches(columns=names):
                yield from batch.to_pylist()
    except (ArrowException, OSError) as error:
        raise UserFileError(
            f"{path!s:.200} is not a Parquet file: {error!s:.200}"
        ) from error


def open_zip(
    name: str, content: bytes | BinaryIO, most: int, most_parts: int
) -> zipfile.ZipFile:
    """Open an archive after checking that it unpacks to no more than the limits.

    Args:
        name: Its name, for errors.
        content: The archive.
        most: The largest number of bytes that it unpacks to.
        most_parts: The largest number of its members.

    Raises:
        UserFileError: If it is damaged, too large or encrypted, or packed by a method
            that can unpack any number of bytes at once.
    """
    try:
        archive = zipfile.ZipFile(
            io.BytesIO(content) if isinstance(content, bytes) else content
        )
    except DAMAGED_ARCHIVE as error:
        raise UserFileError(f"{name} is damaged: {error!s:.100}") from error
    parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    if len(parts) > most_parts or size > most:
        raise UserFileError(
            f"{name} unpacks to {size:,} bytes in {len(parts):,} parts; at most "
            f"{most:,} in {most_parts:,} are read"
        )
    if not all(map(is_bounded, parts)):
        raise UserFileError(f"{name} is encrypted, or packed in another way")
    return archive


def is_bounded(part: zipfile.ZipInfo) -> bool:
    """Return whether a member of an archive unpacks to no more bytes than are read.

    It is encrypted or packed in another way than by deflation otherwise.
    """
    return part.compress_type in _METHODS and not part.flag_bits & 1


def check_xml(name: str, content: bytes) -> None:
    """Refuse XML that can define entities, which can be of any size.

    Raises:
        UserFileError: If it has a document type.
    """
    if b"<!DOCTYPE" in content.replace(b"\0", b""):
        raise UserFileError(f"{name} has XML with a DOCTYPE: not read")
