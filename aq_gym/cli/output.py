"""The streams of the command line, which escape or wrap texts."""

from __future__ import annotations

import re
import shutil
import sys
from textwrap import fill
from typing import Any, TextIO

from rich.console import (
    Console,
    ConsoleOptions,
    ConsoleRenderable,
    RenderHook,
    RenderResult,
)
from rich.segment import Segment

from aq_gym.support.escaping import SafeStream, escape_controls


def make_console(stderr: bool = False) -> Console:
    """Return a console that keeps its styles and escapes all texts.

    Args:
        stderr: Whether it writes to ``sys.stderr``, not to ``sys.stdout``.
    """
    stream: Any = sys.stderr if stderr else sys.stdout
    if isinstance(stream, SafeStream):
        stream = SafeStream(stream.stream, escape=False)
    console = Console(file=stream, highlight=False)
    console.push_render_hook(EscapeHook())
    return console


def print_wrapped(console: Console, text: str, hang: str = "") -> None:
    """Print lines of plain text, wrapped, with each p-value in one piece.

    Args:
        console: The console.
        text: The lines.
        hang: What the other parts of a wrapped line begin with.
    """
    for line in text.split("\n"):
        whole = re.sub(r"\bp ([=<]) ", "p\xa0\\1\xa0", line)
        parts = _fold(whole, console.width, hang).replace("\xa0", " ")
        console.print(parts, markup=False, soft_wrap=True)


class EscapeHook(RenderHook):
    """Escapes the control characters in texts, but not the console's own codes."""

    def process_renderables(
        self, renderables: list[ConsoleRenderable]
    ) -> list[ConsoleRenderable]:
        """Return the renderables with escaped texts."""
        return [_Escaped(one) for one in renderables]


class _Escaped:
    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        for segment in console.render(self._renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(escape_controls(segment.text), segment.style)


class Screen:
    """Writes text; on a terminal, long lines are wrapped to its width."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> None:
        """Write a text; its line breaks are kept."""
        if self._out.isatty():
            width = max(20, shutil.get_terminal_size().columns)
            text = "\n".join(_fold(line, width) for line in text.split("\n"))
        self._out.write(text)

    def flush(self) -> None:
        """Flush the stream."""
        self._out.flush()


def _fold(line: str, width: int, hang: str = "") -> str:
    return (
        fill(line, width, subsequent_indent=hang, break_on_hyphens=False)
        if len(line) > width
        else line
    )
