"""A picture of Hangman: the gallows, the revealed letters and the wrong guesses."""

from __future__ import annotations

from aq_gym.core.drawing import INK, MUTED, PALETTE, Circle, Drawing, Line, Rect, Text
from aq_gym.envs.hangman.logic.game import HangmanGame

_SLOT = 48
# Head, body, arms and legs, which appear as lives are lost.
_FIGURE = (
    Circle(160, 100, 20, "", INK),
    Line(160, 120, 160, 190, INK, 4),
    Line(160, 140, 130, 165, INK, 4),
    Line(160, 140, 190, 165, INK, 4),
    Line(160, 190, 135, 230, INK, 4),
    Line(160, 190, 185, 230, INK, 4),
)


def draw(game: HangmanGame) -> Drawing:
    """Return what is revealed, and what the wrong guesses cost.

    Args:
        game: The game now.
    """
    total = game.lives + len(game.wrong)
    width = max(480, len(game.shown) * _SLOT + 48)
    title = f"Hangman, {game.lives} of {total} lives left"
    drawing = Drawing(width, 360, title)
    drawing.add(
        Line(30, 260, 130, 260, INK, 6),
        Line(60, 260, 60, 40, INK, 6),
        Line(57, 40, 160, 40, INK, 6),
        Line(160, 40, 160, 80, INK, 3),
    )
    parts = -(-len(_FIGURE) * len(game.wrong) // total)
    drawing.add(*_FIGURE[:parts])
    drawing.add(
        Text(240, 60, f"{game.lives} of {total} lives left", 16, anchor="start")
    )
    drawing.add(Text(240, 96, "wrong guesses", 14, MUTED, anchor="start"))
    letters = [guess.upper() for guess in game.wrong if len(guess) == 1]
    words = [guess.upper() for guess in game.wrong if len(guess) > 1]
    rows = [" ".join(letters[i : i + 8]) for i in range(0, len(letters), 8)] + words
    for row, text in enumerate(rows[:8]):
        y = 120 + row * 22
        drawing.add(Text(240, y, text, 18, PALETTE[4], anchor="start", bold=True))
    start = (width - len(game.shown) * _SLOT) / 2
    for place, letter in enumerate(game.shown):
        x = start + place * _SLOT
        drawing.add(Rect(x + 4, 340, _SLOT - 8, 3, INK))
        if letter:
            drawing.add(Text(x + _SLOT / 2, 316, letter.upper(), 32, INK, bold=True))
    return drawing
