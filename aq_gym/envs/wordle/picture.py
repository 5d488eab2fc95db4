"""A picture of Wordle: the guesses as tiles, and the letters of the keyboard."""

from __future__ import annotations

from aq_gym.core.drawing import INK, MUTED, PAPER, Drawing, Rect, Text
from aq_gym.envs.wordle.game import GREEN, GREY, YELLOW, WordleGame

_TILE = 56
_KEY = 36
_FILLS = {GREEN: "#2f855a", YELLOW: "#d69e2e", GREY: "#7b8794"}
_MOST_ROWS = 10
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def draw(game: WordleGame) -> Drawing:
    """Return the latest guesses with their marks, and what is known of each letter.

    Args:
        game: The game now.
    """
    clues, left, length = game.clues[-_MOST_ROWS:], game.left, len(game.answer)
    rows = min(_MOST_ROWS, len(clues) + left)
    width = max(length * _TILE, len(_KEYBOARD[0]) * _KEY) + 32
    top = rows * _TILE + 24
    title = f"Wordle after {len(game.guesses)} guesses, {left} left"
    drawing = Drawing(width, top + 3 * _KEY + 24, title)
    best: dict[str, str] = {}
    start = (width - length * _TILE) / 2
    for row in range(rows):
        word, marks = clues[row] if row < len(clues) else (" " * length, "")
        for column, letter in enumerate(word):
            x, y = start + column * _TILE + 3, row * _TILE + 12
            side = _TILE - 6
            if not marks:
                drawing.add(Rect(x, y, side, side, PAPER, "#9aa5b1", 4))
                continue
            drawing.add(
                Rect(x, y, side, side, _FILLS[marks[column]], radius=4),
                Text(x + side / 2, y + side / 2, letter.upper(), 28, PAPER, bold=True),
            )
    for word, marks in game.clues:
        for letter, mark in zip(word, marks, strict=True):
            if best.get(letter) != GREEN and (mark != GREY or letter not in best):
                best[letter] = mark
    for row, letters in enumerate(_KEYBOARD):
        start = (width - len(letters) * _KEY) / 2
        for column, letter in enumerate(letters):
            x, y = start + column * _KEY + 2, top + row * _KEY
            known = letter in best
            fill, ink = (_FILLS[best[letter]], PAPER) if known else ("#e4e7eb", INK)
            if best.get(letter) == GREY:
                fill, ink = "#f5f7fa", MUTED
            drawing.add(
                Rect(x, y, _KEY - 4, _KEY - 4, fill, radius=4),
                Text(x + _KEY / 2 - 2, y + _KEY / 2 - 2, letter.upper(), 16, ink),
            )
    return drawing
