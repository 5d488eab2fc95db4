"""Boards of 2048 and how a move changes them.

A board is a tuple of rows, a row a tuple of levels: 0 for an empty cell, else the
exponent of the tile, so that a 2 has level 1 and 2048 has level 11.
"""

from __future__ import annotations

from itertools import chain
from typing import Literal, TypeAlias, get_args

Row: TypeAlias = tuple[int, ...]
Board: TypeAlias = tuple[Row, ...]
Direction: TypeAlias = Literal["up", "down", "left", "right"]

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


class _ToBeginning(dict[Row, tuple[Row, int]]):
    """Return a row with its tiles slid to the beginning, and the points.

    Rows are computed when they are first met; there are 12^4 of four cells up to 2048.
    """

    def __missing__(self, row: Row) -> tuple[Row, int]:
        self[row] = result = _slide(row)
        return result


class _ToEnd(dict[Row, tuple[Row, int]]):
    """Return the same for a row whose tiles slide to its end."""

    def __missing__(self, row: Row) -> tuple[Row, int]:
        levels, points = _slide(row[::-1])
        self[row] = result = levels[::-1], points
        return result


def _slide(row: Row) -> tuple[Row, int]:
    """Slide a row to its beginning; a tile merges at most once."""
    levels: list[int] = []
    points, fresh = 0, False
    for level in filter(None, row):
        if fresh and levels[-1] == level:
            levels[-1] += 1
            points += 1 << levels[-1]
            fresh = False
        else:
            levels.append(level)
            fresh = True
    return (*levels, *[0] * (len(row) - len(levels))), points


_to_beginning, _to_end = _ToBeginning(), _ToEnd()


def empty_board(size: int) -> Board:
    """Return a board without tiles."""
    return ((0,) * size,) * size


def moved(board: Board, direction: Direction) -> tuple[Board, int]:
    """Slide all tiles, merging equal ones.

    Args:
        board: The board before.
        direction: Where the tiles go.

    Returns:
        The board after, without a new tile, and the sum of the merged tiles.
    """
    slides = _to_beginning if direction in ("left", "up") else _to_end
    if direction in ("left", "right"):
        slid = [slides[row] for row in board]
        after = tuple([row for row, _ in slid])
    else:
        slid = [slides[column] for column in zip(*board, strict=True)]
        after = tuple(zip(*[column for column, _ in slid], strict=True))
    return after, sum([points for _, points in slid])


def can_move(board: Board) -> bool:
    """Return whether any move changes a board that has no empty cell."""
    lines = (*board, *zip(*board, strict=True))
    return any(_to_beginning[line][1] for line in lines)


def highest(board: Board) -> int:
    """Return the highest level of a board."""
    return max(map(max, board))


def empty_cells(board: Board) -> list[int]:
    """Return the numbers of the empty cells, counted row by row from 0."""
    cells = chain.from_iterable(board)
    return [number for number, level in enumerate(cells) if not level]


def with_tile(board: Board, cell: int, level: int) -> Board:
    """Return a board with one more tile.

    Args:
        board: The board before.
        cell: The number of an empty cell.
        level: The tile's level.
    """
    row, column = divmod(cell, len(board))
    line = board[row]
    line = (*line[:column], level, *line[column + 1 :])
    return (*board[:row], line, *board[row + 1 :])
