"""The texts of Sudoku, and how a move is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import listing, normalize, plural, quote
from aq_gym.envs.sudoku.game import BLANK, Layout, SudokuGame

# A run of digits is a single number: "134" is not a move.
_NUMBER = r"([0-9]{1,3})(?![0-9])"
_CELL = rf"(?:row|r)? ?[:=]? ?{_NUMBER} ?[,;]? ?(?:column|col|c)? ?[:=]? ?{_NUMBER}"
_PUT = re.compile(rf"{_CELL} ?[,;]? ?(?:value|digit|v)? ?[:=]? ?{_NUMBER}")
_PLACE = re.compile(
    rf"(?:put|place|write|enter)(?: the)?(?: digit| number| value)? {_NUMBER} "
    rf"(?:in|into|at) (?:the )?(?:cell )?{_CELL}"
)
_SET = re.compile(rf"set (?:the )?(?:cell )?{_CELL} (?:to|=) ?{_NUMBER}")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_CLEAR = re.compile(rf"clear[: ] ?{_CELL}")

_HOW_TO_ACT = (
    "To put a digit in a cell: Row: 1, Column: 3, Value: 4 (or 1 3 4, or r1c3=4). "
    "To empty a cell that you filled: clear r1c3"
)


class Move(NamedTuple):
    """A parsed move, with the numbers as the agent wrote them.

    Attributes:
        row: The row.
        column: The column.
        value: The digit; None to empty the cell.
    """

    row: int
    column: int
    value: int | None


class SudokuProtocol(Protocol[SudokuGame, Move]):
    """Our protocol: rows and columns count from 1, and cells can be cleared.

    Args:
        layout: The cells of a board.
        allow_conflicts: Whether digits that break a rule are accepted.
    """

    def __init__(self, layout: Layout, allow_conflicts: bool) -> None:
        self._layout = layout
        self._allow_conflicts = allow_conflicts

    def goal(self) -> str:
        """State the goal in one sentence."""
        size, box = self._layout.size, self._layout.box
        return (
            f"Fill the {size}x{size} board so that every row, every column and every "
            f"{box}x{box} box holds each digit from 1 to {size} exactly once."
        )

    def opening(self, game: SudokuGame, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the game."""
        opening = f"There are {plural(game.blanks, 'cell')} to fill."
        if instructions:
            opening = f"{self._instructions()}\n{opening}"
        return with_board(opening, game)

    def moves(self, game: SudokuGame) -> Iterator[Move]:
        """Yield every move that can be made, cell by cell."""
        for cell, symbols in game.options(self._allow_conflicts).items():
            for symbol in symbols:
                yield self._move_to(cell, symbol)

    def advice(self, game: SudokuGame, cell: int, symbol: str) -> Move:
        """Turn the expert's move into one that the protocol accepts.

        Args:
            game: The game.
            cell: The cell that the expert would change.
            symbol: Its new content, a digit or a blank.
        """
        return self._move_to(cell, symbol)

    def read(self, game: SudokuGame, text: str) -> Move | None:
        """Read a move: ``Row: 1, Column: 3, Value: 4``, ``1 3 4``, ``clear r1c3`` etc.

        ``put 4 in row 1 column 3``, ``set r1c3 to 4`` and ``(1, 3, 4)`` are read too.
        """
        text = normalize(text)
        if "(" in text:
            text = _BRACKETS.sub(r"\1", text)
        if match := _PUT.fullmatch(text) or _SET.fullmatch(text):
            row, column, value = match.groups()
            return Move(int(row), int(column), int(value))
        if match := _PLACE.fullmatch(text):
            value, row, column = match.groups()
            return Move(int(row), int(column), int(value))
        if match := _CLEAR.fullmatch(text):
            row, column = match.groups()
            return Move(int(row), int(column), None)
        return None

    def write(self, game: SudokuGame, move: Move) -> str:
        """Write a move as an agent would."""
        row, column, value = move
        if value is None:
            return f"clear r{row}c{column}"
        return f"Row: {row}, Column: {column}, Value: {value}"

    def said(self, game: SudokuGame, move: Move) -> str:
        """Return a move as three characters, with a dot to empty a cell."""
        return "".join(BLANK if n is None else chr(ord("0") + n) for n in move)

    def play(self, game: SudokuGame, move: Move) -> Turn:
        """Make a move, unless it is out of range, changes nothing or breaks a rule."""
        if problem := self._problem(game, move):
            return _invalid(game, problem)
        game.put(self._layout.at(move.row, move.column), _symbol(move))
        return Turn(with_board(_answer(game, move), game))

    def refuse(self, game: SudokuGame, text: str) -> Turn:
        """Explain that a text is not a move."""
        return _invalid(game, f"{quote(text)} is not a move. {_HOW_TO_ACT}")

    def help(self, game: SudokuGame) -> str:
        """Return the form of a move, the digits each cell can take, and the board."""
        put, clear = [], []
        for cell, symbols in game.options(self._allow_conflicts).items():
            row, column = self._layout.row_column(cell)
            digits = [symbol for symbol in symbols if symbol != BLANK]
            if digits:
                put.append(f"r{row}c{column}={'/'.join(digits)}")
            if BLANK in symbols:
                clear.append(f"r{row}c{column}")
        lines = [_HOW_TO_ACT]
        if put:
            lines.append(f"Digits that can be put now: {', '.join(put)}")
        if clear:
            lines.append(f"Cells that can be cleared now: {', '.join(clear)}")
        return with_board("\n".join(lines), game)

    def _instructions(self) -> str:
        size = self._layout.size
        conflict = (
            "Digits that break this rule are accepted, but have to be changed in the "
            "end."
            if self._allow_conflicts
            else "A digit that already stands in the same row, column or box is "
            "refused; one that is accepted can still be wrong."
        )
        return (
            f"Let us play Sudoku. {self.goal()} Rows are numbered 1 to {size} from top "
            f"to bottom, columns 1 to {size} from left to right, and a dot is an empty "
            "cell. There is exactly one solution.\n"
            "The digits given at the start can't be changed; those that you put can be "
            f"changed and cleared. {conflict}\n"
            f"{_HOW_TO_ACT}"
        )

    def _move_to(self, cell: int, symbol: str) -> Move:
        row, column = self._layout.row_column(cell)
        return Move(row, column, None if symbol == BLANK else int(symbol))

    def _problem(self, game: SudokuGame, move: Move) -> str:
        """Explain why a move can't be made; "" if it can."""
        layout = self._layout
        for noun, number in zip(Move._fields, move, strict=True):
            if number is not None and number not in layout.numbers:
                return (
                    f"There is no {noun} {number}: {noun}s go from 1 to {layout.size}."
                )
        cell = layout.at(move.row, move.column)
        place = f"row {move.row}, column {move.column}"
        now, symbol = game.cells[cell], _symbol(move)
        if game.is_given(cell):
            why = f"can't be changed: its {now} was given at the start."
            return f"{place.capitalize()} {why}"
        if now == symbol:
            why = "is already empty." if now == BLANK else f"already holds {now}."
            return f"{place.capitalize()} {why}"
        free = self._allow_conflicts or move.value is None
        if free or not game.breaks_rule(cell, symbol):
            return ""
        names = [layout.names[unit] for unit in game.broken_units(cell, symbol)]
        units = ["its box" if name.startswith("box") else name for name in names]
        return (
            f"{symbol} can't go in {place}: "
            f"{listing(units)} already {'has' if len(units) == 1 else 'have'} one."
        )


def _symbol(move: Move) -> str:
    """Return the new content of a move's cell."""
    return BLANK if move.value is None else str(move.value)


def _answer(game: SudokuGame, move: Move) -> str:
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


def _invalid(game: SudokuGame, why: str) -> Turn:
    return Turn(with_board(why, game), action_valid=False, feedback=why)


def with_board(text: str, game: SudokuGame) -> str:
    """Return a text followed by the board with row and column labels."""
    pieces = _empty_board(game.layout).copy()
    pieces[1::2] = game.cells
    return f"{text}\n{''.join(pieces)}"


@lru_cache
def _empty_board(layout: Layout) -> list[str]:
    """Return the empty board in pieces; every second piece is a cell."""
    box, numbers = layout.box, layout.numbers
    rule = "\n      +" + ("-" * (2 * box + 1) + "+") * box
    row = f" |{' .' * box}" * box + " |"
    labels = [str(n) if n % box or n == layout.size else f"{n}  " for n in numbers]
    drawing = f"Column  {' '.join(labels)}{rule}"
    for number in numbers:
        drawing += f"\nRow {number}{row}{'' if number % box else rule}"
    return re.split(r"(\.)", drawing)
