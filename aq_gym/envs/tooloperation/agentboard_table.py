"""AgentBoard's workbook: its file, how it is shown, and the base of its tools."""

from __future__ import annotations

import datetime
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from aq_gym.envs.tooloperation.logic.session import Changes, Session
from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    MAX_COLUMNS,
    MAX_ROWS,
    Position,
    Rect,
    cell_name,
    read_rect,
)
from aq_gym.envs.tooloperation.logic.sheet.functions import Value
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid, SheetData, Shift
from aq_gym.support.extras import load
from aq_gym.support.user_files import DAMAGED_ARCHIVE
from aq_gym.tools import ToolError

Operator = Literal["SUM", "AVERAGE", "COUNT", "MAX", "MIN", "MINUS", "PRODUCT"]


# The exceptions of openpyxl and its XML parser for damaged files; those of the parser
# are SyntaxErrors.
_DAMAGED = (*DAMAGED_ARCHIVE, TypeError, AttributeError, SyntaxError)


class WorkbookError(ValueError):
    """Raised for a file that cannot be read as a workbook."""


class Table(NamedTuple):
    """A sheet of a file.

    Attributes:
        grid: Its cells, notes and merged ranges.
        formats: The number formats of cells, without the format General.
        frozen: The number of frozen rows.
    """

    grid: Grid
    formats: Mapping[Position, str]
    frozen: int


def read_workbook(path: Path) -> dict[str, Table]:
    """Read the sheets of an xlsx file by their names.

    Args:
        path: The file.

    Raises:
        WorkbookError: If it is not an xlsx file, or is damaged.
        gymnasium.error.DependencyNotInstalled: Without ``openpyxl``.
    """
    openpyxl = load("openpyxl", "AgentBoard's workbook", "agentboard")
    try:
        with warnings.catch_warnings():
            # openpyxl warns about styles and extensions, which no task needs.
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(path)
        return {sheet.title: _table(sheet) for sheet in book.worksheets}
    except _DAMAGED as error:
        raise WorkbookError(f"{path} cannot be read as a workbook: {error}") from error


def _table(sheet: Any) -> Table:
    cells: dict[Position, Any] = {}
    notes: dict[Position, str] = {}
    formats: dict[Position, str] = {}
    for cell in (cell for row in sheet.iter_rows() for cell in row):
        position = cell.row, cell.column
        if cell.number_format.lower() != "general":
            formats[position] = cell.number_format
        if (value := _content(cell)) not in (None, ""):
            cells[position] = value
        if cell.comment is not None:
            notes[position] = cell.comment.text
    rects = (read_rect(str(one)) for one in sheet.merged_cells.ranges)
    merged = frozenset(one for one in rects if one is not None)
    pane = sheet.sheet_view.pane
    frozen = int(pane.ySplit or 0) if pane is not None else 0
    return Table(Grid(sheet.title, cells, notes, merged), formats, frozen)


def _content(cell: Any) -> Any:
    """Return the content of a cell: dates as numbers, formulas as texts."""
    value = cell.value
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        # Loaded only here, because the package is optional and has no type annotations.
        value = load("openpyxl.utils.datetime", "", "agentboard").to_excel(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    # An array formula is an object that has the text.
    return getattr(value, "text", value)


def _sheets(grids: Mapping[str, Grid]) -> SheetData:
    return SheetData(grids, (_sheets, (grids,)))


class BoardTable(Session):
    """A workbook with one open sheet.

    Args:
        tables: The sheets of the file.
        name: The name of the open sheet.
    """

    def __init__(self, tables: Mapping[str, Table], name: str) -> None:
        super().__init__()
        grids = {key: one.grid for key, one in tables.items()}
        self._sheet = SheetSession(_sheets(grids))
        self._formats = {key: one.formats for key, one in tables.items()}
        self._frozen = {key: one.frozen for key, one in tables.items()}
        self._open = name

    def table(self) -> list[list[str]]:
        """Return the open sheet as shown; merged cells all show their value."""
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
        """Return the open sheet as shown."""
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
