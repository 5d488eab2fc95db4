"""A picture of a 2048 board; larger tiles have warmer colours."""

from __future__ import annotations

from aq_gym.core.drawing import INK, PAPER, Drawing, Rect, Text
from aq_gym.envs.game2048.game import Game2048

_CELL = 104
_GAP = 8
_FRAME = "#a5afba"
_EMPTY = "#cbd2d9"
# The colours of 2, 4, 8 and so on; larger tiles have the last colour.
_TILES = (
    "#fdf0b0",
    "#fbdf9d",
    "#f7c58f",
    "#f5a35c",
    "#ef7f4f",
    "#e2582f",
    "#f2d16b",
    "#ecc13f",
    "#dfae13",
    "#b88a00",
    "#8a6700",
    "#7462b8",
)


def draw(game: Game2048) -> Drawing:
    """Return the board.

    Args:
        game: The game now.
    """
    size = len(game.board)
    side = size * _CELL + _GAP
    title = f"2048, largest tile {1 << game.level}, score {game.score}"
    drawing = Drawing(side, side + 40, title)
    drawing.add(Text(_GAP, 20, f"score {game.score}", 18, anchor="start"))
    drawing.add(Text(side - _GAP, 20, f"goal {1 << game.goal}", 18, anchor="end"))
    drawing.add(Rect(0, 40, side, side, _FRAME, radius=8))
    for row, levels in enumerate(game.board):
        for column, level in enumerate(levels):
            x, y = column * _CELL + _GAP, row * _CELL + _GAP + 40
            fill = _TILES[min(level, len(_TILES)) - 1] if level else _EMPTY
            drawing.add(Rect(x, y, _CELL - _GAP, _CELL - _GAP, fill, radius=6))
            if level:
                value = str(1 << level)
                ink = INK if level < 6 or 6 < level < 10 else PAPER
                middle = (_CELL - _GAP) / 2
                height = 40 if len(value) < 4 else 28
                text = Text(x + middle, y + middle, value, height, ink, bold=True)
                drawing.add(text)
    return drawing
