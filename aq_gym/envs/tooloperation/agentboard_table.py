"""AgentBoard's workbook in an episode: what it shows, and what its tools share."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from aq_gym.envs.tooloperation.agentboard_xlsx import Table
from aq_gym.envs.tooloperation.logic.session import Changes, Session
from aq_gym.envs.tooloperation.logic.sheet.addresses import (
    MAX_COLUMNS,
    MAX_ROWS,
    Position,
    Rect,
    cell_name,
    read_rect,
)
from aq_gym.envs.tooloperation.logic.sheet.functions import Value
from aq_gym.envs.tooloperation.logic.sheet.start import SheetData
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid, Shift
from aq_gym.tools import ToolError

Operator = Literal["SUM", "AVERAGE", "COUNT", "MAX", "MIN", "MINUS", "PRODUCT"]


def _sheets(grids: Mapping[str, Grid]) -> SheetData:
    return SheetData(grids, (_sheets, (grids,)))


class BoardTable(Session):
    """A workbook of which one sheet is open.

    Args:
        tables: The sheets of the file.
        name: The sheet that is open.
    """

    def __init__(self, tables: Mapping[str, Table], name: str) -> None:
        super().__init__()
        grids = {key: one.grid for key, one in tables.items()}
        self._sheet = SheetSession(_sheets(grids))
        self._formats = {key: one.formats for key, one in tables.items()}
        self._frozen = {key: one.frozen for key, one in tables.items()}
        self._open = name

    def table(self) -> list[list[str]]:
        """Return what the open sheet shows; merged cells all show their value."""
        values = dict(self._sheet.book.values(self._open))
        grid = self._sheet.book.grids[self._open]
        rows, columns = self._size()
        lines = [
            [self._show((r, c), values) for c in range(1, columns + 1)]
            for r in range(1, rows + 1)
        ]
        for rect in grid.merged:
            for r, c in rect.positions():
                if r <= rows and c <= columns:
                    lines[r - 1][c - 1] = self._show((rect.top, rect.left), values)
        return lines

    def changes(self) -> Changes:
        """Return what the open sheet shows."""
        return {("shown",): json.dumps(self.table())}

    def _contents(self) -> Any:
        """Return everything that the tools have changed."""
        formats = tuple(
            (key, frozenset(one.items())) for key, one in self._formats.items()
        )
        frozen = tuple(self._frozen.items())
        return self._sheet.state(), formats, frozen, self._open

    def _replace(self, contents: Any) -> None:
        sheets, formats, frozen, self._open = contents
        self._sheet.restore(sheets)
        self._formats = {key: dict(one) for key, one in formats}
        self._frozen = dict(frozen)

    @property
    def _name(self) -> str:
        return self._sheet.book.grids[self._open].name

    def _size(self) -> tuple[int, int]:
        return self._sheet.book.grids[self._open].size

    def _show(self, position: Position, values: Mapping[Position, Any]) -> str:
        code = self._formats.get(self._open, {}).get(position, "")
        return shown(values.get(position), code)

    def _cell(self, text: str) -> Position:
        return self._sheet.position_of(text)

    def _range(self, start: str, end: str) -> Rect:
        rect = read_rect(f"{start}:{end}")
        if rect is None or rect.area > 100_000:
            raise ToolError("Give two addresses, such as A1 and C9.")
        return rect

    def _formula(
        self, start: str, end: str, cells: Sequence[str] | None, operator: Operator
    ) -> str:
        listed = (
            str(self._range(start, end))
            if cells is None
            else ",".join(cell_name(self._cell(one)) for one in cells)
        )
        return f"={operator}({listed})"

    def _write(self, values: Mapping[Position, Any]) -> str:
        for position, value in values.items():
            if not isinstance(value, (str, int, float, type(None))):
                raise ToolError(f"{cell_name(position)}: give a text or a number.")
            if position[0] > MAX_ROWS or position[1] > MAX_COLUMNS:
                raise ToolError("The values do not fit into the sheet.")
        self._sheet.write(self._name, values)
        return self._changed()

    def _insert(
        self, axis: int, at: int, count: int, values: Mapping[Position, Any]
    ) -> str:
        size = self._size()[axis]
        if not 1 <= at <= size + 1 or not 1 <= count <= 1_000:
            raise ToolError(f"Insert 1 to 1000, at 1 to {size + 1}.")
        before = self.state()
        key, neighbour = self._open, at - 1 if at == size + 1 else at
        codes = self._formats.get(key, {})
        inherited = {
            p[1 - axis]: code for p, code in codes.items() if p[axis] == neighbour
        }
        self._shift(Shift(axis, at=at, count=count))
        new = dict(self._formats[key])
        for line in range(at, at + count):
            for other, code in inherited.items():
                new[(other, line) if axis else (line, other)] = code
        self._formats = {**self._formats, key: new}
        try:
            return self._write(values)
        except ToolError:
            self.restore(before)
            raise

    def _shift(self, shift: Shift) -> str:
        key = self._open
        self._sheet.book.shift(key, shift)
        formats = shift.apply(self._formats.get(key, {}))
        self._formats = {**self._formats, key: formats}
        return self._changed()

    def _changed(self) -> str:
        self.version += 1
        return repr(self.table())


def shown(value: Value, code: str = "") -> str:
    """Return a value as a cell shows it.

    Args:
        value: The value.
        code: The number format, "" for General.
    """
    if value is None:
        return ""
    if isinstance(value, (str, bool)):
        return value if isinstance(value, str) else str(value).upper()
    digits = code.partition(".")[2]
    if code in ("", "@") or set(code) - set("#,0."):
        return f"{value:.10g}" if abs(value) < 1e10 else str(value)
    scale = 10 ** len(digits)
    rounded = math.copysign(math.floor(abs(value) * scale + 0.5 + 1e-9) / scale, value)
    comma = "," if "," in code else ""
    return f"{rounded + 0.0:{comma}.{len(digits)}f}"
