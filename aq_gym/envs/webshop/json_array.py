"""Read a large JSON array object by object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

_CHUNK = 1 << 20
_LONGEST = 1 << 24
_BETWEEN = " \t\r\n,"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class DataError(ValueError):
    """A user's file that does not have the expected content."""


class Place(NamedTuple):
    """Where an object is in its file, in bytes."""

    start: int
    length: int


def parse(content: bytes) -> Any:
    """Return a JSON value, with "?" in place of lone surrogates.

    Those can be written in JSON, but neither shown nor saved as UTF-8.

    Args:
        content: The JSON.

    Raises:
        ValueError: If it is not JSON in UTF-8, or is nested too deeply.
    """
    text = content.decode("utf-8-sig")
    try:
        value = json.loads(text)
        if _SURROGATE.search(text):
            plain = json.dumps(value, ensure_ascii=False).encode(errors="replace")
            value = json.loads(plain)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def objects(path: Path) -> Iterator[Place]:
    """Yield the place of each object of an array.

    Args:
        path: A file of JSON, in UTF-8: an array.

    Raises:
        DataError: If it is not an array, or has an object of more than 16 MB.
    """
    with path.open("rb") as file:
        yield from _objects(file, path)


def _objects(file: BinaryIO, path: Path) -> Iterator[Place]:
    decoder = json.JSONDecoder()
    # One character per byte: separators are ASCII, also in UTF-8.
    text, start, place = "", 0, 0
    wanted = "["
    while True:
        while place < len(text) and text[place] in _BETWEEN:
            place += 1
        if wanted and place < len(text):
            if text[place] != wanted:
                raise DataError(f"{path.name} must be a JSON array")
            wanted, place = "", place + 1
            continue
        if text[place : place + 1] == "]":
            return
        try:
            _, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            more = file.read(_CHUNK).decode("latin-1")
            if not more or len(text) - place > _LONGEST:
                raise DataError(
                    f"{path.name} has no complete object at byte {start + place}"
                ) from error
            text, start, place = text[place:] + more, start + place, 0
            continue
        yield Place(start + place, end - place)
        place = end


def read_object(path: Path, place: Place) -> dict[str, object]:
    """Return an object of an array.

    Args:
        path: The file.
        place: What :func:`objects` returned for it.

    Raises:
        DataError: If it is another value, or is not text in UTF-8.
    """
    with path.open("rb") as file:
        file.seek(place.start)
        content = file.read(place.length)
    try:
        value = parse(content)
    except ValueError as error:
        raise DataError(
            f"{path.name} has no object at byte {place.start}: {error}"
        ) from error
    if not isinstance(value, dict):
        raise DataError(
            f"{path.name}: {value!r:.60} at byte {place.start} must be an object"
        )
    return value
