"""A picture of Mastermind: the guesses as pegs, with the host's answers."""

from __future__ import annotations

from aq_gym.core.drawing import INK, MUTED, PALETTE, PAPER, Circle, Drawing, Rect, Text
from aq_gym.envs.mastermind.logic.game import Feedback
from aq_gym.envs.mastermind.logic.rules import Rules

_ROWS = 9
_PEG = 48


def draw(rules: Rules, history: dict[str, Feedback]) -> Drawing:
    """Return the latest guesses, the last one at the bottom, and the hidden code.

    Args:
        rules: The length of the code and its symbols.
        history: Every different guess with its answer, oldest first.
    """
    width = max(400, (rules.code_length + 5) * _PEG)
    title = f"Mastermind after {len(history)} different guesses"
    drawing = Drawing(width, (_ROWS + 1) * _PEG, title)
    for place in range(rules.code_length):
        drawing.add(
            Circle(*_middle(0, place), 18, "#d5dbe1"),
            Text(*_middle(0, place), "?", 20, MUTED, bold=True),
        )
    first = max(0, len(history) - _ROWS)
    for row, (guess, answer) in enumerate([*history.items()][first:], 1):
        y = row * _PEG + _PEG / 2
        drawing.add(Text(24, y, str(first + row), 14, MUTED))
        for place, symbol in enumerate(guess):
            colour = PALETTE[rules.symbols.index(symbol) % len(PALETTE)]
            ink = INK if colour in PALETTE[5:7] or colour == PALETTE[1] else PAPER
            drawing.add(
                Circle(*_middle(row, place), 18, colour),
                Text(*_middle(row, place), symbol, 20, ink, bold=True),
            )
        left = (rules.code_length + 1) * _PEG + 8
        drawing.add(
            Rect(left, y - 14, 56, 28, INK, radius=6),
            Text(left + 28, y, f"● {answer.exact}", 16, PAPER, bold=True),
            Rect(left + 64, y - 14, 56, 28, PAPER, MUTED, radius=6),
            Text(left + 92, y, f"○ {answer.misplaced}", 16, INK, bold=True),
        )
    return drawing


def _middle(row: int, place: int) -> tuple[float, float]:
    return (place + 1) * _PEG + _PEG / 2, row * _PEG + _PEG / 2
