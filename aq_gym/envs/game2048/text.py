"""2048's texts: instructions, board, answers, and reasons for refusing a move."""

from __future__ import annotations

import re
from functools import cache

from aq_gym.core.text import listing, quote
from aq_gym.envs.game2048.logic.board import Board, Direction, Row
from aq_gym.envs.game2048.logic.game import Game2048, Tile

_EMPTY = "."
# As wide as the largest tile, 32768, and a space.
_WIDTH = 6
_ROW = re.compile(r"^(?: +(?:\.|[0-9]{1,5})){2,}$", re.MULTILINE)


def goal(tile: int) -> str:
    """State the goal in one sentence."""
    return f"Make a tile of {tile}."


def how_to_act() -> str:
    """Describe the form of a move."""
    return "Move with up, down, left or right (or w, s, a, d)."


def instructions(size: int, tile: int) -> str:
    """Explain the game to an agent that has never seen it."""
    return (
        f"Let us play 2048, on a board of {size}x{size} cells. A move slides all tiles "
        "as far as they can go in one direction. Two equal tiles that meet merge into "
        "one of twice the value; a tile merges once a move at most. After each move "
        "that changes the board a 2, sometimes a 4, appears in a random empty cell. A "
        "move that changes nothing cannot be made.\n"
        f"You win when you make a tile of {tile}; you lose when the board is full and "
        f"no move is left.\n{how_to_act()}"
    )


def board(board: Board) -> str:
    """Draw a board, a dot for an empty cell."""
    return "\n".join(map(_drawn, board))


@cache
def _drawn(row: Row) -> str:
    tiles = [str(1 << level) if level else _EMPTY for level in row]
    return "".join([tile.rjust(_WIDTH) for tile in tiles])


def opening(game: Game2048) -> str:
    """Show the first board."""
    return f"The board has two tiles; a dot is an empty cell.\n{board(game.board)}"


def answer(game: Game2048, direction: Direction, tile: Tile) -> str:
    """Report what a move did."""
    end = ""
    if game.solved:
        end = f" You won! You made a tile of {1 << game.level}."
    elif game.over:
        end = " You lost: the board is full and no move is left."
    return (
        f"You moved {direction}. A {tile.value} appeared in row {tile.row}, column "
        f"{tile.column}. Your score is {game.score}.{end}\n{board(game.board)}"
    )


def read_board(observation: str) -> list[list[str]] | None:
    """Read the board that :func:`board` draws; an empty cell is "".

    Args:
        observation: Any text.

    Returns:
        The cells row by row; None if the text does not have exactly one square board.
    """
    rows = [row.split() for row in _ROW.findall(observation)]
    if len(rows) < 2 or any(len(row) != len(rows) for row in rows):
        return None
    return [["" if cell == _EMPTY else cell for cell in row] for row in rows]


def not_a_move(action: str) -> str:
    """Explain that a text is not a move."""
    return f"{quote(action)} is not a move. {how_to_act()}"


def no_change(game: Game2048, direction: Direction) -> str:
    """Explain that a move changes nothing, and which do."""
    return (
        f"You cannot move {direction}: no tile would slide or merge. You can move "
        f"{listing(game.moves, 'or')}."
    )


def moves(game: Game2048) -> str:
    """List the moves that change the board, and show it."""
    return (
        f"{how_to_act()} Moves that change the board now: {', '.join(game.moves)}.\n"
        f"{board(game.board)}"
    )
