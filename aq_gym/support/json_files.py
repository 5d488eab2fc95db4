"""Read and write JSON files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aq_gym.support import user_files
from aq_gym.support.redaction import masked


def read_text(path: Path, folder: Path | None = None) -> str:
    """Return the text of a file.

    Args:
        path: The file.
        folder: The folder that it must not leave by a link.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is not a file, is not UTF-8, or lies outside the folder.
    """
    return user_files.read_text(path, folder)


def read_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: If it is not JSON or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON: {error}") from error


def read_object(path: Path, folder: Path | None = None) -> dict[str, Any]:
    """Return the object in a JSON file; the arguments are :func:`read_text`'s.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it does not hold a JSON object.
    """
    try:
        value = read_json(read_text(path, folder))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} is damaged: it must contain a JSON object")
    return value


def as_read(value: object) -> Any:
    """Return a value as JSON would restore it: with tuples as lists.

    Raises:
        TypeError: If ``json`` does not accept it.
        ValueError: If it contains itself.
    """
    return json.loads(json.dumps(value))


def write_json(path: Path, value: object) -> None:
    """Write a JSON file atomically, without keys."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(masked(value), indent=2, sort_keys=True) + "\n")
    part.replace(path)
