"""A player that searches its moves and the random tiles, on packed boards."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.game2048.game import DIRECTIONS, Board, Direction

Boards: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

_BITS = 4
_LEVELS = 1 << _BITS


class Rows(NamedTuple):
    """Every packed row of one size.

    Attributes:
        levels: The level of each cell: an array of shape ``(size, rows)``.
        to_beginning: The row after its tiles slid to the first cell.
        to_end: The row after its tiles slid to the last cell.
    """

    levels: NDArray[np.int64]
    to_beginning: NDArray[np.int64]
    to_end: NDArray[np.int64]


@cache
def packed_rows(size: int) -> Rows:
    """Make the tables of one size; in them, two tiles of 32,768 do not merge."""
    rows = np.arange(_LEVELS**size, dtype=np.int64)
    levels = np.stack([rows >> _BITS * i & _LEVELS - 1 for i in range(size)])
    to_beginning = _pack(_slid(levels))
    reverse = _pack(levels[::-1])
    return Rows(levels, to_beginning, reverse[to_beginning[reverse]])


def _pack(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    shifts = _BITS * np.arange(len(levels))
    rows: NDArray[np.int64] = np.bitwise_or.reduce(levels << shifts[:, None], axis=0)
    return rows


def _slid(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Slide all rows towards their first cell, one cell at a time."""
    result = np.zeros_like(levels)
    end = np.zeros(levels.shape[1], np.int64)
    # The level with which the next tile can merge, 0 where it cannot merge.
    open_level = np.zeros_like(end)
    for level in levels:
        merges = (level > 0) & (level == open_level) & (level < _LEVELS - 1)
        moves = (level > 0) & ~merges
        merging, moving = np.flatnonzero(merges), np.flatnonzero(moves)
        result[end[merging] - 1, merging] += 1
        result[end[moving], moving] = level[moving]
        end[moving] += 1
        open_level = np.where(moves, level, np.where(merges, 0, open_level))
    return result


class Packed:
    """Boards of one size, with moves and new tiles."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows = packed_rows(size)
        self._shifts = _BITS * np.arange(size)

    def pack(self, board: Board) -> Boards:
        """Return one board as an array of shape ``(size, 1)``."""
        return _pack(np.array(board, np.int64).T)[:, None]

    def levels(self, boards: Boards) -> NDArray[np.int64]:
        """Return the levels of all cells: an array of shape ``(size, size, n)``."""
        levels: NDArray[np.int64] = (
            boards[:, None] >> self._shifts[:, None] & _LEVELS - 1
        )
        return levels

    def transposed(self, boards: Boards) -> Boards:
        """Return the boards with rows and columns exchanged."""
        shifted = self.levels(boards) << self._shifts[:, None, None]
        columns: Boards = np.bitwise_or.reduce(shifted, axis=0)
        return columns

    def moved(self, boards: Boards) -> tuple[Boards, Bools]:
        """Return the boards after each move, and which moves change them.

        Args:
            boards: An array of shape ``(size, n)``.

        Returns:
            Boards of shape ``(size, 4, n)``, and an array of shape ``(4, n)``: in the
            order up, down, left, right.
        """
        columns, count = self.transposed(boards), boards.shape[1]
        lines = columns, columns, boards, boards
        tables = (self.rows.to_beginning, self.rows.to_end) * 2
        slid = [table[line] for table, line in zip(tables, lines, strict=True)]
        changed = np.stack(
            [(new != line).any(axis=0) for new, line in zip(slid, lines, strict=True)]
        )
        upright = self.transposed(np.concatenate(slid[:2], axis=1))
        after = np.concatenate([upright, *slid[2:]], axis=1)
        return after.reshape(self.size, 4, count), changed

    def with_tiles(self, boards: Boards) -> tuple[Boards, NDArray[np.intp]]:
        """Return the boards with a 2 in each empty cell, then with a 4.

        Args:
            boards: An array of shape ``(size, n)``.

        Returns:
            The new boards, first those with a 2, then those with a 4; and the index of
            the board from which each of those with a 2 was made.
        """
        row, column, source = np.nonzero(self.levels(boards) == 0)
        count = len(source)
        result = boards[:, np.concatenate([source, source])]
        numbers = np.arange(count)
        result[row, numbers] |= 1 << _BITS * column
        result[row, count + numbers] |= 2 << _BITS * column
        return result, source


Values: TypeAlias = NDArray[np.float64]

_LOST = -1e6
_CHANCE_OF_TWO = 0.9
# The approximate number of boards that a search may value, which determines its depth.
_MOST_BOARDS = 20_000
# The maximum depth, in moves after the first.
_DEEPEST = 3
_TILES_PER_CELL, _MOVES_PER_BOARD = 2, 3
# The weights in the value of a row.
_EMPTY_CELL = 25.0
_EQUAL_NEIGHBOURS = 60.0
_DISORDER = 4.0


def best_move(board: Board) -> Direction:
    """Choose the move with the highest expected value (expectimax).

    The search alternates moves and the tiles that may appear, and is deeper when few
    cells are empty. At its end, the value of a board is the sum over its rows and
    columns: 25 for each empty cell and 60 for each pair of equal neighbours, minus 4
    times the disorder, minus each level to the power 3.5. The disorder is the sum of
    the differences of the fourth powers of neighbouring levels that break the row's
    rising or falling order, whichever fits better. These features come from the
    well-known program of R. Xiao (https://stackoverflow.com/a/22498940), with rounder
    weights; a board without a move is worth -1,000,000.
    """
    search = _search(len(board))
    return DIRECTIONS[search.best_move(board)]


class _Search:
    def __init__(self, size: int) -> None:
        self._packed = Packed(size)
        levels = self._packed.rows.levels
        self._values = _row_values(levels)
        self._empty_cells = (levels == 0).sum(axis=0)

    def best_move(self, board: Board) -> int:
        """Return the number of the best move."""
        after, changed = self._packed.moved(self._packed.pack(board))
        moves = np.flatnonzero(changed[:, 0])
        boards = after[:, moves, 0]
        values = self._before_tile(boards, _DEEPEST)
        return int(moves[values.argmax()])

    def _before_tile(self, boards: Boards, depth: int) -> Values:
        """Return the mean value over all tiles that may appear.

        Args:
            boards: Boards after a move.
            depth: How many moves may follow the next one.
        """
        count = boards.shape[1]
        with_tiles, source = self._packed.with_tiles(boards)
        twos, fours = self._before_move(with_tiles, depth).reshape(2, -1)
        values = _CHANCE_OF_TWO * twos + (1 - _CHANCE_OF_TWO) * fours
        sums = np.bincount(source, weights=values, minlength=count)
        # After a move there is always an empty cell, since a tile slid or merged.
        means: Values = sums / np.bincount(source, minlength=count)
        return means

    def _before_move(self, boards: Boards, depth: int) -> Values:
        """Return the value of the best move of each board."""
        after, changed = self._packed.moved(boards)
        values = np.full(changed.shape, _LOST)
        possible = after[:, changed]
        deeper = depth and self._boards_after(possible) <= _MOST_BOARDS
        values[changed] = (
            self._before_tile(possible, depth - 1) if deeper else self._value(possible)
        )
        best: Values = values.max(axis=0)
        return best

    def _boards_after(self, boards: Boards) -> int:
        """Return the approximate number of boards after one more tile and move."""
        empty = int(self._empty_cells[boards].sum())
        return _TILES_PER_CELL * _MOVES_PER_BOARD * empty

    def _value(self, boards: Boards) -> Values:
        columns = self._packed.transposed(boards)
        value: Values = self._values[boards].sum(0) + self._values[columns].sum(0)
        return value


def _row_values(levels: NDArray[np.int64]) -> Values:
    """Return the value of every row."""
    powers = levels.astype(np.float64) ** 4
    steps = np.diff(powers, axis=0)
    falls, rises = np.maximum(-steps, 0).sum(0), np.maximum(steps, 0).sum(0)
    equal = ((levels[1:] == levels[:-1]) & (levels[1:] > 0)).sum(0)
    worth: Values = (
        _EMPTY_CELL * (levels == 0).sum(0)
        + _EQUAL_NEIGHBOURS * equal
        - _DISORDER * np.minimum(falls, rises)
        - (levels**3.5).sum(0)
    )
    return worth


@cache
def _search(size: int) -> _Search:
    return _Search(size)
