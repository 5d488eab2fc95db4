"""AgentBoard's workbook: its tools, as Google Sheets answers them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
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
from aq_gym.envs.tooloperation.logic.sheet.formulas import parse
from aq_gym.envs.tooloperation.logic.sheet.functions import Value
from aq_gym.envs.tooloperation.logic.sheet.start import SheetData
from aq_gym.envs.tooloperation.logic.sheet.tools import Order, SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid, Shift
from aq_gym.tools import Toolbox, ToolError

__all__ = ["SHEET_TOOLS", "BoardSheet", "shown"]

Operator = Literal["SUM", "AVERAGE", "COUNT", "MAX", "MIN", "MINUS", "PRODUCT"]
_Rows = list[list[Any]]


def _sheets(grids: Mapping[str, Grid]) -> SheetData:
    return SheetData(grids, (_sheets, (grids,)))


class BoardSheet(Session):
    """The workbook; each public method before ``changes`` is a tool.

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

    def open_sheet(self, name: str) -> str:
        """Open a sheet; the other tools use the open one.

        Args:
            name: Its name.
        """
        self._open = self._sheet.key_of(name)
        return f"{name} is open."

    def del_sheet(self, name: str) -> str:
        """Delete a sheet.

        Args:
            name: Its name.
        """
        if self._sheet.key_of(name) == self._open:
            raise ToolError("The open sheet cannot be deleted.")
        return self._sheet.delete_sheet(name)

    def freeze_data(self, dimension: Literal["rows", "columns"], num: int | str) -> str:
        """Freeze the first rows or columns. Frozen rows are not sorted.

        Args:
            dimension: "rows" or "columns".
            num: How many.
        """
        count = _whole(num)
        if dimension == "rows":
            self._frozen = {**self._frozen, self._open: max(0, count)}
        return f"The first {count} {dimension} are frozen."

    def get_A1_annotation(self, row: int | str, col: int | str) -> str:
        """Return the address of a cell, such as B7.

        Args:
            row: The number of its row, from 1.
            col: The number of its column, from 1.
        """
        position = _whole(row), _whole(col)
        if not (1 <= position[0] <= MAX_ROWS and 1 <= position[1] <= MAX_COLUMNS):
            raise ToolError("row and col are from 1 on.")
        return cell_name(position)

    def insert_cols(self, values_list: _Rows, col_idx: int | str) -> str:
        """Insert columns.

        Args:
            values_list: The values of each new column.
            col_idx: The number of the first new column, from 1.
        """
        at = _whole(col_idx)
        values = {
            (r, at + c): value
            for c, column in enumerate(values_list)
            for r, value in enumerate(column, start=1)
        }
        return self._insert(1, at, len(values_list), values)

    def insert_rows(self, values_list: _Rows, row_idx: int | str) -> str:
        """Insert rows.

        Args:
            values_list: The values of each new row.
            row_idx: The number of the first new row, from 1.
        """
        at = _whole(row_idx)
        values = {
            (at + r, c): value
            for r, row in enumerate(values_list)
            for c, value in enumerate(row, start=1)
        }
        return self._insert(0, at, len(values_list), values)

    def delete_batch_data(
        self, dimension: Literal["row", "col"], index_list: list[int | str]
    ) -> str:
        """Delete rows or columns.

        Args:
            dimension: "row" or "col".
            index_list: Their numbers before the deletion, from 1.
        """
        axis = int(dimension == "col")
        lines = [_whole(one) for one in index_list]
        size = self._size()[axis]
        if len(lines) >= size - (1 - axis) or not all(line >= 1 for line in lines):
            raise ToolError("These cannot be deleted: it would be the whole sheet.")
        return self._shift(Shift(axis, lines))

    def update_cell(self, position: str, value: str | float | bool | None) -> str:
        """Write a value into a cell.

        Args:
            position: Its address.
            value: The value.
        """
        return self._write({self._cell(position): value})

    def update_cell_by_formula(
        self,
        start_position: str = "B1",
        end_position: str = "D2",
        position_list: list[str] | None = None,
        result_position: str = "G2",
        operator: Operator = "SUM",
    ) -> str:
        """Write a formula into a cell: an operator on a range, or on single cells.

        Args:
            start_position: The first cell of the range.
            end_position: The last cell of the range.
            position_list: The cells, in place of a range.
            result_position: The cell of the formula.
            operator: The operator.
        """
        formula = self._formula(start_position, end_position, position_list, operator)
        place, codes = self._cell(result_position), self._formats.get(self._open, {})
        read = [one for part in parse(formula).ranges for one in part.rect.positions()]
        code = next((codes[one] for one in read if one in codes), "")
        self._write({place: formula})
        if code and place not in codes and operator not in ("COUNT", "PRODUCT"):
            # A cell without a format takes that of the cells that its formula reads.
            self._formats = {**self._formats, self._open: {**codes, place: code}}
        return repr(self.table())

    def update_range(
        self, start_position: str, end_position: str, values_list: _Rows
    ) -> str:
        """Write values into a range.

        Args:
            start_position: Its first cell.
            end_position: Its last cell.
            values_list: The values by rows.
        """
        first, last = self._cell(start_position), self._cell(end_position)
        if first == (1, 1) and last == self._size():
            raise ToolError("The whole sheet cannot be written at once.")
        row, column = first
        values = {
            (row + r, column + c): value
            for r, line in enumerate(values_list)
            for c, value in enumerate(line)
        }
        if any(not (r <= last[0] and c <= last[1]) for r, c in values):
            raise ToolError("values_list has more values than the range has cells.")
        return self._write(values)

    def sort_sheet_by_col(
        self, col_num: int | str, order: Literal["asc", "des"]
    ) -> str:
        """Sort the rows that are not frozen.

        Args:
            col_num: The number of the column, from 1.
            order: "asc" or "des".
        """
        column, first = _whole(col_num), self._frozen.get(self._open, 0) + 1
        if not 1 <= column <= MAX_COLUMNS:
            raise ToolError("col_num is from 1 on.")
        before = self._sheet.book.grids[self._open]
        letters = cell_name((1, column))[:-1]
        long: Order = "ascending" if order == "asc" else "descending"
        name, key = before.name, self._open
        new = self._sheet.sorted_rows(name, letters, long, first)
        formats = self._formats.get(key, {})
        moved = {(new.get(r, r), c): code for (r, c), code in formats.items()}
        self._sheet.sort_rows(name, letters, long, first)
        self._formats = {**self._formats, key: moved}
        return self._changed()

    def merge_cells(self, start_position: str, end_position: str) -> str:
        """Merge cells into one, which keeps the value of the first.

        Args:
            start_position: The first cell.
            end_position: The last cell.
        """
        rect = self._range(start_position, end_position)
        self._sheet.merge_cells(self._name, str(rect))
        return self._changed()

    def update_note(self, position: str, content: str) -> str:
        """Write the note of a cell.

        Args:
            position: Its address.
            content: The note.
        """
        self._sheet.set_note(self._name, position, content)
        self.version += 1
        return f"The note of {position} is {content!r}."

    def get_all_values(self) -> str:
        """Get the values of all cells, as they are shown."""
        return repr(self.table())

    def get_range_values(self, start_position: str, end_position: str) -> str:
        """Get the values of a range, as they are shown.

        Args:
            start_position: Its first cell.
            end_position: Its last cell.
        """
        rect = self._range(start_position, end_position)
        table = self.table()
        rows = table[rect.top - 1 : rect.bottom]
        return repr([row[rect.left - 1 : rect.right] for row in rows])

    def get_cell_value(self, position: str) -> str:
        """Get the value of a cell, as it is shown.

        Args:
            position: Its address.
        """
        return self._show(self._cell(position), self._sheet.book.values(self._open))

    def get_value_by_formula(
        self,
        start_position: str = "B1",
        end_position: str = "D2",
        position_list: list[str] | None = None,
        operator: Operator = "SUM",
    ) -> str:
        """Calculate an operator on a range, or on single cells.

        Args:
            start_position: The first cell of the range.
            end_position: The last cell of the range.
            position_list: The cells, in place of a range.
            operator: The operator.
        """
        formula = self._formula(start_position, end_position, position_list, operator)
        return shown(self._sheet.calculate(self._name, formula))

    def filter_cells(
        self,
        query: str,
        in_row: int | str | None = None,
        in_column: int | str | None = None,
    ) -> str:
        """Find the cells that show exactly a text.

        Args:
            query: The text.
            in_row: A row to search in, null for all.
            in_column: A column to search in, null for all.
        """
        row = None if in_row is None else _whole(in_row)
        column = None if in_column is None else _whole(in_column)
        found = [
            cell_name((r, c))
            for r, line in enumerate(self.table(), start=1)
            for c, text in enumerate(line, start=1)
            if text == query and row in (None, r) and column in (None, c)
        ]
        return repr(found)

    def get_note(self, position: str) -> str:
        """Get the note of a cell.

        Args:
            position: Its address.
        """
        notes = self._sheet.book.grids[self._open].notes
        return notes.get(self._cell(position), "")

    def finish(self) -> str:
        """End the episode."""
        self.answer = "done"
        return repr(self.table())

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

    def state(self) -> Any:
        """Return everything that the tools have changed."""
        formats = tuple(
            (key, frozenset(one.items())) for key, one in self._formats.items()
        )
        frozen = tuple(self._frozen.items())
        return self._sheet.state(), formats, frozen, self._open

    def restore(self, state: Any) -> None:
        """Restore what ``state`` returned."""
        sheets, formats, frozen, self._open = state
        self._sheet.restore(sheets)
        self._formats = {key: dict(one) for key, one in formats}
        self._frozen = dict(frozen)
        self.version += 1

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


def _whole(value: int | str) -> int:
    try:
        number = int(value)
    except ValueError:
        raise ToolError(f"{str(value)[:40]!r} must be a whole number.") from None
    if abs(number) > MAX_ROWS:
        raise ToolError(f"{number} is too large.")
    return number


_NAMES = (
    *("open_sheet", "del_sheet", "freeze_data", "get_A1_annotation", "insert_cols"),
    *("insert_rows", "delete_batch_data", "update_cell", "update_cell_by_formula"),
    *("update_range", "sort_sheet_by_col", "merge_cells", "update_note"),
    *("get_all_values", "get_range_values", "get_cell_value", "get_value_by_formula"),
    *("filter_cells", "get_note", "finish"),
)
_FUNCTIONS: list[Callable[..., Any]] = [getattr(BoardSheet, name) for name in _NAMES]
SHEET_TOOLS = Toolbox(_FUNCTIONS)
