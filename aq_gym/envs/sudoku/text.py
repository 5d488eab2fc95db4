"""Sudoku's texts: instructions, the board, answers, and why a move is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from aq_gym.core.text import listing, plural, quote
from aq_gym.envs.sudoku.actions import Move
from aq_gym.envs.sudoku.logic.game import SudokuGame
from aq_gym.envs.sudoku.logic.layout import BLANK, Layout

_ROW = re.compile(r"^Row [0-9]{1,2} \|([0-9. |]{1,60})\|$", re.MULTILINE)


def goal(layout: Layout) -> str:
    """Return the goal in one sentence."""
    size, box = layout.size, layout.box
    return (
        f"Fill the {size}x{size} board so that every row, every column and every "
        f"{box}x{box} box holds each digit from 1 to {size} exactly once."
    )


def how_to_act() -> str:
    """Describe the form of a move."""
    return (
        "To put a digit in a cell: Row: 1, Column: 3, Value: 4 (or 1 3 4, or r1c3=4). "
        "To empty a cell that you filled: clear r1c3"
    )


def instructions(layout: Layout, allow_conflicts: bool) -> str:
    """Explain the game to an agent that has never seen it."""
    size = layout.size
    conflict = (
        "Digits that break this rule are accepted, but have to be changed in the end."
        if allow_conflicts
        else "A digit that already stands in the same row, column or box is refused; "
        "one that is accepted can still be wrong."
    )
    return (
        f"Let us play Sudoku. {goal(layout)} Rows are numbered 1 to {size} from top to "
        f"bottom, columns 1 to {size} from left to right, and a dot is an empty cell. "
        "There is exactly one solution.\n"
        "The digits given at the start can't be changed; those that you put can be "
        f"changed and cleared. {conflict}\n"
        f"{how_to_act()}"
    )


def opening(game: SudokuGame) -> str:
    """Return the puzzle's board."""
    return with_board(f"There are {plural(game.blanks, 'cell')} to fill.", game)


def with_board(said: str, game: SudokuGame) -> str:
    """Return a text followed by the board with row and column labels."""
    pieces = _drawing(game.layout).copy()
    pieces[1::2] = game.cells
    return f"{said}\n{''.join(pieces)}"


def answer(game: SudokuGame, move: Move) -> str:
    """Describe the effect of a move."""
    if game.solved:
        return "Solved! Every row, column and box holds each digit exactly once."
    value = "empty" if move.value is None else move.value
    left = (
        f"There {'is' if game.empty == 1 else 'are'} {plural(game.empty, 'cell')} left."
        if game.empty
        else "The board is full but breaks the rules: change or clear digits."
    )
    return f"Row {move.row}, column {move.column} is now {value}. {left}"


def read_board(observation: str) -> list[list[str]] | None:
    """Read the board that :func:`with_board` draws; an empty cell is "".

    Args:
        observation: Any text.

    Returns:
        The cells row by row; None where there is not exactly one square board.
    """
    rows = [row.replace("|", " ").split() for row in _ROW.findall(observation)]
    if not rows or any(len(row) != len(rows) for row in rows):
        return None
    return [["" if cell == BLANK else cell for cell in row] for row in rows]


def not_a_move(action: str) -> str:
    """Explain that a text is not a move."""
    return f"{quote(action)} is not a move. {how_to_act()}"


def out_of_range(layout: Layout, move: Move) -> str:
    """Explain which number of a move is out of range; "" if none is."""
    for noun, number in zip(Move._fields, move, strict=True):
        if number is not None and number not in layout.numbers:
            return f"There is no {noun} {number}: {noun}s go from 1 to {layout.size}."
    return ""


def moves(layout: Layout, options: Mapping[int, Sequence[str]]) -> str:
    """List the digits that each cell can take, and the cells that can be cleared."""
    put, clear = [], []
    for cell, symbols in options.items():
        row, column = layout.row_column(cell)
        digits = [symbol for symbol in symbols if symbol != BLANK]
        if digits:
            put.append(f"r{row}c{column}={'/'.join(digits)}")
        if BLANK in symbols:
            clear.append(f"r{row}c{column}")
    lines = [how_to_act()]
    if put:
        lines.append(f"Digits that can be put now: {', '.join(put)}")
    if clear:
        lines.append(f"Cells that can be cleared now: {', '.join(clear)}")
    return "\n".join(lines)


def no_change(game: SudokuGame, move: Move, cell: int) -> str:
    """Explain why a move can't change its cell; "" if it can."""
    now = game.cells[cell]
    if game.is_given(cell):
        why = f"can't be changed: its {now} was given at the start."
    elif now != move.symbol:
        return ""
    else:
        why = "is already empty." if now == BLANK else f"already holds {now}."
    return f"Row {move.row}, column {move.column} {why}"


def conflict(game: SudokuGame, move: Move, cell: int) -> str:
    """Explain which rules a digit breaks."""
    names = [game.layout.names[u] for u in game.broken_units(cell, move.symbol)]
    places = ["its box" if name.startswith("box") else name for name in names]
    return (
        f"{move.value} can't go in row {move.row}, column {move.column}: "
        f"{listing(places)} already {'has' if len(places) == 1 else 'have'} one."
    )


@lru_cache
def _drawing(layout: Layout) -> list[str]:
    """Return the empty board in pieces; every second one is a cell."""
    box, numbers = layout.box, layout.numbers
    rule = "\n      +" + ("-" * (2 * box + 1) + "+") * box
    row = f" |{' .' * box}" * box + " |"
    labels = [str(n) if n % box or n == layout.size else f"{n}  " for n in numbers]
    drawing = f"Column  {' '.join(labels)}{rule}"
    for number in numbers:
        drawing += f"\nRow {number}{row}{'' if number % box else rule}"
    return re.split(r"(\.)", drawing)
