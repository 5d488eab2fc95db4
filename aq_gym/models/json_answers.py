"""Read the JSON of an endpoint's answer, which may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from aq_gym.support.redaction import redact

_SHOWN = 200
# No model reads or writes as many tokens: a larger count would only use up a limit.
_MOST_TOKENS = 10**8


def parse_json(data: bytes) -> Any:
    """Return the value of a body.

    Raises:
        ValueError: If it is not JSON; the message shows its beginning.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"the answer is not JSON ({beginning(data)}): {error}"
        ) from None


def beginning(data: bytes) -> str:
    """Return the beginning of a body for an error message."""
    # Redacted before it is cut: a key cut in half would not be recognized.
    return f"{redact(data.decode(errors='replace'))[:_SHOWN]!r}"


def field(value: object, name: str) -> object:
    """Return a field of an object, None if there is none."""
    return value.get(name) if isinstance(value, Mapping) else None


def text(value: object, name: str) -> str:
    """Return a field that is a text, or "" if it is not one."""
    found = field(value, name)
    return found if isinstance(found, str) else ""


def objects(value: object, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a field that is a list."""
    found = field(value, name)
    for one in found if isinstance(found, list) else ():
        if isinstance(one, Mapping):
            yield one


def count(value: object, name: str) -> int:
    """Return a number of tokens, 0 where the endpoint gave none."""
    found = field(value, name)
    return found if type(found) is int and 0 < found < _MOST_TOKENS else 0
