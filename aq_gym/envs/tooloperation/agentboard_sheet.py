"""AgentBoard's workbook: its tools, with the answers of Google Sheets."""

from __future__ import annotations

from typing import Any, Literal

from aq_gym.envs.tooloperation.agentboard_table import BoardTable, Operator, shown
from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    MAX_COLUMNS,
    MAX_ROWS,
    cell_name,
    parse,
)
from aq_gym.envs.tooloperation.logic.sheet.tools import Order
from aq_gym.envs.tooloperation.logic.sheet.workbook import Shift
from aq_gym.tools import Toolbox, ToolError

_Rows = list[list[Any]]


class BoardSheet(BoardTable):
    """The workbook; each public method is a tool."""

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


def _whole(value: int | str) -> int:
    try:
        number = int(value)
    except ValueError:
        raise ToolError(f"{str(value)[:40]!r} must be a whole number.") from None
    if abs(number) > MAX_ROWS:
        raise ToolError(f"{number} is too large.")
    return number


SHEET_TOOLS = Toolbox.of(BoardSheet)
