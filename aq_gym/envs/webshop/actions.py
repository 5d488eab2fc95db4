"""Reading a text as a search or a click."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from aq_gym.core.text import QUOTES

__all__ = ["Action", "read", "write"]

_ACTION = re.compile(r"(search|click)\s*\[(.*)\]\s*\.?", re.IGNORECASE | re.DOTALL)
_TRIM = "".join(QUOTES) + " \t\r\n"


class Action(NamedTuple):
    """A parsed action.

    Attributes:
        name: "search" or "click".
        argument: The keywords or the label, in lower case, without extra whitespace.
    """

    name: str
    argument: str


# A wrapper asks whether a text is an action just before the step reads it.
@lru_cache(maxsize=1)
def read(action: str) -> Action | None:
    """Read ``search[keywords]`` or ``click[label]``.

    Args:
        action: Any text.

    Returns:
        None if it is neither, or there is nothing between the brackets.
    """
    match = _ACTION.fullmatch(action.strip(_TRIM))
    if match is None:
        return None
    argument = " ".join(match[2].lower().split())
    return Action(match[1].lower(), argument) if argument else None


def write(name: str, argument: str) -> str:
    """Return an action as text.

    Args:
        name: "search" or "click".
        argument: The keywords or the label.
    """
    return f"{name}[{argument}]"
