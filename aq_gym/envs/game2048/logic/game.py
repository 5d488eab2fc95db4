"""A game of 2048."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aq_gym.envs.game2048.logic.board import (
    DIRECTIONS,
    Board,
    Direction,
    can_move,
    empty_board,
    empty_cells,
    highest,
    moved,
    with_tile,
)

_TILES_PER_FOUR = 10


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
        rng: Decides the cells and the tiles.
    """
    board = empty_board(size)
    for _ in range(2):
        board = with_tile(board, *_drawn(empty_cells(board), rng))
    return board


def _drawn(cells: list[int], rng: np.random.Generator) -> tuple[int, int]:
    """Draw one of the cells and the level of its tile: nine times in ten a 2.

    One number decides both, as a draw costs as much as a move.
    """
    cell, lot = divmod(
        int(rng.random() * len(cells) * _TILES_PER_FOUR), _TILES_PER_FOUR
    )
    return cells[cell], 1 if lot else 2


class Game2048:
    """A board, and what was reached on it.

    Args:
        board: The board.
        goal: The level that is to be reached.
        start: The highest level when the game began; None for that of the board.
        score: The sum of the tiles merged so far.

    Attributes:
        board: The board now.
        goal: The level that is to be reached.
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
            direction: Where the tiles go.
            rng: Decides where a tile is added, and which one.

        Returns:
            The tile that was added; None if the move changes nothing, and then
            nothing is drawn.
        """
        board, points = moved(self.board, direction)
        if board == self.board:
            return None
        cells = empty_cells(board)
        cell, level = _drawn(cells, rng)
        self.board = with_tile(board, cell, level)
        self.score += points
        # If all other tiles are 2, a new 4 is the highest.
        self.level = max(self.level, highest(board) if points else level)
        self.over = len(cells) == 1 and not can_move(self.board)
        row, column = divmod(cell, len(board))
        return Tile(1 << level, row + 1, column + 1)
