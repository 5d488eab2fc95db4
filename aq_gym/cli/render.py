"""Escaping of the texts that a rich console prints."""

from __future__ import annotations

from rich.console import (
    Console,
    ConsoleOptions,
    ConsoleRenderable,
    RenderHook,
    RenderResult,
)
from rich.segment import Segment

from aq_gym.support.safe_output import escape_controls

__all__ = ["EscapeHook"]


class EscapeHook(RenderHook):
    """Escapes the control characters in texts, but not the console's own codes."""

    def process_renderables(
        self, renderables: list[ConsoleRenderable]
    ) -> list[ConsoleRenderable]:
        """Return the renderables with escaped texts.

        Args:
            renderables: What is to be printed.
        """
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
