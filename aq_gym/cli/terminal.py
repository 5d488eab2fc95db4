"""The terminal of ``aq-gym play``: a line editor, and pictures in characters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor
from typing import Any

import gymnasium as gym
from rich.style import Style
from rich.text import Text as Rendered

from aq_gym.core.drawing import (
    INK,
    PAPER,
    Circle,
    Drawing,
    Line,
    Polygon,
    Rect,
    Shape,
    Text,
)
from aq_gym.support.escaping import SafeStream, escape_controls

_COMMANDS = (":help", ":quit", ":undo")


# The lines below the prompt that are kept free for completions.
MENU = 4
# More completions could not be listed between two keys.
_MOST = 200


def completions(env: gym.Env[Any, Any], begun: str) -> Iterable[str]:
    """Yield the actions and commands that begin with a text."""
    begun = begun.lstrip().lower()
    if begun.startswith(":"):
        yield from (one for one in _COMMANDS if one.startswith(begun))
        return
    for name in ("iter_admissible_actions", "admissible_actions"):
        if env.has_wrapper_attr(name):
            break
    else:
        return
    found = 0
    try:
        for action in env.get_wrapper_attr(name)():
            if action.lower().startswith(begun):
                yield action
                found += 1
                if found == _MOST:
                    return
    except ValueError:
        # An environment raises this if it has too many actions to list, such as calls
        # of tools.
        return


def line_editor(env: gym.Env[Any, Any]) -> Callable[[str], str]:
    """Return a function that shows a prompt and returns the line that was typed."""
    # Imported here, because it takes 0.1 s and only people at a terminal need it.
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.output import create_output

    class Actions(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            begun = document.text_before_cursor
            for action in completions(env, begun):
                yield Completion(action, start_position=-len(begun))

    stream: Any = sys.stdout
    if isinstance(stream, SafeStream):
        # The editor escapes texts itself, and writes its own control sequences.
        stream = stream.stream
    session: PromptSession[str] = PromptSession(
        completer=Actions(),
        complete_while_typing=False,
        output=create_output(stream),
        reserve_space_for_menu=MENU,
    )

    def read(prompt: str) -> str:
        try:
            return session.prompt(escape_controls(prompt))
        except EOFError:
            raise EOFError("you left") from None

    return read


# The size of a character in units: twice as tall as wide, and at least as tall as text.
_LEAST_UNIT = 7.0


@dataclass
class _Cell:
    """A character with its colour and its background colour."""

    character: str = " "
    ink: str = PAPER
    paper: str = PAPER
    bold: bool = False


def in_characters(drawing: Drawing, columns: int, rows: int = 1_000) -> Rendered:
    """Return a picture as coloured characters, within some columns and rows.

    It is empty if the rows are too few for all texts that are otherwise shown.
    """
    canvas, whole = (_drawn(drawing, columns, most) for most in (rows, 1_000))
    fits = canvas.texts_shown(drawing) >= whole.texts_shown(drawing)
    return canvas.rendered() if fits else Rendered()


def _drawn(drawing: Drawing, columns: int, rows: int) -> _Canvas:
    unit = max(_LEAST_UNIT, drawing.width / columns, drawing.height / rows / 2)
    texts = (shape for shape in drawing.shapes if isinstance(shape, Text))
    # Texts do not shrink with the rest: they can end to the right of it.
    ends = (_first_column(text, unit) + len(text.text) for text in texts)
    width = min(columns, max(round(drawing.width / unit), *ends, 0))
    canvas = _Canvas(width, round(drawing.height / unit / 2), unit)
    for shape in drawing.shapes:
        canvas.add(shape)
    return canvas


class _Canvas:
    """Rows of cells, on which shapes are drawn."""

    def __init__(self, columns: int, rows: int, unit: float) -> None:
        self._size = columns, max(1, rows)
        self._unit = unit
        self._cells = [[_Cell() for _ in range(columns)] for _ in range(max(1, rows))]

    def add(self, shape: Shape) -> None:
        """Draw a shape over the present ones."""
        if isinstance(shape, Rect):
            self._add_rect(shape)
        elif isinstance(shape, Circle):
            self._add_circle(shape)
        elif isinstance(shape, Line):
            self._add_line(shape)
        elif isinstance(shape, Text):
            self._add_text(shape)
        else:
            self._add_polygon(shape)

    def texts_shown(self, drawing: Drawing) -> int:
        """Return how many texts of a drawing no other shape hides."""
        texts = (shape for shape in drawing.shapes if isinstance(shape, Text))
        return sum(
            all(cell.character == wanted for cell, wanted in self._cells_of(text))
            for text in texts
        )

    def rendered(self) -> Rendered:
        """Return the rows, without empty ones at the end."""
        rows = self._cells
        while len(rows) > 1 and all(cell == _Cell(ink=cell.ink) for cell in rows[-1]):
            rows = rows[:-1]
        text = Rendered(no_wrap=True, end="")
        for row in rows:
            for (ink, paper, bold), cells in groupby(
                row, lambda cell: (cell.ink, cell.paper, cell.bold)
            ):
                style = Style(color=ink, bgcolor=paper, bold=bold)
                text.append("".join(cell.character for cell in cells), style)
            text.append("\n")
        return text

    def _column(self, x: float) -> int:
        return round(x / self._unit)

    def _row(self, y: float) -> int:
        return round(y / self._unit / 2)

    def _at(self, x: float, y: float) -> _Cell:
        """Return the cell at a point; outside the canvas, a cell that is not shown."""
        column, row = int(x // self._unit), int(y // (2 * self._unit))
        columns, rows = self._size
        if 0 <= column < columns and 0 <= row < rows:
            return self._cells[row][column]
        return _Cell()

    def _add_rect(self, rect: Rect) -> None:
        left, top = max(0, self._column(rect.x)), max(0, self._row(rect.y))
        right = max(left + 1, self._column(rect.x + rect.width))
        bottom = max(top + 1, self._row(rect.y + rect.height))
        if not rect.fill:
            return
        for row in self._cells[top:bottom]:
            for cell in row[left:right]:
                cell.character, cell.paper, cell.bold = " ", rect.fill, False

    def _add_circle(self, circle: Circle) -> None:
        if circle.radius >= 2 * self._unit and circle.fill:
            far = circle.radius * 0.9
            x, y = circle.x - far, circle.y - far
            rect = Rect(x, y, 2 * far, 2 * far, circle.fill)
            self._add_rect(rect)
            return
        cell = self._at(circle.x, circle.y)
        hollow = not circle.fill or circle.fill == PAPER
        cell.character = "○" if hollow else "●"
        cell.ink = (circle.stroke if hollow else "") or circle.fill or INK

    def _add_line(self, line: Line) -> None:
        across, down = line.x2 - line.x1, line.y2 - line.y1
        count = max(1, ceil(max(abs(across) / self._unit, abs(down) / self._unit / 2)))
        mark = _mark(across, down, line.width > 2)
        for number in range(count):
            share = (number + 0.5) / count
            cell = self._at(line.x1 + across * share, line.y1 + down * share)
            crossed = {cell.character, mark} in ({"─", "│"}, {"━", "┃"})
            cell.character = "┼" if crossed else mark
            cell.ink = line.stroke

    def _add_text(self, text: Text) -> None:
        for cell, character in self._cells_of(text):
            if cell.character == "●":
                cell.paper = cell.ink
            cell.character = character
            cell.ink, cell.bold = text.fill, text.bold

    def _cells_of(self, text: Text) -> Iterable[tuple[_Cell, str]]:
        left, columns = _first_column(text, self._unit), self._size[0]
        row = int(text.y // (2 * self._unit))
        if not 0 <= row < self._size[1]:
            return
        written = text.text
        if left + len(written) > columns:
            written = f"{written[: columns - left - 1]}…"
        for column, character in enumerate(written, left):
            if 0 <= column < columns:
                # Replaced, because a terminal would obey a control character.
                shown = character if character.isprintable() else "\ufffd"
                yield self._cells[row][column], shown

    def _add_polygon(self, polygon: Polygon) -> None:
        xs, ys = zip(*polygon.points, strict=True)
        cell = self._at(sum(xs) / len(xs), sum(ys) / len(ys))
        cell.character, cell.ink, cell.bold = "▲", polygon.fill, True


def _first_column(text: Text, unit: float) -> int:
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    return floor(text.x / unit - share * len(text.text) + 0.5)


def _mark(across: float, down: float, thick: bool) -> str:
    """Return the character of a line's direction."""
    if abs(across) > 4 * abs(down):
        return "━" if thick else "─"
    if abs(down) > 2 * abs(across):
        return "┃" if thick else "│"
    return "\\" if across * down > 0 else "/"
