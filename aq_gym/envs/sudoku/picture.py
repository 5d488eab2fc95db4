"""A picture of a Sudoku board: givens bold on grey, placed digits in blue."""

from __future__ import annotations

from aq_gym.core.drawing import INK, MUTED, PALETTE, PAPER, Drawing, Line, Rect, Text
from aq_gym.envs.sudoku.game import BLANK, SudokuGame

_CELL = 48
_CLASH = "#fbd5cc"
_GIVEN = "#edf0f3"


def draw(game: SudokuGame) -> Drawing:
    """Return the board with the numbers of rows and columns.

    A digit that breaks a rule has a red cell; other wrong digits are not marked.

    Args:
        game: The board now.
    """
    size = game.layout.size
    filled = len(game.cells) - game.empty
    title = f"Sudoku, {filled} of {len(game.cells)} cells filled"
    drawing = Drawing((size + 1) * _CELL, (size + 1) * _CELL, title)
    for cell, digit in enumerate(game.cells):
        row, column = divmod(cell, size)
        x, y = column * _CELL + _CELL * 0.75, row * _CELL + _CELL * 0.75
        given = game.is_given(cell)
        empty = digit == BLANK
        clash = not empty and game.breaks_rule(cell, digit)
        fill = _CLASH if clash else _GIVEN if given else PAPER
        drawing.add(Rect(x, y, _CELL, _CELL, fill, "#c3cbd3"))
        if not empty:
            ink = INK if given else PALETTE[0]
            middle = _CELL / 2
            drawing.add(Text(x + middle, y + middle, digit, 26, ink, bold=given))
    low, high = _CELL * 0.75, _CELL * (size + 0.75)
    for number in range(size + 1):
        at = low + number * _CELL
        if number % game.layout.box == 0:
            drawing.add(Line(at, low, at, high, INK, 2.5))
            drawing.add(Line(low, at, high, at, INK, 2.5))
        if number < size:
            label, middle = str(number + 1), at + _CELL / 2
            drawing.add(Text(middle, low / 2, label, 14, MUTED))
            drawing.add(Text(low / 2, middle, label, 14, MUTED))
    return drawing
