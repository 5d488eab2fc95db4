"""The consoles of the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from aq_gym.support.safe_output import SafeStream

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["make_console"]


def make_console(stderr: bool = False) -> Console:
    """Return a console whose own styles work, and whose texts are escaped.

    Args:
        stderr: Whether it writes to ``sys.stderr``, not to ``sys.stdout``.
    """
    from rich.console import Console

    from aq_gym.cli.render import EscapeHook

    stream: Any = sys.stderr if stderr else sys.stdout
    if isinstance(stream, SafeStream):
        stream = SafeStream(stream.stream, escape=False)
    console = Console(file=stream, highlight=False)
    console.push_render_hook(EscapeHook())
    return console
