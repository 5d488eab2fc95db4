"""A picture of a tool call: the call, and its result as a table."""

from __future__ import annotations

import json
from typing import Any

from aq_gym.core.drawing import (
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Drawing,
    Rect,
    Shape,
    Text,
    fitted,
    wrapped,
)

_WIDTH = 640
_ROW = 24
_MOST_ROWS, _MOST_COLUMNS = 12, 6


def draw(task: str, action: str, result: str) -> Drawing:
    """Return the task, the last call and what it returned."""
    drawing = Drawing(_WIDTH, 480, "The task, before the first call")
    y = 20.0
    for line in wrapped(task, _WIDTH - 24, 14, 4):
        drawing.add(Text(12, y, line, 14, INK, "start", bold=True))
        y += 20
    if not action:
        drawing.add(Text(12, y + 12, "no call yet", 14, MUTED, "start"))
        return drawing
    drawing.title = "The last call and its result"
    called = wrapped(action, _WIDTH - 40, 13, 4)
    drawing.add(Rect(8, y, _WIDTH - 16, 14 + 18 * len(called), INK, radius=6))
    for number, line in enumerate(called):
        drawing.add(Text(20, y + 16 + 18 * number, line, 13, "#9be9a8", "start"))
    y += 26 + 18 * len(called)
    value = _json(result)
    rows = _table(value)
    if rows:
        drawing.add(*_cells(rows, y))
        left = len(value) - _MOST_ROWS
        if left > 0:
            y += (len(rows) + 0.5) * _ROW
            drawing.add(Text(20, y, f"… {left} more", 13, MUTED, "start"))
        return drawing
    parts = [part for line in result.split("\n") for part in wrapped(line, 612, 13)]
    most = int((470 - y) / 18)
    for number, line in enumerate(parts[:most]):
        drawing.add(Text(14, y + 12 + 18 * number, line, 13, INK, "start"))
    return drawing


def _json(result: str) -> Any:
    """Return the first line of a result as a JSON value, or None if it is not JSON."""
    try:
        return json.loads(result.partition("\n")[0])
    except (ValueError, RecursionError):
        return None


def _table(value: Any) -> list[list[str]]:
    """Return a heading and rows for a list or an object, else an empty list."""
    if isinstance(value, dict):
        pairs = list(value.items())[:_MOST_ROWS]
        return [["", ""], *([str(key), _cell(one)] for key, one in pairs)]
    if not isinstance(value, list) or not value:
        return []
    rows = value[:_MOST_ROWS]
    if not all(isinstance(row, dict) for row in rows):
        return [["", ""], *([str(i), _cell(row)] for i, row in enumerate(rows, 1))]
    names = list(dict.fromkeys(name for row in rows for name in row))[:_MOST_COLUMNS]
    if not names:
        return []
    cells = [[_cell(row.get(name, "")) for name in names] for row in rows]
    return [list(map(str, names)), *cells]


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _cells(rows: list[list[str]], top: float) -> list[Shape]:
    """Return a table; column widths depend on the length of the text."""
    needed = [min(40, 4 + max(map(len, column))) for column in zip(*rows, strict=True)]
    unit = (_WIDTH - 24) / sum(needed)
    shapes: list[Shape] = []
    headed = any(rows[0])
    for number, row in enumerate(rows if headed else rows[1:]):
        y, x = top + number * _ROW, 12.0
        for place, (text, share) in enumerate(zip(row, needed, strict=True)):
            heading = (headed and number == 0) or (not headed and place == 0)
            fill = PALETTE[0] if heading else "#f5f7fa" if number % 2 else PAPER
            ink = PAPER if heading else INK
            shapes.append(Rect(x, y, share * unit, _ROW, fill, "#cbd2d9"))
            shown = fitted(text, share * unit - 12, 12)
            shapes.append(Text(x + 6, y + _ROW / 2, shown, 12, ink, "start", heading))
            x += share * unit
    return shapes
