"""The texts of 2048, and how a move is read."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import listing, normalize, quote
from aq_gym.envs.game2048.game import Board, Direction, Game2048, Row

_NAMES: dict[str, Direction] = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "w": "up",
    "s": "down",
    "a": "left",
    "d": "right",
}
_MOVE = re.compile(
    r"(?:(?:move|slide|swipe|push|shift|press|go|direction)\b[ :=]*)?"
    r"(?:(?:the |all |all the )?tiles )?(?:to the )?"
    rf"[\"'`(\[*]*({'|'.join(_NAMES)})(?:wards?)?[\"'`)\]*.!]*"
)
_HOW_TO_ACT = "Move with up, down, left or right (or w, s, a, d)."
_EMPTY = "."
# The largest tile, 32768, and a space fit into this width.
_WIDTH = 6


class Game2048Protocol(Protocol[Game2048, Direction]):
    """Our protocol.

    Args:
        size: Rows and columns of the board.
    """

    def __init__(self, size: int) -> None:
        self._size = size

    def goal(self, game: Game2048) -> str:
        """State the goal in one sentence."""
        return f"Make a tile of {1 << game.goal}."

    def opening(self, game: Game2048, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the game."""
        opening = (
            f"The board has two tiles; a dot is an empty cell.\n{_drawn(game.board)}"
        )
        return f"{self._instructions(game)}\n{opening}" if instructions else opening

    def read(self, game: Game2048, text: str) -> Direction | None:
        """Read a move: ``up``, ``w``, ``Move: up``, ``slide the tiles up`` etc."""
        direction = _NAMES.get(text)
        if direction is None and (match := _MOVE.fullmatch(normalize(text))):
            direction = _NAMES[match[1]]
        return direction

    def move(
        self, game: Game2048, direction: Direction, rng: np.random.Generator
    ) -> Turn:
        """Make a move, unless it changes nothing.

        Args:
            game: The game.
            direction: The direction in which the tiles slide.
            rng: Draws the new tile.
        """
        tile = game.play(direction, rng)
        if tile is None:
            return Turn.invalid(
                f"You cannot move {direction}: no tile would slide or merge. You can "
                f"move {listing(game.moves, 'or')}."
            )
        end = ""
        if game.solved:
            end = f" You won! You made a tile of {1 << game.level}."
        elif game.over:
            end = " You lost: the board is full and no move is left."
        answer = (
            f"You moved {direction}. A {tile.value} appeared in row {tile.row}, column "
            f"{tile.column}. Your score is {game.score}.{end}\n{_drawn(game.board)}"
        )
        return Turn(answer, terminated=game.over)

    def refuse(self, game: Game2048, text: str) -> Turn:
        """Explain that a text is not a move."""
        return Turn.invalid(f"{quote(text)} is not a move. {_HOW_TO_ACT}")

    def help(self, game: Game2048) -> str:
        """List the moves that change the board, and show it."""
        moves = ", ".join(game.moves)
        return (
            f"{_HOW_TO_ACT} Moves that change the board now: {moves}.\n"
            f"{_drawn(game.board)}"
        )

    def _instructions(self, game: Game2048) -> str:
        return (
            f"Let us play 2048, on a board of {self._size}x{self._size} cells. A move "
            "slides all tiles as far as they can go in one direction. Two equal tiles "
            "that meet merge into one of twice the value; a tile merges once a move at "
            "most. After each move that changes the board a 2, sometimes a 4, appears "
            "in a random empty cell. A move that changes nothing cannot be made.\n"
            f"You win when you make a tile of {1 << game.goal}; you lose when the "
            f"board is full and no move is left.\n{_HOW_TO_ACT}"
        )


def _drawn(board: Board) -> str:
    """Draw a board, a dot for an empty cell."""
    return "\n".join(map(_drawn_row, board))


@cache
def _drawn_row(row: Row) -> str:
    tiles = [str(1 << level) if level else _EMPTY for level in row]
    return "".join([tile.rjust(_WIDTH) for tile in tiles])
