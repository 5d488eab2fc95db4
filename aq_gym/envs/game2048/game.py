"""2048: boards, how a move changes them, and a game.

A board is a tuple of rows, a row a tuple of levels: 0 for an empty cell, else the
exponent of the tile, so that a 2 has level 1 and 2048 has level 11.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

Row: TypeAlias = tuple[int, ...]
Board: TypeAlias = tuple[Row, ...]
Direction: TypeAlias = Literal["up", "down", "left", "right"]

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
_TILES_PER_FOUR = 10


@cache
def _to_beginning(row: Row) -> tuple[Row, int]:
    """Slide a row towards its first cell; a tile merges at most once.

    Returns:
        The row after the move, and the sum of the merged tiles.
    """
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


@cache
def _to_end(row: Row) -> tuple[Row, int]:
    levels, points = _to_beginning(row[::-1])
    return levels[::-1], points


def empty_board(size: int) -> Board:
    """Return a board without tiles."""
    return ((0,) * size,) * size


def moved(board: Board, direction: Direction) -> tuple[Board, int]:
    """Slide all tiles, merging equal ones.

    Args:
        board: The board before the move.
        direction: The direction in which the tiles slide.

    Returns:
        The board after the move, without a new tile, and the sum of the merged tiles.
    """
    slide = _to_beginning if direction in ("left", "up") else _to_end
    if direction in ("left", "right"):
        slid = [slide(row) for row in board]
        after = tuple([row for row, _ in slid])
    else:
        slid = [slide(column) for column in zip(*board, strict=True)]
        after = tuple(zip(*[column for column, _ in slid], strict=True))
    return after, sum([points for _, points in slid])


def can_move(board: Board) -> bool:
    """Return whether any move changes a board that has no empty cell."""
    lines = (*board, *zip(*board, strict=True))
    return any(_to_beginning(line)[1] for line in lines)


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
        board: The board.
        cell: The number of an empty cell.
        level: The tile's level.
    """
    row, column = divmod(cell, len(board))
    line = board[row]
    line = (*line[:column], level, *line[column + 1 :])
    return (*board[:row], line, *board[row + 1 :])


class Tile(NamedTuple):
    """A tile that was added.

    Attributes:
        value: 2 or 4.
        row: Counted from 1.
        column: Counted from 1.
    """

    value: int
    row: int
    column: int


def deal(size: int, rng: np.random.Generator) -> Board:
    """Return a board with two tiles at random.

    Args:
        size: Rows and columns.
        rng: Draws the cells and the tiles.
    """
    board = empty_board(size)
    for _ in range(2):
        board = with_tile(board, *_drawn(empty_cells(board), rng))
    return board


def _drawn(cells: list[int], rng: np.random.Generator) -> tuple[int, int]:
    """Draw one of the cells and the level of its tile: nine times in ten a 2.

    One random number decides both, because a draw costs as much as a move.
    """
    cell, lot = divmod(
        int(rng.random() * len(cells) * _TILES_PER_FOUR), _TILES_PER_FOUR
    )
    return cells[cell], 1 if lot else 2


class Game2048:
    """A game: a board, a goal and a score.

    Args:
        board: The board.
        goal: The level to reach.
        start: The highest level when the game began; None for the board's highest.
        score: The sum of the tiles merged so far.

    Attributes:
        board: The board now.
        goal: The level to reach.
        start: The highest level when the game began.
        score: The sum of all merged tiles.
        level: The highest level now.
        over: Whether no move is left.
    """

    def __init__(
        self, board: Board, goal: int, start: int | None = None, score: int = 0
    ) -> None:
        self.board = board
        self.goal = goal
        self.level = highest(board)
        self.start = self.level if start is None else start
        self.score = score
        self.over = not empty_cells(board) and not can_move(board)

    @property
    def solved(self) -> bool:
        """Whether the goal is reached."""
        return self.level >= self.goal

    @property
    def moves(self) -> tuple[Direction, ...]:
        """The moves that change the board."""
        board = self.board
        return tuple([d for d in DIRECTIONS if moved(board, d)[0] != board])

    def play(self, direction: Direction, rng: np.random.Generator) -> Tile | None:
        """Make a move, after which a tile is added.

        Args:
            direction: The direction in which the tiles slide.
            rng: Draws the cell and the value of the new tile.

        Returns:
            The new tile; None if the move changes nothing, and then no random number is
            drawn.
        """
        board, points = moved(self.board, direction)
        if board == self.board:
            return None
        cells = empty_cells(board)
        cell, level = _drawn(cells, rng)
        self.board = with_tile(board, cell, level)
        self.score += points
        # A new 4 can be the highest tile, if all other tiles are 2.
        self.level = max(self.level, highest(board) if points else level)
        self.over = len(cells) == 1 and not can_move(self.board)
        row, column = divmod(cell, len(board))
        return Tile(1 << level, row + 1, column + 1)
