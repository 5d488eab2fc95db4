"""The state of a board."""

from __future__ import annotations

from collections.abc import Iterator
from operator import eq

from aq_gym.envs.sudoku.logic.layout import BLANK, Layout


class SudokuGame:
    """A puzzle and the digits placed on it.

    Args:
        layout: Where the cells are.
        puzzle: The givens: one character a cell, ``.`` for a blank.
        solution: Its one solution.
        board: The puzzle with some blanks filled; by default none is.

    Attributes:
        cells: The content of every cell.
        blanks: The number of cells to fill.
        empty: The number of them that are empty now.
        correct: How many of them hold the right digit now.
        complete: For every row, column and box with a blank in the puzzle whether it
            has every digit now.
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
