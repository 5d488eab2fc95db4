"""Append-only JSON Lines files that survive a killed process.

A record is a JSON object on a line of its own, written by one ``os.write``. If a writer
is killed, at most its last line is torn. A reader skips a torn line; a writer that
reopens the file, or continues after the disk was full, terminates the line first.

A file can have checksums: the last field of each record, ``"crc"``, is then the CRC-32
of the line without this field. If any record of a file has a checksum, those without a
valid one are damaged and skipped like torn lines; files without checksums are read too.

A line has at most 16 MiB. There is no other limit, since files are read line by line.
The writer keeps it too: it shortens a longer record, whose field ``"shortened"`` then
has the names of the fields that were cut.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.support.redaction import masked
from aq_gym.trajectory import packed

# The maximum number of bytes in a line with its checksum and line break.
LONGEST_LINE = 16 << 20
_CHECKSUM = re.compile(rb',"crc":"([0-9a-f]{8})"\}\Z')
_CHECKSUM_SIZE = len(',"crc":"00000000"}')
# The maximum length of a text, and of a list, in a record that is shortened.
_CUTS = (1 << 20, 1 << 14, 1 << 8)
_TEXT, _ASCII = (
    json.JSONEncoder(
        ensure_ascii=ascii_only,
        allow_nan=False,
        check_circular=False,
        separators=(",", ":"),
    )
    for ascii_only in (False, True)
)
# Equal numbers in a file, such as the progress of many steps, share one object.
_read_float = lru_cache(maxsize=1 << 14)(float)


class NotWrittenError(OSError):
    """Raised if a file cannot be written, for example because the disk is full.

    Attributes:
        stops_run: True, because the files of other episodes cannot be written either.
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
        raw: Its bytes without the line break; only the first 16 MiB of a longer line.
            For the damaged rest of a packed file, a description of the problem.
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
        # Ctrl-C between the two calls must not leave a descriptor that is used again.
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
    """Return a JSON object as a line of UTF-8 of at most 16 MiB, with keys masked.

    Args:
        record: The object; if it contains lone surrogates, it is written in ASCII.

    Raises:
        ValueError: If it contains NaN or an infinity, or cannot be shortened enough.
    """
    known = masked(record)
    line = _encoded(known)
    most = LONGEST_LINE - _CHECKSUM_SIZE - 1
    for cut in _CUTS:
        if len(line) <= most:
            return line
        fields = {name: _shortened(value, cut) for name, value in known.items()}
        changed = [name for name, value in known.items() if fields[name] != value]
        if changed:
            line = _encoded({**fields, "shortened": changed})
    if len(line) <= most:
        return line
    raise ValueError(
        f"a record of {len(line):,} bytes cannot be written: it has too "
        f"many parts for a line of {LONGEST_LINE:,} bytes"
    )


def _encoded(record: Mapping[str, Any]) -> bytes:
    try:
        return _TEXT.encode(record).encode()
    except UnicodeEncodeError:
        return _ASCII.encode(record).encode()


def _shortened(value: Any, most: int) -> Any:
    """Return a JSON value whose long texts and lists end with a note."""
    if isinstance(value, str) and len(value) > most:
        return f"{value[:most]} [{len(value) - most:,} more characters left out]"
    if isinstance(value, list):
        items = [_shortened(item, most) for item in value[:most]]
        left = len(value) - most
        return [*items, f"[{left:,} more items left out]"] if left > 0 else items
    if isinstance(value, dict):
        kept = {name: _shortened(item, most) for name, item in value.items()}
        if "$type" in value and kept != value:
            # The codec could not decode one of its own values that was cut.
            return {"$type": "opaque", "kind": f"a shortened {value['$type']}"}
        return kept
    return value


def with_checksum(line: bytes) -> bytes:
    """Add a checksum to a line that :func:`dumps` returned."""
    return b'%s,"crc":"%08x"}' % (line[:-1], zlib.crc32(line))


def rewrite(path: Path, lines: Iterable[bytes]) -> None:
    """Replace the lines of a file, all at once."""
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as out:
        out.writelines(line + b"\n" for line in lines)
        out.flush()
        os.fsync(out.fileno())
    part.replace(path)


def read(path: str | os.PathLike[str]) -> Records:
    """Read the records of a file, which may be packed.

    Raises:
        ValueError: If it is not a file.
    """
    records, torn = [], 0
    for line in read_lines(path):
        if line.record is not None:
            records.append(line.record)
        elif line.raw.strip():
            torn += 1
    return Records(records, torn)


def read_lines(path: str | os.PathLike[str]) -> Iterator[JsonLine]:
    """Yield the lines of a file one by one, including those that :func:`read` skips.

    Raises:
        ValueError: If it is not a file.
    """
    checksums = has_checksums(path)
    for raw, whole in _raw_lines(path):
        record = known = _record(raw) if whole else None
        if checksums and record is not None:
            record.pop("crc", None)
            known = record if _is_intact(raw) else None
        changed = known is None and (record is not None or _is_whole(raw))
        yield JsonLine(raw, known, damaged=not whole or (checksums and changed))


def has_checksums(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is empty or any of its records has a checksum.

    Args:
        path: The file, which need not exist.
    """
    empty = True
    try:
        for raw, _ in _raw_lines(path):
            empty = False
            if _CHECKSUM.search(raw):
                return True
    except FileNotFoundError:
        return True
    return empty


def _raw_lines(path: str | os.PathLike[str]) -> Iterator[tuple[bytes, bool]]:
    """Yield each line without its line break, and whether it can be read whole.

    The damaged rest of a packed file is yielded as one line that can't be read.
    """
    with packed.open_file(path) as file:
        try:
            while line := file.readline(LONGEST_LINE):
                raw = line.rstrip(b"\r\n")
                whole = len(line) < LONGEST_LINE or line.endswith(b"\n")
                yield raw, whole
                while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    line = file.readline(LONGEST_LINE)
        except packed.DAMAGED as error:
            yield f"damaged: {error}".encode(), False


def _is_intact(raw: bytes) -> bool:
    """Return whether a line has the right checksum."""
    found = _CHECKSUM.search(raw, len(raw) - _CHECKSUM_SIZE)
    if not found:
        return False
    return zlib.crc32(raw[: found.start()] + b"}") == int(found[1], 16)


def _is_whole(raw: bytes) -> bool:
    """Return whether a line ends with a checksum, which may be damaged."""
    end = raw[-_CHECKSUM_SIZE:]
    alike = sum(byte == known for byte, known in zip(end, b',"crc":"', strict=False))
    return len(end) == _CHECKSUM_SIZE and alike >= len(',"crc":"') - 1


def _record(raw: bytes) -> dict[str, Any] | None:
    # The beginning of a JSON object is never a JSON object, so a line that parses is
    # not torn.
    try:
        record = json.loads(raw, parse_float=_read_float)
    except (RecursionError, ValueError):
        return None
    return record if isinstance(record, dict) else None
