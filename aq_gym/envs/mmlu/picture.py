"""A picture of a question, its options, and the answers that were given."""

from __future__ import annotations

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Drawing,
    Rect,
    Text,
    wrapped,
)
from aq_gym.core.text import plural
from aq_gym.envs.mmlu.question import LETTERS, Question

_WIDTH = 640
_PAPERS = {"✓": "#d8f3e6", "✗": "#fbd5cc", "": PAPER}
_INKS = {"✓": "#0e7a56", "✗": "#b5431a", "": PALETTE[0]}


def draw(question: Question, given: str) -> Drawing:
    """Return the question and its options; those that were answered have a mark.

    Args:
        question: The question.
        given: The letters that were answered.
    """
    texts = (question.text, *question.options)
    size = 18 if sum(map(len, texts)) < 500 else 12
    line = size + 6
    drawing = Drawing(_WIDTH, 0, f"A question after {plural(len(given), 'answer')}")
    subject = question.subject.replace("_", " ")
    drawing.add(Text(20, 24, subject, 14, MUTED, "start"))
    y = 52.0
    for part in question.text.split("\n"):
        # The lines of a program keep their indentation.
        x = 20 + ADVANCE * size * min(24, len(part) - len(part.lstrip()))
        for text in wrapped(part, _WIDTH - 20 - x, size):
            drawing.add(Text(x, y, text, size, INK, "start", bold=True))
            y += line
    for letter, option in zip(LETTERS, question.options, strict=True):
        mark = "" if letter not in given else "✗✓"[letter == question.letter]
        lines = wrapped(option, _WIDTH - 150, size) or [""]
        tall = len(lines) * line + 14
        drawing.add(
            Rect(20, y, _WIDTH - 40, tall, _PAPERS[mark], _INKS[mark], 8),
            Rect(20, y, 44, tall, _INKS[mark], radius=8),
            Text(42, y + tall / 2, letter, 20, PAPER, bold=True),
            Text(_WIDTH - 44, y + tall / 2, mark, 26, _INKS[mark], bold=True),
        )
        for row, text in enumerate(lines):
            at = y + 7 + line * (row + 0.5)
            drawing.add(Text(78, at, text, size, INK, "start"))
        y += tall + 10
    drawing.height = y + 10
    return drawing
