"""Text from models, environments and files, made safe to show.

It can hold terminal control sequences, and errors can hold keys. Output streams of the
command line and of its workers replace both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from aq_gym.support.redaction import redact

# Control characters, and marks that change the direction of the surrounding text.
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
        limit: The maximum number of characters, at least 2.
    """
    # Cut first, because the whole of a very long line is not needed.
    line = visible(text[: 4 * limit].strip().partition("\n")[0])
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


# The C0 and C1 controls except tab and line feed, and those that reorder text.
_TERMINAL_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def escape_controls(text: str) -> str:
    r"""Return a text with terminal control characters escaped, as ``\x1b``."""
    return _TERMINAL_CONTROLS.sub(lambda match: repr(match[0])[1:-1], text)


class SafeStream:
    """A text stream that escapes control characters and removes secrets."""

    def __init__(self, stream: TextIO, escape: bool = True) -> None:
        self.stream = stream
        self._escape = escape

    def write(self, text: str) -> int:
        """Write a text."""
        safe = redact(text)
        self.stream.write(escape_controls(safe) if self._escape else safe)
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def protect_output() -> None:
    """Replace ``sys.stdout`` and ``sys.stderr`` with safe streams."""
    sys.stdout = cast("TextIO", SafeStream(sys.stdout))
    sys.stderr = cast("TextIO", SafeStream(sys.stderr))


@contextmanager
def safe_output() -> Iterator[None]:
    """Replace ``sys.stdout`` and ``sys.stderr`` with safe streams in the block."""
    before = sys.stdout, sys.stderr
    protect_output()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
