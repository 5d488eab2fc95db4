"""Append-only JSON Lines files that survive a killed process.

A record is a JSON object on a line of its own, written by one ``os.write``. If a writer
is killed, at most its last line is torn. A reader skips a torn line; a writer that
reopens the file, or continues after the disk was full, terminates the line first.

A file can have checksums: the last field of each record, ``"crc"``, is then the CRC-32
of the line without this field. If any record of a file has a checksum, those without a
valid one are damaged and skipped like torn lines; files without checksums are read too.
"""

from __future__ import annotations

import io
import json
import os
import re
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.support.redaction import redact_bytes
from aq_gym.support.user_files import check_file, check_json
from aq_gym.trajectory import packed
from aq_gym.trajectory.packed import LARGEST

_CHECKSUM = re.compile(rb',"crc":"([0-9a-f]{8})"\}\Z')
# Lines of a file. Each takes some microseconds and 200 bytes, however short it is.
_MOST = 1_000_000
# Rows have two for each step, and little else.
_MOST_COMMAS = 32_000_000
_CHECKSUM_SIZE = len(',"crc":"00000000"}')
_TEXT, _ASCII = (
    json.JSONEncoder(
        ensure_ascii=ascii_only,
        allow_nan=False,
        check_circular=False,
        separators=(",", ":"),
    )
    for ascii_only in (False, True)
)


class NotWrittenError(OSError):
    """Raised if a file cannot be written, for example because the disk is full.

    Attributes:
        stops_run: True, because those of other episodes cannot be either.
    """

    stops_run = True


class Records(NamedTuple):
    """The content of a file.

    Attributes:
        records: The records, in order.
        torn: The number of lines that were skipped because they are not records or have
            a wrong checksum.
    """

    records: list[dict[str, Any]]
    torn: int


class JsonLine(NamedTuple):
    """A line of a file.

    Attributes:
        raw: Its bytes, without the line break.
        record: The record without its checksum, or None if the line is not a record or
            has a wrong checksum.
        damaged: Whether the line was written whole and was changed afterwards. A torn
            line is not damaged.
    """

    raw: bytes
    record: dict[str, Any] | None
    damaged: bool


class JsonLines:
    """A JSON Lines file open for appending, possibly by several processes."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        new: bool = False,
        checksums: bool = False,
    ) -> None:
        """Open the file, or create it.

        Args:
            path: The file.
            new: Whether the file must not exist.
            checksums: Whether to add a checksum to each record.

        Raises:
            FileExistsError: If ``new`` and the file exists.
            NotWrittenError: If it cannot be opened.
        """
        # Windows would write "\r\n" without O_BINARY.
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self.path = os.fspath(path)
        self._descriptor: int | None = None
        try:
            self._descriptor = os.open(
                self.path, flags | (os.O_EXCL if new else 0), 0o666
            )
        except FileExistsError:
            raise
        except OSError as error:
            raise NotWrittenError(error.errno, error.strerror, self.path) from error
        self._torn = False
        self._checksums = checksums
        if not new:
            self._end_last_line()

    def append(self, record: Mapping[str, Any]) -> None:
        """Write a record.

        Args:
            record: A JSON object without NaN and infinities.

        Raises:
            NotWrittenError: If it was not written completely; readers then skip it.
            ValueError: If the file is closed, or the record has NaN or an infinity.
        """
        self.append_line(dumps(record))

    def append_line(self, line: bytes) -> None:
        """Write an encoded record.

        Raises:
            NotWrittenError: If it was not written completely; readers then skip it.
            ValueError: If the file is closed.
        """
        if self._descriptor is None:
            raise ValueError(f"{self.path} is closed")
        line = (with_checksum(line) if self._checksums else line) + b"\n"
        if self._torn:
            line = b"\n" + line
        try:
            written = os.write(self._descriptor, line)
        except OSError as error:
            raise NotWrittenError(error.errno, error.strerror, self.path) from error
        self._torn = 0 < written < len(line) or (self._torn and not written)
        if written != len(line):
            raise NotWrittenError(
                f"only {written} of {len(line)} bytes written to {self.path}"
            )

    def close(self) -> None:
        """Close the file."""
        # Ctrl-C between the two must not leave a number that another file may get.
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        """Close the file; a search discards thousands of copied environments."""
        self.close()

    def _end_last_line(self) -> None:
        assert self._descriptor is not None
        if os.fstat(self._descriptor).st_size:
            os.lseek(self._descriptor, -1, os.SEEK_END)
            if os.read(self._descriptor, 1) != b"\n":
                os.write(self._descriptor, b"\n")


def dumps(record: Mapping[str, Any]) -> bytes:
    """Return a JSON object as one line of UTF-8, without known secrets.

    Args:
        record: The object; if it contains lone surrogates, it is written in ASCII.

    Raises:
        ValueError: If it contains NaN or an infinity.
    """
    try:
        return redact_bytes(_TEXT.encode(record).encode())
    except UnicodeEncodeError:
        return redact_bytes(_ASCII.encode(record).encode())


def with_checksum(line: bytes) -> bytes:
    """Add a checksum to a line that :func:`dumps` returned."""
    return b'%s,"crc":"%08x"}' % (line[:-1], zlib.crc32(line))


def read(path: str | os.PathLike[str]) -> Records:
    """Read a file, which may be packed in an archive.

    Raises:
        ValueError: If the file has more than 256 MiB, or too many values.
    """
    data = _open(path)
    check_json(data.getvalue())
    lines = _lines(line for line in data if line.strip())
    records = [line.record for line in lines if line.record is not None]
    return Records(records, len(lines) - len(records))


def read_lines(path: str | os.PathLike[str]) -> list[JsonLine]:
    """Return all lines of a file, including those that :func:`read` skips.

    Raises:
        ValueError: If the file has more than 256 MiB, or too many values.
    """
    data = _open(path)
    try:
        check_json(data.getvalue(), _MOST_COMMAS)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error
    return _lines(data)


def has_checksums(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is empty or any of its records has a checksum.

    Args:
        path: The file, which need not exist.
    """
    if not os.path.exists(path) or not os.path.getsize(path):
        return True
    return any(_CHECKSUM.search(line.rstrip(b"\r\n")) for line in _open(path))


def head(path: str | os.PathLike[str], size: int) -> bytes:
    """Return the first bytes of a file, which may be packed.

    Raises:
        ValueError: If the file has more than 256 MiB.
    """
    return _open(path).read(size)


def _open(path: str | os.PathLike[str]) -> io.BytesIO:
    try:
        check_file(Path(path), LARGEST)
        with open(path, "rb") as file:
            data = file.read(LARGEST)
    except FileNotFoundError:
        folder, name = os.path.split(path)
        if name not in packed.packed_names(folder):
            raise
        data = packed.read(path)
    if data.count(b"\n") > _MOST:
        raise ValueError(f"{os.fspath(path)} has more than {_MOST:,} lines")
    return io.BytesIO(data)


def _lines(file: Iterable[bytes]) -> list[JsonLine]:
    found = [(line.rstrip(b"\r\n"), *_checked(line)) for line in file]
    needed = any(valid is not None for _, _, valid in found)
    lines = []
    for raw, record, valid in found:
        known = record if valid or not needed else None
        damaged = known is None and needed and (record is not None or _is_whole(raw))
        lines.append(JsonLine(raw, known, damaged))
    return lines


def _is_whole(raw: bytes) -> bool:
    """Return whether a line ends with a checksum, which may be damaged."""
    end = raw[-_CHECKSUM_SIZE:]
    alike = sum(byte == known for byte, known in zip(end, b',"crc":"', strict=False))
    return len(end) == _CHECKSUM_SIZE and alike >= len(',"crc":"') - 1


def _checked(line: bytes) -> tuple[dict[str, Any] | None, bool | None]:
    """Return a record without its checksum, and whether the checksum is right."""
    record = _record(line)
    line = line.rstrip(b"\r\n")
    found = _CHECKSUM.search(line, len(line) - _CHECKSUM_SIZE)
    if record is None or found is None:
        return record, None
    del record["crc"]
    return record, zlib.crc32(line[: found.start()] + b"}") == int(found[1], 16)


def _record(line: bytes) -> dict[str, Any] | None:
    # No beginning of a JSON object is itself one, so what parses was not torn.
    try:
        record = json.loads(line)
    except (RecursionError, ValueError):
        return None
    return record if isinstance(record, dict) else None
