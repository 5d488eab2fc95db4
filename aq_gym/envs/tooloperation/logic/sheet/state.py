"""The workbook of an episode: its contents, and the differences from the start."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any

from aq_gym.envs.tooloperation.logic.session import Changes, Kept, WorldSession
from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    MAX_COLUMNS,
    MAX_ROWS,
    FormulaError,
    Position,
    Rect,
    cell_name,
    column_name,
    moved,
    parse,
    read_column,
    read_rect,
)
from aq_gym.envs.tooloperation.logic.sheet.functions import Value
from aq_gym.envs.tooloperation.logic.sheet.workbook import (
    EMPTY,
    Grid,
    SheetData,
    Shift,
    Workbook,
    add_differences,
    is_formula,
)
from aq_gym.tools import ToolError

MAX_TEXT = 1_000


def entered(value: Any) -> Any:
    """Return a value as a cell stores it; a text that is a number becomes a number.

    Args:
        value: The value, as an agent gives it.

    Raises:
        ToolError: If the value is too large, or a formula that cannot be read.
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise ToolError(f"A cell has at most {MAX_TEXT:,} characters.")
        value = value.encode(errors="replace").decode()
        stripped = value.strip()
        if stripped[:1] == "=":
            return _checked_formula(stripped)
        value = _as_number(stripped) if stripped.isascii() else value
        if isinstance(value, str):
            return value if stripped else None
    if isinstance(value, (int, float)):
        if abs(value) > 1e300:
            raise ToolError("The number is too large.")
        large = abs(value) > 10**15
        return float(value) if large or value != int(value) else int(value)
    return value


def _checked_formula(text: str) -> str:
    try:
        parse(text)
    except FormulaError as error:
        raise ToolError(f"The formula cannot be read: {error}.") from None
    return text


def _as_number(text: str) -> float | str:
    if "_" in text or not any(letter.isdigit() for letter in text):
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def shown_value(value: Value) -> str:
    """Return a value as text."""
    return str(value).upper() if isinstance(value, bool) else str(value)


def sort_key(value: Any) -> tuple[int, Any]:
    """Return a sort key: numbers, then texts (ignoring case), then booleans."""
    if isinstance(value, bool):
        return 2, value
    return (1, value.casefold()) if isinstance(value, str) else (0, value)


def tester(comparison: str, wanted: Any) -> Callable[[Any], bool]:
    """Return a test of values.

    Args:
        comparison: The comparison; "blank" tests for blank cells.
        wanted: The value to compare with.

    Raises:
        ToolError: If ``wanted`` is blank or a formula.
    """
    if comparison == "blank":
        return lambda value: value is None
    if wanted is None or is_formula(wanted):
        raise ToolError("value must be a number or a text.")
    key = sort_key(wanted)
    tests: dict[str, Callable[[Any], bool]] = {
        "=": lambda other: other == key,
        "<>": lambda other: other != key,
        "<": lambda other: other[0] == key[0] and other < key,
        "<=": lambda other: other[0] == key[0] and other <= key,
        ">": lambda other: other[0] == key[0] and other > key,
        ">=": lambda other: other[0] == key[0] and other >= key,
    }
    test = tests[comparison]
    return lambda value: value is not None and test(sort_key(value))


_MOST_CELLS = 1_000_000
_MOST_INSERTED = 1_000


class SheetState(WorldSession):
    """A workbook that knows its differences from the start.

    Args:
        data: The sheets at the start; they are never changed.
    """

    def __init__(self, data: SheetData) -> None:
        super().__init__()
        self.data = data
        self.book = Workbook(data)
        self._next = len(data)

    def changes(self) -> Changes:
        """Return the differences of values, notes, merged cells and sheets."""
        found: dict[Any, Hashable] = {}
        grids = self.book.grids
        for key in self.data.keys() - grids.keys():
            found[key, "deleted"] = True
        for key, grid in grids.items():
            before = self.data.get(key, EMPTY)
            if grid is before and not self.book.reads_others(key):
                continue
            group = key if key in self.data else f"sheet {grid.name.casefold()}"
            if grid.name != before.name:
                found[group, "name"] = grid.name
            now, old = self.book.values(key), self.data.values_of(key)
            if now is not old:
                add_differences(found, group, now, old)
            for position in grid.notes.keys() | before.notes.keys():
                note = grid.notes.get(position, "")
                if note != before.notes.get(position, ""):
                    found[group, "note", position] = note
            for rect in grid.merged ^ before.merged:
                found[group, "merged", rect] = rect in grid.merged
        return found

    def keeps(self) -> Kept:
        """Return the texts in each sheet."""
        return {
            key: frozenset(
                one
                for one in grid.cells.values()
                if type(one) is str and not is_formula(one)
            )
            for key, grid in self.book.grids.items()
        }

    def losses(self, kept: Kept) -> Collection[Hashable]:
        """Return the sheets that have lost a text."""
        lost = []
        for key, texts in kept.items():
            grid = self.book.grids.get(key, EMPTY)
            if grid is not self.data[key] and texts.difference(grid.cells.values()):
                lost.append(key)
        return lost

    def _contents(self) -> Hashable:
        """Return the sheets that differ from the start, and the keys of all sheets."""
        grids = self.book.grids
        changed = tuple(
            (
                key,
                one.name,
                frozenset(one.cells.items()),
                frozenset(one.notes.items()),
                one.merged,
            )
            for key, one in grids.items()
            if one is not self.data.get(key)
        )
        return self._next, tuple(grids), changed

    def _replace(self, contents: Any) -> None:
        self._next, keys, changed = contents
        new = {
            key: Grid(name, dict(cells), dict(notes), merged)
            for key, name, cells, notes, merged in changed
        }
        self.book = Workbook({key: new.get(key) or self.data[key] for key in keys})

    def sorted_rows(
        self, sheet: str, column: str, order: str, first_row: int
    ) -> dict[int, int]:
        """Return the new position of each row for the arguments of sort_rows."""
        key, number = self.key_of(sheet), self._column(column)
        grid = self.book.grids[key]
        rows = range(max(1, first_row), grid.size[0] + 1)
        if any(
            one.bottom >= rows.start and one.bottom > one.top for one in grid.merged
        ):
            raise ToolError("Cells merged over several rows cannot be sorted.")
        if not rows:
            raise ToolError("There is no row to sort.")
        values = self.book.values(key)
        down = order == "descending"
        filled = [row for row in rows if values.get((row, number)) is not None]
        filled.sort(key=lambda row: sort_key(values[row, number]), reverse=down)
        blank = [row for row in rows if values.get((row, number)) is None]
        return dict(zip([*filled, *blank], rows, strict=True))

    def write(self, sheet: str, values: Mapping[Position, Any]) -> str:
        """Write into single cells, like set_cell."""
        contents = {position: entered(value) for position, value in values.items()}
        return self._put(self.key_of(sheet), contents)

    def key_of(self, sheet: str) -> str:
        """Return the key of a sheet.

        Args:
            sheet: Its name.

        Raises:
            ToolError: If there is no sheet with this name.
        """
        key = self.book.key_of(sheet)
        if key is None:
            names = ", ".join(one.name for one in self.book.grids.values())
            raise ToolError(f"There is no sheet {sheet[:60]!r}. There are: {names}.")
        return key

    def _new_name(self, name: str) -> str:
        checked = name.strip()
        if not 1 <= len(checked) <= 60 or set(checked) & set("'!:\"\n"):
            raise ToolError("A name has 1 to 60 characters, without ' ! : and quotes.")
        if self.book.key_of(checked) is not None:
            raise ToolError(f"There is already a sheet {checked!r}.")
        return checked

    def _rect(self, text: str) -> Rect:
        rect = read_rect(text)
        if rect is None:
            raise ToolError(
                f"{text[:60]!r} is not a range such as A1:C9 "
                f"(at most column {column_name(MAX_COLUMNS)}, row {MAX_ROWS})."
            )
        return rect

    def position_of(self, text: str) -> Position:
        """Return the row and column of a cell.

        Args:
            text: Its address.

        Raises:
            ToolError: If it is not the address of one cell.
        """
        rect = self._rect(text)
        if rect.area != 1:
            raise ToolError(f"{rect} must be one cell, such as B7.")
        return rect.top, rect.left

    def _column(self, text: str) -> int:
        number = read_column(text)
        if not number or not 1 <= len(text.strip()) <= 3:
            raise ToolError(f"{text[:60]!r} is not the letter of a column, such as B.")
        return number

    def _put(self, key: str, changed: Mapping[Position, Any]) -> str:
        grid = self.book.grids[key]
        for one in grid.merged:
            for position in changed:
                if one.holds(position) and position != (one.top, one.left):
                    raise ToolError(
                        f"{cell_name(position)} belongs to the merged cells {one}: "
                        "write into the first of them."
                    )
        if len(grid.cells) + len(changed) > _MOST_CELLS:
            raise ToolError(f"A sheet has at most {_MOST_CELLS:,} cells.")
        blank = {p: c for p, c in changed.items() if c is not None or p in grid.cells}
        return self._changed(lambda: self.book.put(key, blank))

    def _insert(self, sheet: str, axis: int, at: int, count: int) -> str:
        key = self.key_of(sheet)
        most = (MAX_ROWS, MAX_COLUMNS)[axis]
        used = self.book.grids[key].size[axis]
        if not 1 <= count <= _MOST_INSERTED or at < 1 or used + count > most:
            raise ToolError(
                f"Insert 1 to {_MOST_INSERTED} from number 1 on; a sheet has at most "
                f"{most}."
            )
        return self._changed(
            lambda: self.book.shift(key, Shift(axis, at=at, count=count))
        )

    def _reorder(self, key: str, new: Mapping[int, int]) -> None:
        """Move rows, and adjust addresses of the same row in their formulas."""
        grid = self.book.grids[key]
        cells = {}
        for (row, column), content in grid.cells.items():
            to = new.get(row, row)
            if to != row and is_formula(content):
                content = moved(
                    content,
                    lambda sheet: not sheet,
                    lambda rect, fixed, by=to - row: _by_rows(rect, fixed, by),  # type: ignore[misc]
                )
            cells[to, column] = content
        notes = {(new.get(r, r), c): note for (r, c), note in grid.notes.items()}
        self.book.replace(key, grid._replace(cells=cells, notes=notes))

    def _changed(self, change: Callable[[], None]) -> str:
        try:
            change()
        except ValueError as error:
            raise ToolError(f"{error}.") from None
        self.version += 1
        return "Updated."


def _by_rows(rect: Rect, fixed: tuple[bool, bool], by: int) -> Rect | None:
    if fixed[0]:
        return rect
    top = rect.top + by
    return rect._replace(top=top, bottom=rect.bottom + by) if top > 0 else None
