"""Parts of pages in MyST's Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable


def block(text: str) -> str:
    """Return a code block with a fence longer than any in its text."""
    ticks = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def index(title: str, pages: Iterable[str], *, hidden: bool = False) -> str:
    """Return the page of a folder.

    Args:
        title: Its title.
        pages: The names of the pages in the folder.
        hidden: Whether the list of pages is in the navigation only.
    """
    lines = "\n".join(pages)
    options = ":hidden:\n" if hidden else ""
    return f"# {title}\n\n```{{toctree}}\n{options}\n{lines}\n```\n"
