"""Many boards at once: rows packed into integers, moves as look-ups in tables.

A packed row holds four bits a cell, the first cell in the lowest ones, so that a row of
four has one of 65,536 values. Boards are an array of shape ``(size, n)``: row by board.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.game2048.logic.board import Board

__all__ = ["Boards", "Packed", "Rows", "packed_rows"]

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
    """Make the tables of one size; two tiles of 32,768 do not merge."""
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
    """Slide all rows to their beginning, cell by cell."""
    result = np.zeros_like(levels)
    end = np.zeros(levels.shape[1], np.int64)
    # The level with which the next tile merges, 0 where it cannot.
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
            The new boards, those with a 2 first, and for each of these the index of
            the board that it was made of.
        """
        row, column, source = np.nonzero(self.levels(boards) == 0)
        count = len(source)
        result = boards[:, np.concatenate([source, source])]
        numbers = np.arange(count)
        result[row, numbers] |= 1 << _BITS * column
        result[row, count + numbers] |= 2 << _BITS * column
        return result, source
