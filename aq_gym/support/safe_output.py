"""Output streams of the command line and of its workers.

Texts of agents, models, suites and files can hold terminal control sequences, and
errors can hold keys. Both are removed here, and nowhere else.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from aq_gym.support.redaction import redact

# The C0 and C1 controls except tab and line feed, and those that reorder text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def escape_controls(text: str) -> str:
    r"""Return a text with terminal control characters escaped, as ``\x1b``."""
    return _CONTROLS.sub(lambda match: repr(match[0])[1:-1], text)


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
