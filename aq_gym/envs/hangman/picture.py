"""A picture of Hangman: the gallows, the revealed letters and the wrong guesses."""

from __future__ import annotations

from aq_gym.core.drawing import (
    INK,
    MUTED,
    PALETTE,
    Circle,
    Drawing,
    Line,
    Rect,
    Text,
    fitted,
)
from aq_gym.envs.hangman.logic.game import HangmanGame

_SLOT = 52
# Head, body, arms and legs, which appear as lives are lost.
_FIGURE = (
    Circle(170, 84, 24, "", INK),
    Line(170, 108, 170, 182, INK, 6),
    Line(170, 126, 132, 158, INK, 6),
    Line(170, 126, 208, 158, INK, 6),
    Line(170, 182, 138, 230, INK, 6),
    Line(170, 182, 202, 230, INK, 6),
)


def draw(game: HangmanGame) -> Drawing:
    """Return what is revealed, and what the wrong guesses cost.

    Args:
        game: The game now.
    """
    total = game.lives + len(game.wrong)
    width = max(480, len(game.shown) * _SLOT + 32)
    title = f"Hangman, {game.lives} of {total} lives left"
    drawing = Drawing(width, 360, title)
    drawing.add(
        Line(24, 262, 144, 262, INK, 8),
        Line(60, 262, 60, 20, INK, 8),
        Line(56, 24, 173, 24, INK, 8),
        Line(60, 64, 100, 24, INK, 6),
        Line(170, 24, 170, 60, INK, 4),
    )
    parts = -(-len(_FIGURE) * len(game.wrong) // total)
    drawing.add(*_FIGURE[:parts])
    left = f"{game.lives} of {total} lives left"
    drawing.add(
        Text(236, 40, left, 20, INK, "start", bold=True),
        Text(236, 80, "wrong guesses", 18, MUTED, "start"),
    )
    letters = [guess.upper() for guess in game.wrong if len(guess) == 1]
    words = [guess.upper() for guess in game.wrong if len(guess) > 1]
    rows = [" ".join(letters[i : i + 6]) for i in range(0, len(letters), 6)] + words
    for row, text in enumerate(rows[:6]):
        y = 112 + row * 30
        shown = fitted(text, width - 240, 26)
        drawing.add(Text(236, y, shown, 26, PALETTE[4], "start", bold=True))
    start = (width - len(game.shown) * _SLOT) / 2
    for place, letter in enumerate(game.shown):
        x = start + place * _SLOT
        drawing.add(Rect(x + 4, 340, _SLOT - 8, 5, INK))
        if letter:
            drawing.add(Text(x + _SLOT / 2, 312, letter.upper(), 42, INK, bold=True))
    return drawing
