"""Read a user's data files, only inside the folder that was named."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# The exceptions that zipfile raises for a damaged member.
DAMAGED_ARCHIVE = (
    OSError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile,
    zlib.error, struct.error,
)  # fmt: skip


class UserFileError(ValueError):
    """A user's file can't be read; the message names it and says why."""


def check_file(path: Path, folder: Path | None = None) -> None:
    """Check a file before it is read.

    Args:
        path: The file.
        folder: The folder that the user named, which the file must not leave by a link;
            None if the user named the file itself.

    Raises:
        FileNotFoundError: If there is no such file.
        UserFileError: If it is a link that leads out of the folder, or is not a file,
            such as a pipe.
    """
    path.stat()
    if not path.is_file():
        raise UserFileError(f"{path!s:.200} is not a file")
    if folder is not None and not path.resolve().is_relative_to(folder.resolve()):
        raise UserFileError(
            f"{path!s:.200} is a link that leads out of {folder!s:.200}: copy the file"
        )


def read_bytes(path: Path, folder: Path | None = None) -> bytes:
    """Read a file; the arguments and errors are those of :func:`check_file`."""
    check_file(path, folder)
    return path.read_bytes()


def read_text(path: Path, folder: Path | None = None) -> str:
    """Read a file of UTF-8, with or without a byte order mark.

    The arguments and errors are those of :func:`check_file`; a file that is not UTF-8
    is a :class:`UserFileError`, too.
    """
    try:
        text = read_bytes(path, folder).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserFileError(f"{path!s:.200} is not UTF-8: {error}") from error
    return text.replace("\r\n", "\n")


def parquet_rows(
    path: Path, columns: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Args:
        path: The file.
        columns: The columns to read, as far as the file has them; None for all.

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


def open_zip(name: str, content: bytes) -> zipfile.ZipFile:
    """Open an archive.

    Args:
        name: Its name, for errors.
        content: The archive.

    Raises:
        UserFileError: If it is damaged.
    """
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except DAMAGED_ARCHIVE as error:
        raise UserFileError(f"{name} is damaged: {error!s:.100}") from error
