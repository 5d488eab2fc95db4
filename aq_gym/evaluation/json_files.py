"""JSON files: read under bounds, as they may come from elsewhere, and written."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from aq_gym.support.redaction import redact

__all__ = [
    "as_read",
    "indented",
    "read_json",
    "read_object",
    "read_text",
    "write_json",
]

_LARGEST = 64 * 2**20


def read_text(path: Path) -> str:
    """Return the text of a file.

    Args:
        path: The file.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is larger than 64 MiB, or not UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"{path} is larger than {_LARGEST} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error.reason}") from error


def read_json(text: str) -> Any:
    """Return the value of a JSON text.

    Args:
        text: The text.

    Raises:
        ValueError: If it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON: {error}") from error


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file.

    Args:
        path: The file.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it does not hold a JSON object.
    """
    try:
        value = read_json(read_text(path))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} is damaged: it must hold a JSON object")
    return value


def as_read(value: object) -> Any:
    """Return a value as it is after writing and reading it: with lists for tuples.

    Args:
        value: A value that ``json`` accepts.

    Raises:
        TypeError: If ``json`` does not accept it.
        ValueError: If it contains itself.
    """
    return json.loads(json.dumps(value))


def write_json(path: Path, value: object) -> None:
    """Write a JSON file atomically, without known secrets.

    Args:
        path: The file; replaced if it exists.
        value: The JSON value.
    """
    part = path.with_name(f".{path.name}.part")
    part.write_text(redact(indented(value)) + "\n")
    part.replace(path)


def indented(value: object, margin: str = "\n") -> str:
    """Return ``json.dumps(value, indent=2, sort_keys=True)`` in less time.

    With an indent, ``json`` does not use its encoder in C, which here writes all lists
    and objects that contain no others.

    Args:
        value: A JSON value, whose keys are str.
        margin: A line break, and the whitespace before the end of the value.
    """
    is_object = isinstance(value, dict)
    if not value or not isinstance(value, dict | list | tuple):
        return json.dumps(value)
    inner = f"{margin}  "
    items = value.values() if isinstance(value, dict) else value
    if not any(isinstance(item, dict | list | tuple) for item in items):
        text = _encoder(inner).encode(value)[1:-1]
    elif isinstance(value, dict):
        text = f",{inner}".join(
            f"{json.dumps(key)}: {indented(value[key], inner)}" for key in sorted(value)
        )
    else:
        text = f",{inner}".join(indented(item, inner) for item in value)
    return f"{{{inner}{text}{margin}}}" if is_object else f"[{inner}{text}{margin}]"


@cache
def _encoder(margin: str) -> json.JSONEncoder:
    return json.JSONEncoder(separators=(f",{margin}", ": "), sort_keys=True)
