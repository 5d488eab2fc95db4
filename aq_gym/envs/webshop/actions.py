"""Parse a text as a search or a click."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from aq_gym.core.text import QUOTES

_ACTION = re.compile(r"(search|click)\s*\[(.*)\]\s*\.?", re.IGNORECASE | re.DOTALL)
# Within a sentence: an action without brackets in its argument.
_WITHIN = re.compile(r"\b(search|click)\[([^\[\]]+)\]", re.IGNORECASE)
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
    """Read ``search[keywords]`` or ``click[label]``, also within a sentence.

    Args:
        action: Any text.

    Returns:
        None if there is neither, there are several, or nothing is between the brackets.
    """
    text = action.strip(_TRIM)
    whole, lines = _ACTION.fullmatch(text), text.splitlines()
    found = {_parsed(*one) for one in _WITHIN.findall(action)}
    if len(lines) > 1:
        matches = (_ACTION.fullmatch(line.strip(_TRIM)) for line in lines)
        found |= {_parsed(*one.groups()) for one in matches if one}
    # On one line, brackets may be part of the argument, as in WebShop.
    if whole and (len(lines) == 1 or not found):
        return _parsed(*whole.groups())
    return found.pop() if len(found) == 1 else None


def _parsed(name: str, argument: str) -> Action | None:
    argument = " ".join(argument.lower().split())
    return Action(name.lower(), argument) if argument else None


def write(name: str, argument: str) -> str:
    """Return an action as text.

    Args:
        name: "search" or "click".
        argument: The keywords or the label.
    """
    return f"{name}[{argument}]"
