"""Checked access to the parts of a log, which may come from anyone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

__all__ = ["Fields", "content_text"]

Kind = TypeVar("Kind")
_LARGEST = 1e15


class Fields:
    """An object of a log.

    Args:
        value: The value that must be an object.
        where: Its place, for errors, such as ``log.json: samples[3]``.

    Raises:
        ValueError: If it is not an object.
    """

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where} must be an object, not {value!r:.50}")
        self._value: Mapping[str, Any] = value
        self.where = where

    def get(self, key: str, kind: type[Kind], default: Kind) -> Kind:
        """Return a value of a type, or the default where it is absent or null.

        Raises:
            ValueError: If it has another type.
        """
        found = self._value.get(key)
        if found is None:
            return default
        if not isinstance(found, kind):
            raise ValueError(
                f"{self.where}.{key} must be {kind.__name__}, not {found!r:.50}"
            )
        return found

    def raw(self, key: str) -> Any:
        """Return a value of any type, None where it is absent."""
        return self._value.get(key)

    def names(self) -> list[str]:
        """Return the names of its values."""
        return list(self._value)

    def part(self, key: str) -> Fields:
        """Return an object in it; an empty one where it is absent or null."""
        return Fields(self.get(key, dict, {}), f"{self.where}.{key}")

    def parts(self, key: str) -> list[Fields]:
        """Return the objects of a list in it; none where it is absent or null."""
        values: list[Any] = self.get(key, list, [])
        return [Fields(v, f"{self.where}.{key}[{n}]") for n, v in enumerate(values)]

    def count(self, key: str) -> float:
        """Return a number from 0 to 1e15, and 0 for any other value."""
        found = self._value.get(key)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return 0
        return found if 0 <= found < _LARGEST else 0


def content_text(content: object) -> str:
    """Return the text of a message's content: a str, or a list of parts."""
    if content is None:
        return ""
    if not isinstance(content, list):
        return str(content)
    texts = []
    for part in content:
        kind = part.get("type", "part") if isinstance(part, dict) else "part"
        text = part.get("text") if isinstance(part, dict) else part
        texts.append(text if isinstance(text, str) else f"[{kind}]")
    return "\n".join(texts)
