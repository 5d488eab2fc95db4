"""Sheets of cells, the values of their formulas, and differences from the start."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Self, TypeAlias

from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    Formula,
    Position,
    Range,
    Rect,
    moved,
    parse,
)
from aq_gym.envs.tooloperation.logic.sheet.functions import ErrorValue, Value, evaluate

Cells: TypeAlias = Mapping[Position, Any]
_CIRCULAR = ErrorValue("#REF!")
_MOST_READ = 2_000_000


class Grid(NamedTuple):
    """A sheet; it is replaced as a whole when it changes.

    Attributes:
        name: Its name.
        cells: The contents of cells that are not blank; formulas begin with "=".
        notes: The notes of cells.
        merged: The merged ranges.
    """

    name: str
    cells: Cells
    notes: Mapping[Position, str]
    merged: frozenset[Rect]

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of the last row and column in use; 0 for an empty sheet."""
        if not self.cells:
            return 0, 0
        return max(self.cells)[0], max(map(itemgetter(1), self.cells))


class Shift:
    """Rows or columns that are deleted or inserted.

    Args:
        axis: 0 for rows, 1 for columns.
        deleted: The numbers of the deleted rows or columns.
        at: The number of the first inserted row or column.
        count: The number of inserted rows or columns.
    """

    def __init__(
        self, axis: int, deleted: Iterable[int] = (), at: int = 0, count: int = 0
    ) -> None:
        self._axis = axis
        self._deleted = sorted(set(deleted))
        self._at = at
        self._count = count

    def place(self, number: int) -> int:
        """Return the new number of a row or column that is not deleted."""
        inserted = self._count if self._count and number >= self._at else 0
        return number - bisect_left(self._deleted, number) + inserted

    def apply(self, cells: Cells) -> dict[Position, Any]:
        """Return cells at their new positions."""
        gone, axis = set(self._deleted), self._axis
        lines = {position[axis] for position in cells} - gone
        new = {line: self.place(line) for line in lines}
        if axis:
            return {(r, new[c]): x for (r, c), x in cells.items() if c in new}
        return {(new[r], c): x for (r, c), x in cells.items() if r in new}

    def rect(self, rect: Rect) -> Rect | None:
        """Return what is left of a range, or None if nothing is left."""
        first, last = rect[self._axis], rect[self._axis + 2]
        gone = set(self._deleted)
        while first in gone:
            first += 1
        while last in gone:
            last -= 1
        if first > last:
            return None
        ends = self.place(first), self.place(last)
        if self._axis:
            return Rect(rect.top, ends[0], rect.bottom, ends[1])
        return Rect(ends[0], rect.left, ends[1], rect.right)


class Workbook:
    """Sheets by key; a sheet keeps its key when it is renamed.

    Args:
        grids: The sheets, in order.
    """

    def __init__(self, grids: Mapping[str, Grid]) -> None:
        self.grids = dict(grids)
        self._values: dict[tuple[str, Position], Value] = {}
        self._formulas: dict[str, dict[Position, Formula]] = {}
        for key in self.grids:
            self._collect(key)

    def __deepcopy__(self, memo: object) -> Workbook:
        # Copies share the sheets, because a changed sheet is replaced.
        return Workbook(self.grids)

    def key_of(self, name: str) -> str | None:
        """Return the key of the sheet with a name, or None.

        Args:
            name: The name; case does not matter.
        """
        wanted = name.casefold().strip()
        for key, grid in self.grids.items():
            if grid.name.casefold() == wanted:
                return key
        return None

    def value(self, key: str, position: Position) -> Value:
        """Return the value of a cell; None for a blank cell."""
        content = self.grids[key].cells.get(position)
        return self._result(key, position) if is_formula(content) else content

    def values(self, key: str) -> Cells:
        """Return the values of all cells that are not blank."""
        cells, formulas = self.grids[key].cells, self._formulas[key]
        if not formulas:
            return cells
        return {**cells, **{one: self._result(key, one) for one in formulas}}

    def reads_others(self, key: str) -> bool:
        """Return whether a formula of a sheet reads another sheet."""
        formulas = self._formulas[key].values()
        return any(one.sheet for formula in formulas for one in formula.ranges)

    def computed(self, key: str, formula: str) -> Value:
        """Return the value of a formula as if it were in a sheet."""
        read = parse(formula)
        for sheet, position in self._precedents(key, read):
            self._result(sheet, position)
        return evaluate(read.node, lambda one: self._read(key, one))

    def put(self, key: str, changed: Mapping[Position, Any]) -> None:
        """Change the contents of cells; None makes a cell blank.

        Args:
            key: The sheet.
            changed: The contents.

        Raises:
            ValueError: If all formulas together would read too many cells.
        """
        grid = self.grids[key]
        cells = {**grid.cells, **changed}
        for position, content in changed.items():
            if content is None:
                del cells[position]
        formulas = self._formulas[key]
        new = {p: parse(c) for p, c in changed.items() if is_formula(c)}
        if new:
            self._check_reads(key, {**formulas, **new})
        self.grids[key] = grid._replace(cells=cells)
        for position in changed:
            formulas.pop(position, None)
        formulas.update(new)
        self._forget(key, changed)

    def replace(self, key: str, grid: Grid) -> None:
        """Replace a sheet, or add one."""
        self.grids[key] = grid
        self._collect(key)
        self._values.clear()

    def remove(self, key: str) -> None:
        """Remove a sheet."""
        del self.grids[key], self._formulas[key]
        self._values.clear()

    def shift(self, key: str, shift: Shift) -> None:
        """Move every cell of a sheet, and the addresses in all formulas.

        Args:
            key: The sheet.
            shift: The inserted or deleted rows or columns.
        """
        self._rewrite(key, shift)
        grid = self.grids[key]
        cells, notes = shift.apply(grid.cells), shift.apply(grid.notes)
        rects = map(shift.rect, grid.merged)
        merged = frozenset(one for one in rects if one is not None and one.area > 1)
        self.replace(key, Grid(grid.name, cells, notes, merged))

    def rename(self, key: str, name: str) -> None:
        """Rename a sheet, also in formulas."""
        old = self.grids[key].name.casefold()
        self.grids[key] = self.grids[key]._replace(name=name)
        for other, formulas in self._formulas.items():
            if not any(one.sheet for f in formulas.values() for one in f.ranges):
                continue
            cells = dict(self.grids[other].cells)
            for position in formulas:
                cells[position] = _with_name(cells[position], old, name)
            self.replace(other, self.grids[other]._replace(cells=cells))

    def _rewrite(self, key: str, shift: Shift) -> None:
        """Move addresses of one sheet in the formulas of all sheets."""
        name = self.grids[key].name.casefold()
        for other, formulas in self._formulas.items():
            if not formulas:
                continue
            cells = dict(self.grids[other].cells)
            for position in formulas:
                cells[position] = moved(
                    cells[position],
                    lambda sheet, own=other == key: (  # type: ignore[misc]
                        own if not sheet else sheet.casefold() == name
                    ),
                    lambda rect, _: shift.rect(rect),
                )
            self.replace(other, self.grids[other]._replace(cells=cells))

    def _collect(self, key: str) -> None:
        self._formulas[key] = {
            position: parse(content)
            for position, content in self.grids[key].cells.items()
            # is_formula is inlined here to save a call for each cell.
            if type(content) is str and content[:1] == "="
        }

    def _check_reads(self, key: str, formulas: Mapping[Position, Formula]) -> None:
        every = [*formulas.values()]
        every += [
            f for k, own in self._formulas.items() if k != key for f in own.values()
        ]
        if sum(one.rect.area for f in every for one in f.ranges) > _MOST_READ:
            raise ValueError(
                f"the formulas would read more than {_MOST_READ:,} cells: use "
                "smaller ranges"
            )

    def _forget(self, key: str, changed: Iterable[Position]) -> None:
        """Drop the values that depend on changed cells."""
        if not self._values:
            return
        pending = [(key, position) for position in changed]
        for one in pending:
            self._values.pop(one, None)
        while pending:
            dirty: dict[str, list[Position]] = {}
            for sheet, position in pending:
                dirty.setdefault(self.grids[sheet].name.casefold(), []).append(position)
            pending = []
            for cell in [*self._values]:
                sheet, position = cell
                own = self.grids[sheet].name.casefold()
                for read in self._formulas[sheet][position].ranges:
                    places = dirty.get(read.sheet.casefold() or own, ())
                    if any(map(read.rect.holds, places)):
                        del self._values[cell]
                        pending.append(cell)
                        break

    def _result(self, key: str, position: Position) -> Value:
        """Return the value of a formula's cell, after computing the cells it reads.

        It is #REF! if the cell depends on itself, or on a cell that does.
        """
        values, start = self._values, (key, position)
        if start in values:
            return values[start]
        stack, entered, circular = [start], set[Any](), set[Any]()
        while stack:
            cell = stack[-1]
            if cell in values:
                stack.pop()
                continue
            formula = self._formulas[cell[0]][cell[1]]
            precedents = self._precedents(cell[0], formula)
            if cell not in entered:
                entered.add(cell)
                missing = [one for one in precedents if one not in values]
                if any(one in entered for one in missing):
                    circular.add(cell)
                stack += [one for one in missing if one not in entered]
                if stack[-1] != cell:
                    continue
            stack.pop()
            values[cell] = self._computed_cell(cell, formula, precedents, circular)
        return values[start]

    def _computed_cell(
        self,
        cell: tuple[str, Position],
        formula: Formula,
        precedents: Sequence[tuple[str, Position]],
        circular: set[Any],
    ) -> Value:
        if cell in circular or any(one in circular for one in precedents):
            circular.add(cell)
            return _CircularValue()
        if any(isinstance(self._values.get(one), _CircularValue) for one in precedents):
            return _CircularValue()
        return evaluate(formula.node, lambda one: self._read(cell[0], one))

    def _precedents(self, key: str, formula: Formula) -> list[tuple[str, Position]]:
        """Return the cells that a formula reads and that contain formulas."""
        found: list[tuple[str, Position]] = []
        for one in formula.ranges:
            sheet = self.key_of(one.sheet) if one.sheet else key
            formulas = self._formulas[sheet] if sheet is not None else {}
            if sheet is None or not formulas:
                continue
            if one.rect.area < len(formulas):
                inside = [p for p in one.rect.positions() if p in formulas]
            else:
                inside = [p for p in formulas if one.rect.holds(p)]
            found += [(sheet, p) for p in inside]
        return found

    def _read(self, key: str, one: Range) -> Sequence[Value]:
        """Return the values of a range."""
        sheet = self.key_of(one.sheet) if one.sheet else key
        if sheet is None:
            return [ErrorValue("#REF!")]
        cells, values = self.grids[sheet].cells, self._values
        found: list[Value] = []
        for position in one.rect.positions():
            content = cells.get(position)
            if type(content) is str and content[:1] == "=":
                content = values[sheet, position]
            found.append(content)
        return found


class _CircularValue(ErrorValue):
    """The value of a cell that depends on itself."""

    __slots__ = ()

    def __new__(cls) -> _CircularValue:
        return super().__new__(cls, _CIRCULAR)


def is_formula(content: object) -> bool:
    """Return whether the content of a cell is a formula."""
    return type(content) is str and content[:1] == "="


def _with_name(formula: str, old: str, new: str) -> str:
    quoted = f"'{new}'" if not new.isidentifier() else new
    return _renamed_references(formula, old, quoted)


def _renamed_references(formula: str, old: str, new: str) -> str:
    written = parse(formula)
    for name in {one.sheet for one in written.ranges if one.sheet.casefold() == old}:
        for form in (f"'{name}'!", f"{name}!"):
            formula = formula.replace(form, f"{new}!")
    return formula


EMPTY = Grid("", {}, {}, frozenset())


class SheetData(dict[str, Grid]):
    """The sheets at the start, by key; never changed, and shared by copies."""

    def __init__(
        self, grids: Mapping[str, Grid], restore: tuple[Callable[..., Any], Any]
    ) -> None:
        super().__init__(grids)
        self._restore = restore
        self._values: dict[str, Mapping[Position, Any]] | None = None

    def values_of(self, key: str) -> Mapping[Position, Any]:
        """Return the values of the cells of a sheet at the start.

        Args:
            key: The sheet; a new sheet has no cells.
        """
        if self._values is None:
            book = Workbook(self)
            self._values = {one: book.values(one) for one in self}
        return self._values.get(key, EMPTY.cells)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], Any]:
        return self._restore


def add_differences(
    found: dict[Any, Hashable],
    group: str,
    now: Mapping[Position, Any],
    old: Mapping[Position, Any],
) -> None:
    """Add the differences of two tables to the changes of a group."""
    before = old.get
    for position, value in now.items():
        # Most cells hold the same object as at the start, and identity is the faster
        # test.
        if (past := before(position)) is not value and past != value:
            found[group, position] = value
    if not old.keys() <= now.keys():
        for position in [one for one in old if one not in now]:
            found[group, position] = None
