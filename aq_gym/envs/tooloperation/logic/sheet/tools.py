"""The tools of the workbook."""

from __future__ import annotations

from typing import Any, Literal, Self, TypeAlias

from aq_gym.envs.tooloperation.logic.session import ToolCall, Trial
from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    MAX_COLUMNS,
    MAX_ROWS,
    Rect,
    cell_name,
)
from aq_gym.envs.tooloperation.logic.sheet.functions import Value
from aq_gym.envs.tooloperation.logic.sheet.state import (
    MAX_TEXT,
    SheetState,
    entered,
    shown_value,
    tester,
)
from aq_gym.envs.tooloperation.logic.sheet.workbook import (
    EMPTY,
    Grid,
    Shift,
    is_formula,
)
from aq_gym.tools import Toolbox, ToolError

Order: TypeAlias = Literal["ascending", "descending"]
_MOST_SHOWN = 2_000
_MOST_FOUND = 100
_MOST_SHEETS = 50


class SheetSession(SheetState):
    """A workbook; each public method is a tool."""

    def list_sheets(self) -> list[dict[str, Any]]:
        """List the sheets, with the number of their rows and columns."""
        grids = self.book.grids.values()
        return [
            {"sheet": one.name, "rows": one.size[0], "columns": one.size[1]}
            for one in grids
        ]

    def add_sheet(self, name: str) -> str:
        """Add an empty sheet at the end.

        Args:
            name: Its name.
        """
        if len(self.book.grids) >= _MOST_SHEETS:
            raise ToolError(f"A workbook has at most {_MOST_SHEETS} sheets.")
        checked = self._new_name(name)
        self._next += 1
        return self._changed(
            lambda: self.book.replace(f"new {self._next}", EMPTY._replace(name=checked))
        )

    def rename_sheet(self, sheet: str, name: str) -> str:
        """Change the name of a sheet.

        Args:
            sheet: The name now.
            name: The new name.
        """
        key = self.key_of(sheet)
        same = name.strip().casefold() == self.book.grids[key].name.casefold()
        checked = name.strip() if same else self._new_name(name)
        return self._changed(lambda: self.book.rename(key, checked))

    def delete_sheet(self, sheet: str) -> str:
        """Delete a sheet.

        Args:
            sheet: Its name.
        """
        key = self.key_of(sheet)
        if len(self.book.grids) == 1:
            raise ToolError("The last sheet cannot be deleted.")
        return self._changed(lambda: self.book.remove(key))

    def get_values(self, sheet: str, cells: str = "") -> list[list[Value]]:
        """Get the values of cells by rows; blank cells are null.

        Args:
            sheet: The name of the sheet.
            cells: A range such as A1:C9; "" for all cells in use.
        """
        key = self.key_of(sheet)
        rows, columns = self.book.grids[key].size
        if not cells and not rows:
            return []
        rect = self._rect(cells) if cells else Rect(1, 1, rows, columns)
        if rect.area > _MOST_SHOWN:
            raise ToolError(
                f"{rect} has {rect.area:,} cells; at most {_MOST_SHOWN:,} are shown: "
                "give a smaller range, or use find_cells."
            )
        values = self.book.values(key)
        return [
            [values.get((row, column)) for column in range(rect.left, rect.right + 1)]
            for row in range(rect.top, rect.bottom + 1)
        ]

    def get_cell(self, sheet: str, cell: str) -> dict[str, Any]:
        """Get the value of a cell, its formula, its note and its merged range.

        Args:
            sheet: The name of the sheet.
            cell: Its address, such as B7.
        """
        key, position = self.key_of(sheet), self.position_of(cell)
        grid = self.book.grids[key]
        content = grid.cells.get(position)
        merged = next((str(one) for one in grid.merged if one.holds(position)), "")
        return {
            "value": self.book.value(key, position),
            "formula": content if is_formula(content) else "",
            "note": grid.notes.get(position, ""),
            "merged": merged,
        }

    def set_cell(self, sheet: str, cell: str, value: str | float | bool | None) -> str:
        """Write a value or a formula into a cell.

        Args:
            sheet: The name of the sheet.
            cell: Its address, such as B7.
            value: A number, a text, a formula such as "=SUM(B2:B6)", or null for a
                blank cell.
        """
        key, position = self.key_of(sheet), self.position_of(cell)
        return self._put(key, {position: entered(value)})

    def set_range(
        self, sheet: str, start: str, values: list[list[str | float | bool | None]]
    ) -> str:
        """Write values or formulas into several cells.

        Args:
            sheet: The name of the sheet.
            start: The address of the first cell.
            values: The values by rows, as set_cell takes them.
        """
        key, (row, column) = self.key_of(sheet), self.position_of(start)
        changed = {
            (row + r, column + c): entered(value)
            for r, line in enumerate(values)
            for c, value in enumerate(line)
        }
        if any(r > MAX_ROWS or c > MAX_COLUMNS for r, c in changed):
            raise ToolError("The values do not fit into the sheet.")
        if not changed:
            raise ToolError("values has no value.")
        return self._put(key, changed)

    def clear_range(self, sheet: str, cells: str) -> str:
        """Make cells blank. Notes and merged cells stay.

        Args:
            sheet: The name of the sheet.
            cells: A cell or range.
        """
        key, rect = self.key_of(sheet), self._rect(cells)
        used = self.book.grids[key].cells
        return self._put(key, dict.fromkeys((p for p in used if rect.holds(p)), None))

    def insert_rows(self, sheet: str, row: int, count: int = 1) -> str:
        """Insert blank rows. Rows below move down.

        Args:
            sheet: The name of the sheet.
            row: The number of the first new row.
            count: How many.
        """
        return self._insert(sheet, 0, row, count)

    def insert_columns(self, sheet: str, column: str, count: int = 1) -> str:
        """Insert blank columns. Columns on the right move.

        Args:
            sheet: The name of the sheet.
            column: The letter of the first new column.
            count: How many.
        """
        return self._insert(sheet, 1, self._column(column), count)

    def delete_rows(self, sheet: str, rows: list[int]) -> str:
        """Delete rows. Rows below move up.

        Args:
            sheet: The name of the sheet.
            rows: Their numbers before the deletion.
        """
        if not rows or not all(1 <= row <= MAX_ROWS for row in rows):
            raise ToolError(f"rows must be numbers from 1 to {MAX_ROWS}.")
        key = self.key_of(sheet)
        return self._changed(lambda: self.book.shift(key, Shift(0, rows)))

    def delete_columns(self, sheet: str, columns: list[str]) -> str:
        """Delete columns. Columns on the right move.

        Args:
            sheet: The name of the sheet.
            columns: Their letters before the deletion.
        """
        numbers = [self._column(one) for one in columns]
        if not numbers:
            raise ToolError("columns has no column.")
        key = self.key_of(sheet)
        return self._changed(lambda: self.book.shift(key, Shift(1, numbers)))

    def sort_rows(
        self,
        sheet: str,
        column: str,
        order: Order = "ascending",
        first_row: int = 2,
    ) -> str:
        """Sort the rows of a sheet by a column: numbers, then texts, then blanks.

        Args:
            sheet: The name of the sheet.
            column: The letter of the column.
            order: The order. Equal rows keep their order.
            first_row: The first row that is sorted; those above it stay.
        """
        new = self.sorted_rows(sheet, column, order, first_row)
        key = self.key_of(sheet)
        return self._changed(lambda: self._reorder(key, new))

    def find_cells(self, sheet: str, text: str, column: str = "") -> list[str]:
        """Find the cells whose value is a text or number; at most 100.

        Args:
            sheet: The name of the sheet.
            text: The whole value; case does not matter.
            column: The letter of a column to search in, "" for all.
        """
        key, wanted = self.key_of(sheet), text.casefold().strip()
        only = self._column(column) if column else 0
        found = [
            position
            for position, value in self.book.values(key).items()
            if (not only or position[1] == only)
            and shown_value(value).casefold() == wanted
        ]
        return [cell_name(one) for one in sorted(found)[:_MOST_FOUND]]

    def filter_rows(
        self,
        sheet: str,
        column: str,
        comparison: Literal["=", "<>", "<", "<=", ">", ">=", "blank"],
        value: str | float = "",
    ) -> list[int]:
        """Find the rows whose cell in a column meets a comparison; at most 100.

        Args:
            sheet: The name of the sheet.
            column: The letter of the column.
            comparison: The comparison; "blank" needs no value.
            value: The value to compare with.
        """
        key, number = self.key_of(sheet), self._column(column)
        values, rows = self.book.values(key), self.book.grids[key].size[0]
        test = tester(comparison, entered(value))
        found = (row for row in range(1, rows + 1) if test(values.get((row, number))))
        return [row for row, _ in zip(found, range(_MOST_FOUND), strict=False)]

    def calculate(self, sheet: str, formula: str) -> Value:
        """Calculate a formula without writing it.

        Args:
            sheet: The name of the sheet that its addresses are in.
            formula: The formula, such as "=AVERAGE(B2:B6)".
        """
        key, text = self.key_of(sheet), formula.strip()
        checked = entered(text if text[:1] == "=" else f"={text}")
        return self.book.computed(key, checked)

    def merge_cells(self, sheet: str, cells: str) -> str:
        """Merge cells into one, which keeps the value of the first.

        Args:
            sheet: The name of the sheet.
            cells: The range.
        """
        key, rect = self.key_of(sheet), self._rect(cells)
        grid = self.book.grids[key]
        if rect.area < 2 or rect.area > _MOST_SHOWN:
            raise ToolError(f"cells must be a range of 2 to {_MOST_SHOWN:,} cells.")
        if any(rect.meets(one) for one in grid.merged):
            raise ToolError(f"{rect} has cells that are merged already.")
        first = (rect.top, rect.left)
        lost = {p: None for p in rect.positions() if p in grid.cells and p != first}
        new = grid._replace(
            cells={p: c for p, c in grid.cells.items() if p not in lost},
            merged=grid.merged | {rect},
        )
        return self._changed(lambda: self.book.replace(key, new))

    def unmerge_cells(self, sheet: str, cell: str) -> str:
        """Undo the merging of cells. The value stays in the first of them.

        Args:
            sheet: The name of the sheet.
            cell: A cell of the merged range.
        """
        key, position = self.key_of(sheet), self.position_of(cell)
        grid = self.book.grids[key]
        found = [one for one in grid.merged if one.holds(position)]
        if not found:
            raise ToolError(f"{cell_name(position)} is not merged.")
        new = grid._replace(merged=grid.merged.difference(found))
        return self._changed(lambda: self.book.replace(key, new))

    def set_note(self, sheet: str, cell: str, note: str) -> str:
        """Write the note of a cell.

        Args:
            sheet: The name of the sheet.
            cell: Its address.
            note: The note, "" for none.
        """
        key, position = self.key_of(sheet), self.position_of(cell)
        if len(note) > MAX_TEXT:
            raise ToolError(f"A note has at most {MAX_TEXT:,} characters.")
        grid = self.book.grids[key]
        notes = {**grid.notes, position: note}
        if not note:
            del notes[position]
        new = grid._replace(notes=notes)
        return self._changed(lambda: self.book.grids.update({key: new}))

    def repairs(self, wanted: Self) -> list[ToolCall] | None:
        """Return calls that make this workbook equal to another one.

        A sheet of the start that was deleted cannot be restored.
        """
        ours, theirs = self.book.grids, wanted.book.grids
        if theirs.keys() & self.data.keys() - ours.keys():
            return None
        made, added = Trial(self), theirs.keys() - self.data.keys()
        kept = {theirs[key].name.casefold() for key in added}
        for key, grid in ours.items():
            is_new = key not in self.data and grid.name.casefold() not in kept
            if is_new or (key in self.data and key not in theirs):
                made.call("delete_sheet", sheet=grid.name)
        for key, grid in theirs.items():
            if key in self.data and ours[key].name != grid.name:
                made.call("rename_sheet", sheet=ours[key].name, name=grid.name)
            elif made.session.book.key_of(grid.name) is None:
                made.call("add_sheet", name=grid.name)
        for grid in theirs.values():
            if not _write(made, grid):
                return None
        return made.calls


def _write(made: Trial, wanted: Grid) -> bool:
    """Change the cells of a sheet; return False if they are too many."""
    book, sheet = made.session.book, wanted.name

    def now() -> Grid:
        grid: Grid = book.grids[book.key_of(sheet)]
        return grid

    for rect in sorted(now().merged - wanted.merged):
        made.call("unmerge_cells", sheet=sheet, cell=cell_name((rect.top, rect.left)))
    cells = now().cells
    differing = {
        one: wanted.cells.get(one)
        for one in sorted(cells.keys() | wanted.cells.keys())
        if cells.get(one) != wanted.cells.get(one)
    }
    rows, columns = zip(*differing, strict=True) if differing else ((1,), (1,))
    box = Rect(min(rows), min(columns), max(rows), max(columns))
    if box.area > _MOST_SHOWN:
        return False
    if len(differing) > 1 and not any(box.meets(one) for one in now().merged):
        values = [
            [
                wanted.cells.get((row, column))
                for column in range(box.left, box.right + 1)
            ]
            for row in range(box.top, box.bottom + 1)
        ]
        start = cell_name((box.top, box.left))
        made.call("set_range", sheet=sheet, start=start, values=values)
    else:
        for one, value in differing.items():
            made.call("set_cell", sheet=sheet, cell=cell_name(one), value=value)
    for rect in sorted(wanted.merged - now().merged):
        made.call("merge_cells", sheet=sheet, cells=str(rect))
    notes = now().notes
    for one in sorted(notes.keys() | wanted.notes.keys()):
        note = wanted.notes.get(one, "")
        if note != notes.get(one, ""):
            made.call("set_note", sheet=sheet, cell=cell_name(one), note=note)
    return True


TOOLS = Toolbox.of(SheetSession)
