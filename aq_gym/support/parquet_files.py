"""Rows of a user's Parquet file, read a few at a time.

A value that is repeated is stored once, so that a file of some kilobytes can have
gigabytes of text: its rows are never all in memory, and the caller checks each. What a
file unpacks to is told by the headers of its pages, as pyarrow allocates what they say:
the sums in its footer may be wrong.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from aq_gym.support.user_files import UserFileError

_MOST_AT_ONCE = 16
# What a batch may take if each of its rows has the largest column's whole content.
_BATCH_BYTES = 128 * 2**20
# Of a column; a list in one row can have all of them, in a few bytes.
_MOST_VALUES = 8_000_000
# A field that is not a number, or not a list, ends in a TypeError.
_DAMAGED = (
    *(AttributeError, LookupError, OSError, RecursionError, TypeError),
    UnicodeDecodeError,
)
# Bytes of the footer, and of the headers of a column's pages, some dozens each.
_MOST_HEADERS = 8 * 2**20


def parquet_rows(
    path: Path, most: int, columns: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Args:
        path: The file.
        most: The largest number of bytes that it may unpack to.
        columns: The columns to read, where the file has them; None for all.

    Raises:
        ImportError: If pyarrow is not installed.
        UserFileError: If it is damaged, or unpacks to more.
    """
    from pyarrow import ArrowException, parquet

    try:
        chunks = [*_chunks(path)]
        total = sum(size for size, _ in chunks)
        values = max((count for _, count in chunks), default=0)
        if total > most or values > _MOST_VALUES:
            raise UserFileError(
                f"{path} unpacks to {total:,} bytes, with {values:,} values in a "
                f"column; at most {most:,} and {_MOST_VALUES:,} are read"
            )
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if columns is not None:
                names = [name for name in names if name in columns]
            kinds = [str(file.schema_arrow.field(name).type) for name in names]
            if any("dictionary<" in kind for kind in kinds):
                # Only in Python would each value be a text of its own.
                raise UserFileError(f"{path} has a categorical column: not read")
            fitting = _BATCH_BYTES // max([1, *(size for size, _ in chunks)])
            size = max(1, min(_MOST_AT_ONCE, fitting))
            for batch in file.iter_batches(size, columns=names):
                if batch.nbytes > 2 * _BATCH_BYTES:
                    # Of one list; pyarrow itself refuses one of 2 GiB.
                    raise UserFileError(f"{path} has a row of {batch.nbytes:,} bytes")
                yield from batch.to_pylist()
    except (*_DAMAGED, ArrowException) as error:
        raise UserFileError(f"{path} is not a Parquet file: {error!s:.200}") from error


def _chunks(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the bytes and values of each column of each group of rows.

    The numbers are those of Parquet's definition in Thrift.
    """
    with path.open("rb") as file:
        whole = file.seek(-8, os.SEEK_END)
        footer = int.from_bytes(file.read(4), "little")
        if footer > min(whole, _MOST_HEADERS):
            raise LookupError("its footer is too long")
        file.seek(whole - footer)
        metadata, _ = _struct(file.read(footer), 0)
        left = whole
        for chunk in (chunk[3] for group in metadata[4] for chunk in group[1]):
            start, first, length = chunk[9], chunk.get(11, 0), chunk[7]
            left -= length
            if min(start, first, length, left) < 0:
                raise LookupError("its columns are longer than the file")
            file.seek(first if 0 < first < start else start)
            yield _unpacked(file.read(length))


def _unpacked(data: bytes) -> tuple[int, int]:
    """Return a chunk's number of bytes and of values, from its page headers."""
    at = size = values = headers = 0
    while at < len(data):
        begun = at
        page, at = _struct(data, at)
        headers += at - begun
        unpacked, packed = page.get(2, -1), page.get(3, -1)
        if min(unpacked, packed) < 0 or headers > _MOST_HEADERS:
            raise LookupError("its pages have no sizes or are too numerous")
        size, at = size + unpacked, at + packed
        values += max(page.get(kind, {}).get(1, 0) for kind in (5, 8))
    return size, values


def _struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    """Return the fields of a compact Thrift struct by number, and where it ends.

    pyarrow ends the process if some of these numbers are damaged.
    """
    found: dict[int, Any] = {}
    field = 0
    while kind := data[at]:
        at += 1
        if kind >> 4:
            field += kind >> 4
        else:
            field, at = _integer(data, at)
        found[field], at = _value(data, at, kind & 15)
    return found, at + 1


def _value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in (1, 2):
        return kind == 1, at
    if kind in (4, 5, 6):
        return _integer(data, at)
    if kind == 8:
        size, at = _varint(data, at)
        return None, at + size
    if kind == 9:
        size, inner, at = data[at] >> 4, data[at] & 15, at + 1
        if size == 15:
            size, at = _varint(data, at)
        items = []
        for _ in range(size):
            # An item has a byte at least, also a bool.
            item, at = _value(data, at, inner) if inner > 3 else (data[at], at + 1)
            items.append(item)
        return items, at
    if kind == 12:
        return _struct(data, at)
    raise LookupError(f"it has a field of type {kind}")


def _integer(data: bytes, at: int) -> tuple[int, int]:
    number, at = _varint(data, at)
    return number >> 1 ^ -(number & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 64, 7):
        number |= (data[at] & 127) << shift
        at += 1
        if not data[at - 1] & 128:
            return number, at
    raise LookupError("it has a number that is too long")
