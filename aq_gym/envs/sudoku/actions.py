"""Reading a text as a move, and writing one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from aq_gym.core.text import normalize
from aq_gym.envs.sudoku.logic.layout import BLANK, Layout

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


def _text(row: int, column: int, symbol: str) -> str:
    if symbol == BLANK:
        return f"clear r{row}c{column}"
    return f"Row: {row}, Column: {column}, Value: {symbol}"


class Move(NamedTuple):
    """A parsed move, with the numbers as the agent wrote them.

    Attributes:
        row: Counted from 1.
        column: Counted from 1.
        value: The digit; None to empty the cell.
    """

    row: int
    column: int
    value: int | None

    @property
    def symbol(self) -> str:
        """The new content of the cell: a digit, or empty."""
        return BLANK if self.value is None else str(self.value)

    @property
    def text(self) -> str:
        """The move as an action."""
        return _text(self.row, self.column, self.symbol)


# A wrapper asks whether a text is a move just before the step reads it.
@lru_cache(maxsize=1)
def read(action: str) -> Move | None:
    """Read a move: ``Row: 1, Column: 3, Value: 4``, ``1 3 4``, ``clear r1c3`` etc.

    ``put 4 in row 1 column 3``, ``set r1c3 to 4`` and round brackets, as in
    ``(1, 3, 4)``, are read too.
    """
    text = normalize(action)
    if "(" in text:
        text = _BRACKETS.sub(r"\1", text)
    match = _PUT.fullmatch(text) or _SET.fullmatch(text)
    if match:
        row, column, value = match.groups()
        return Move(int(row), int(column), int(value))
    match = _PLACE.fullmatch(text)
    if match:
        value, row, column = match.groups()
        return Move(int(row), int(column), int(value))
    match = _CLEAR.fullmatch(text)
    if match:
        row, column = match.groups()
        return Move(int(row), int(column), None)
    return None


def write(layout: Layout, cell: int, symbol: str) -> str:
    """Return a move as an action; an empty symbol clears the cell."""
    return _text(*layout.row_column(cell), symbol)
