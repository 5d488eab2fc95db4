"""A picture of Mastermind: the guesses as pegs, with the host's answers."""

from __future__ import annotations

from aq_gym.core.drawing import INK, MUTED, PALETTE, PAPER, Circle, Drawing, Text
from aq_gym.envs.mastermind.game import Feedback, Rules

_ROWS = 7
_PEG = 60
_KEY = 24


def draw(rules: Rules, history: dict[str, Feedback]) -> Drawing:
    """Return the latest guesses, the last one at the bottom, and the hidden code.

    A repeated guess has one row, so rows have no numbers: they would not be those of
    steps. Beside each guess are the host's pegs: a black peg for each symbol in the
    right position, a white peg for each in a wrong position.

    Args:
        rules: The length of the code and its symbols.
        history: Every different guess with its answer, oldest first.
    """
    length = rules.code_length
    left = length * _PEG + 12
    keys = max(length * _KEY + 12, 210)
    count = f"different guesses: {len(history)}"
    drawing = Drawing(left + keys, (_ROWS + 1) * _PEG, f"Mastermind, {count}")
    drawing.add(Text(left + 6, 11, count, 15, MUTED, "start"))
    for place in range(length):
        drawing.add(
            Circle(*_middle(0, place), 24, "#d5dbe1"),
            Text(*_middle(0, place), "?", 30, MUTED, bold=True),
        )
    for line, fill, text in ((31, INK, "right place"), (50, PAPER, "wrong place")):
        drawing.add(
            Circle(left + 14, line, 7, fill, INK),
            Text(left + 30, line, text, 15, INK, "start"),
        )
    rows = [*history.items()][-_ROWS:]
    drawing.add(
        *(
            Circle(*_middle(row, place), 6, "#9aa5b1")
            for row in range(len(rows) + 1, _ROWS + 1)
            for place in range(length)
        )
    )
    for row, (guess, answer) in enumerate(rows, 1):
        y = row * _PEG + _PEG / 2
        for place, symbol in enumerate(guess):
            colour = PALETTE[rules.symbols.index(symbol) % len(PALETTE)]
            ink = INK if colour in (PALETTE[1], *PALETTE[5:7], PALETTE[9]) else PAPER
            drawing.add(
                Circle(*_middle(row, place), 24, colour),
                Text(*_middle(row, place), symbol, 30, ink, bold=True),
            )
        for place in range(answer.exact + answer.misplaced):
            fill = INK if place < answer.exact else PAPER
            drawing.add(Circle(left + 14 + place * _KEY, y, 9, fill, INK))
    return drawing


def _middle(row: int, place: int) -> tuple[float, float]:
    return place * _PEG + _PEG / 2 + 6, row * _PEG + _PEG / 2
