"""Text from models and environments, made safe to show."""

from __future__ import annotations

import re

# Controls, and the marks that change the direction of the text around them.
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    r"\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""Return a text with control characters, escapes and direction marks spelled out.

    A newline and a tab stay; "\x1b[31m" becomes "␛[31m", U+202E becomes "[U+202E]".
    """
    return _CONTROLS.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return f"[U+{code:04X}]"


def short(text: str, limit: int = 80) -> str:
    """Return the first line of a text, visible and with at most ``limit`` characters.

    Args:
        text: Any text.
        limit: The most characters, at least 2.
    """
    # A line of a megabyte is not worth looking at whole.
    line = visible(text[: 4 * limit].strip().partition("\n")[0])
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
