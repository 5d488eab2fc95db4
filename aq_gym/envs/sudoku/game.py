"""The cells of a Sudoku board, and a puzzle with the digits placed on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from operator import eq, itemgetter

BLANK = "."


def layout(box: int) -> Layout:
    """Return the layout of the boards whose boxes are ``box`` cells wide.

    Raises:
        ValueError: If no board has such boxes.
    """
    if type(box) is not int or box not in (2, 3):
        raise ValueError(f"box={box!r}: choose 2 for 4x4 boards or 3 for 9x9 boards")
    return _layout(box)


class Layout:
    """The cells of a board, numbered in reading order from 0.

    Args:
        box: Rows and columns of a box.

    Attributes:
        box: Rows and columns of a box.
        size: The number of rows, of columns and of digits.
        cells: The number of cells.
        numbers: The numbers of the rows, columns and digits, from 1.
        digits: Every digit.
        units: The cells of every row, then every column, then every box.
        names: The names of the units, such as "row 1".
        units_of: For every cell its row, column and box, as indices into ``units``.
        peers: For every cell the cells that share a unit with it.
        unit_values: For every unit a function that picks its items from a list of
            cells.
        peer_values: For every cell a function that picks the items of its peers.
    """

    def __init__(self, box: int) -> None:
        self.box = box
        size = self.size = box * box
        self.cells = size * size
        self.numbers = range(1, size + 1)
        self.digits = "123456789"[:size]
        line = range(size)
        rows = [tuple(r * size + c for c in line) for r in line]
        columns = [tuple(r * size + c for r in line) for c in line]
        boxes = [
            tuple(
                (i // box * box + j // box) * size + i % box * box + j % box
                for j in line
            )
            for i in line
        ]
        self.units = (*rows, *columns, *boxes)
        self.names = tuple(
            f"{kind} {i + 1}" for kind in ("row", "column", "box") for i in line
        )
        self.units_of = tuple(
            tuple(u for u, unit in enumerate(self.units) if cell in unit)
            for cell in range(self.cells)
        )
        self.peers = tuple(
            tuple(sorted({p for u in us for p in self.units[u]} - {cell}))
            for cell, us in enumerate(self.units_of)
        )
        self.peer_values = tuple(itemgetter(*peers) for peers in self.peers)
        self.unit_values = tuple(itemgetter(*unit) for unit in self.units)

    def __reduce__(self) -> tuple[Callable[[int], Layout], tuple[int]]:
        """Copy by reference, because all boards of a size share one layout."""
        return layout, (self.box,)

    @cached_property
    def unit_masks(self) -> tuple[int, ...]:
        """Every unit as an int with one bit per cell."""
        return tuple(sum(1 << cell for cell in unit) for unit in self.units)

    @cached_property
    def non_peer_masks(self) -> tuple[int, ...]:
        """For every cell all cells but its peers, as an int with one bit per cell."""
        return tuple(
            self.full_mask - sum(1 << peer for peer in peers) for peers in self.peers
        )

    @cached_property
    def crossings(self) -> tuple[tuple[int, int], ...]:
        """Every box with every line through it, in both orders, as masks."""
        lines, boxes = self.unit_masks[: -self.size], self.unit_masks[-self.size :]
        pairs = [(box, line) for box in boxes for line in lines if box & line]
        return (*pairs, *((line, box) for box, line in pairs))

    @cached_property
    def full_mask(self) -> int:
        """All cells, as an int with one bit per cell."""
        return (1 << self.cells) - 1

    def at(self, row: int, column: int) -> int:
        """Return the number of the cell at a row and column, counted from 1."""
        return (row - 1) * self.size + column - 1

    def row_column(self, cell: int) -> tuple[int, int]:
        """Return a cell's row and column, counted from 1."""
        row, column = divmod(cell, self.size)
        return row + 1, column + 1


@lru_cache
def _layout(box: int) -> Layout:
    return Layout(box)


class SudokuGame:
    """A puzzle and the digits placed on it.

    Args:
        layout: The layout of the board.
        puzzle: The givens, one character per cell, ``.`` for an empty cell.
        solution: Its only solution.
        board: The puzzle with some cells filled; by default the puzzle itself.

    Attributes:
        cells: The content of every cell.
        blanks: The number of cells to fill.
        empty: The number of cells to fill that are empty now.
        correct: The number of cells to fill that hold the right digit now.
        complete: Whether each row, column and box has every digit now; units that the
            puzzle fills are left out.
    """

    def __init__(
        self, layout: Layout, puzzle: str, solution: str, board: str | None = None
    ) -> None:
        self.layout = layout
        self.puzzle = puzzle
        self.solution = solution
        self.cells = list(puzzle if board is None else board)
        self.blanks = puzzle.count(BLANK)
        self.empty = self.cells.count(BLANK)
        right = sum(map(eq, self.cells, solution))
        self.correct: int = right - len(puzzle) + self.blanks
        self.complete = {
            layout.names[unit]: self._is_complete(unit)
            for unit, given in enumerate(layout.unit_values)
            if BLANK in given(puzzle)
        }

    @property
    def solved(self) -> bool:
        """Whether every cell holds the right digit."""
        return self.correct == self.blanks

    def is_given(self, cell: int) -> bool:
        """Return whether a cell is given by the puzzle and can't change."""
        return self.puzzle[cell] != BLANK

    def breaks_rule(self, cell: int, digit: str) -> bool:
        """Return whether the digit is elsewhere in the cell's row, column or box."""
        return digit in self.layout.peer_values[cell](self.cells)

    def broken_units(self, cell: int, digit: str) -> Iterator[int]:
        """Yield the units of the cell that have the digit elsewhere."""
        for unit in self.layout.units_of[cell]:
            others = (other for other in self.layout.units[unit] if other != cell)
            if any(self.cells[other] == digit for other in others):
                yield unit

    def options(self, allow_conflicts: bool) -> dict[int, list[str]]:
        """Return the possible values of every open cell: digits, then empty."""
        options = {}
        for cell, now in enumerate(self.cells):
            if self.puzzle[cell] != BLANK:
                continue
            taken = {now}
            if not allow_conflicts:
                taken.update(self.layout.peer_values[cell](self.cells))
            symbols = [digit for digit in self.layout.digits if digit not in taken]
            if now != BLANK:
                symbols.append(BLANK)
            if symbols:
                options[cell] = symbols
        return options

    def put(self, cell: int, symbol: str) -> None:
        """Put a digit in a cell that is not given, or empty it."""
        old, right = self.cells[cell], self.solution[cell]
        self.cells[cell] = symbol
        self.empty += (symbol == BLANK) - (old == BLANK)
        self.correct += (symbol == right) - (old == right)
        for unit in self.layout.units_of[cell]:
            self.complete[self.layout.names[unit]] = self._is_complete(unit)

    def _is_complete(self, unit: int) -> bool:
        values = self.layout.unit_values[unit](self.cells)
        return BLANK not in values and len(set(values)) == len(values)
