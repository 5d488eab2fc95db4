"""Line charts and maps as SVG, readable on light and on dark pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

__all__ = ["Line", "chart", "picture", "squares", "text"]

WIDTH = 360
# Every colour has a contrast of at least 3 with white and with Furo's dark page.
COLOURS = ("#2f7bd8", "#c2620a", "#1c8a55")
_STYLE = (
    ".aq-picture{color:#1f2328;font:12px system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){.aq-picture{color:#d6d9dd}}"
    ".aq-picture text{fill:currentColor}"
)
_LEFT, _RIGHT, _TOP = 34, 12, 26


class Line(NamedTuple):
    """A line of a chart.

    Attributes:
        label: Its name in the legend.
        values: A value from 0 to 1 for each step, from step 0 or 1.
        dashed: Whether it is dashed.
    """

    label: str
    values: Sequence[float]
    dashed: bool = False


def picture(title: str, about: str, height: int, *parts: str) -> str:
    """Return a picture.

    Args:
        title: A name for readers who do not see it.
        about: What it shows, for the same readers.
        height: Its height; its width is :data:`WIDTH`.
        parts: Its elements.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="aq-picture" role="img" '
        f'aria-label="{escape(f"{title}. {about}")}" viewBox="0 0 {WIDTH} {height}">'
    )
    return "\n".join((head, f"<style>{_STYLE}</style>", *parts, "</svg>")) + "\n"


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    """Return a text.

    Args:
        x: Where it begins, or its middle or its end.
        y: Its base line.
        words: The text.
        anchor: "start", "middle" or "end".
    """
    where = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f"<text {where}>{escape(words)}</text>"


def chart(lines: Sequence[Line], top: int, height: int, steps: int) -> str:
    """Return a chart of values from 0 to 1 over steps, with a legend above.

    Args:
        lines: The lines, at most one for each of :data:`COLOURS`.
        top: Where it begins.
        height: Its height, with the legend and the numbers of the steps.
        steps: The number of the last step.
    """
    low, high = top + height - 20, top + _TOP
    wide = WIDTH - _LEFT - _RIGHT
    parts = []
    for value in (0, 0.5, 1):
        y = low - value * (low - high)
        parts.append(
            f'<path d="M{_LEFT} {y:g}h{wide}" stroke="currentColor" opacity=".25"/>'
        )
        parts.append(text(_LEFT - 6, y + 4, f"{value:g}", "end"))
    parts.append(text(_LEFT, low + 16, "step 1"))
    parts.append(text(WIDTH - _RIGHT, low + 16, f"{steps}", "end"))
    x = _LEFT
    for line, colour in zip(lines, COLOURS, strict=False):
        last = max(1, steps - 1)
        points = " ".join(
            f"{_LEFT + index / last * wide:.1f},{low - value * (low - high):.1f}"
            for index, value in enumerate(line.values)
        )
        style = f'fill="none" stroke="{colour}" stroke-width="2"'
        style += ' stroke-dasharray="5 4"' if line.dashed else ""
        parts.append(f'<polyline points="{points}" {style}/>')
        parts.append(f'<path d="M{x} {top + 9}h16" {style}/>')
        parts.append(text(x + 21, top + 13, line.label))
        x += 34 + round(6.4 * len(line.label))
    return "\n".join(parts)


def squares(
    values: Sequence[Sequence[float]], left: float, top: float, size: float
) -> str:
    """Return a map of squares, darker where the value is higher.

    Args:
        values: Rows of values from 0 to 1.
        left: Where it begins.
        top: Where it begins.
        size: The width of a square.
    """
    return "\n".join(
        f'<rect x="{left + column * size:g}" y="{top + row * size:g}" '
        f'width="{size - 1:g}" height="{size - 1:g}" fill="{COLOURS[0]}" '
        f'opacity="{max(value, 0.08):.2f}"/>'
        for row, line in enumerate(values)
        for column, value in enumerate(line)
    )
