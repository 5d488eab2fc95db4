"""A picture of Mastermind: the guesses as pegs, with the host's answers."""

from __future__ import annotations

from aq_gym.core.drawing import INK, MUTED, PALETTE, PAPER, Circle, Drawing, Text
from aq_gym.envs.mastermind.game import Feedback, Rules

_ROWS = 7
_PEG = 60
_KEY = 24


def draw(rules: Rules, history: dict[str, Feedback]) -> Drawing:
    """Return the latest guesses, the last one at the bottom, and the hidden code.

    Beside each guess are the host's pegs and their numbers: a black peg for each symbol
    in the right position, a white peg for each in a wrong position.

    Args:
        rules: The length of the code and its symbols.
        history: Every different guess with its answer, oldest first.
    """
    length = rules.code_length
    left = (length + 1) * _PEG
    keys = max(length * _KEY + 84, 190)
    title = f"Mastermind after {len(history)} different guesses"
    drawing = Drawing(left + keys, (_ROWS + 1) * _PEG, title)
    for place in range(length):
        drawing.add(
            Circle(*_middle(0, place), 24, "#d5dbe1"),
            Text(*_middle(0, place), "?", 30, MUTED, bold=True),
        )
    for line, fill, text in ((18, INK, "right place"), (42, PAPER, "wrong place")):
        drawing.add(
            Circle(left + 14, line, 8, fill, INK),
            Text(left + 30, line, text, 18, INK, "start"),
        )
    first = max(0, len(history) - _ROWS)
    for row, (guess, answer) in enumerate([*history.items()][first:], 1):
        y = row * _PEG + _PEG / 2
        drawing.add(Text(30, y, str(first + row), 18, MUTED))
        for place, symbol in enumerate(guess):
            colour = PALETTE[rules.symbols.index(symbol) % len(PALETTE)]
            ink = INK if colour in PALETTE[5:7] or colour == PALETTE[1] else PAPER
            drawing.add(
                Circle(*_middle(row, place), 24, colour),
                Text(*_middle(row, place), symbol, 30, ink, bold=True),
            )
        for place in range(answer.exact + answer.misplaced):
            fill = INK if place < answer.exact else PAPER
            drawing.add(Circle(left + 14 + place * _KEY, y, 9, fill, INK))
        numbers = f"●{answer.exact} ○{answer.misplaced}"
        at = left + 8 + length * _KEY
        drawing.add(Text(at, y, numbers, 20, INK, "start", bold=True))
    return drawing


def _middle(row: int, place: int) -> tuple[float, float]:
    return (place + 1) * _PEG + _PEG / 2, row * _PEG + _PEG / 2
