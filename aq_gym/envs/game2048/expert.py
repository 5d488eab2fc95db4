"""A player that searches ahead over its moves and the random tiles."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.game2048.logic.board import DIRECTIONS, Board, Direction
from aq_gym.envs.game2048.logic.packed import Boards, Packed

Values: TypeAlias = NDArray[np.float64]

_LOST = -1e6
_CHANCE_OF_TWO = 0.9
# About how many boards a search may value, which determines how far it looks ahead.
_MOST_BOARDS = 20_000
# Moves after the first.
_DEEPEST = 3
_TILES_PER_CELL, _MOVES_PER_BOARD = 2, 3
# The worth of a row, in points on a scale of its own.
_EMPTY_CELL = 25.0
_EQUAL_NEIGHBOURS = 60.0
_DISORDER = 4.0


def best_move(board: Board) -> Direction:
    """Choose the move with the highest expected value (expectimax).

    Each move is followed by every tile that may appear, each tile by the best answer,
    and so on: deeper where few cells are empty. Where the search ends, a board is
    worth the sum of its rows and columns: 25 for an empty cell, 60 for two equal
    neighbours, less 4 times the disorder of a row that neither rises nor falls (the
    sum of the differences of the fourth powers of the levels, against its better
    direction), less each level to the power 3.5. These features are those of the
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
        # A move leaves an empty cell, as it either slides or merges.
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
        """Return about how many boards one more tile and move would make."""
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
