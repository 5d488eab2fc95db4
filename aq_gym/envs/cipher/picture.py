"""A picture of a ciphertext, the last attempt below it, and its letters counted."""

from __future__ import annotations

import re

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    Drawing,
    Line,
    Rect,
    Text,
    fitted,
)
from aq_gym.envs.cipher.ciphers import ALPHABET
from aq_gym.envs.cipher.game import frequencies

_WIDTH = 640
_MOST_LINES = 20
_BARS = 74


def draw(title: str, ciphertext: str, label: str, attempt: str) -> Drawing:
    """Return the ciphertext with the last attempt, character below character.

    Args:
        title: The goal, with the name of the cipher.
        ciphertext: The ciphertext.
        label: How the attempt was made, "" before the first.
        attempt: A solution, or what a tool made of the ciphertext.
    """
    size = 16 if len(ciphertext) <= 480 else 11
    columns = int((_WIDTH - 24) / (size * ADVANCE))
    drawing = Drawing(_WIDTH, 0, title)
    large = min(15, (_WIDTH - 24) / (ADVANCE * len(title)))
    drawing.add(Text(12, 20, title, large, MUTED, "start", bold=True))
    y = 50.0
    start, whole = 0, ciphertext + attempt[len(ciphertext) :]
    # A line ends between words, where there is a space.
    lines = rf".{{1,{columns}}}(?:\s|$)|.{{1,{columns}}}"
    for line in re.findall(lines, whole, re.DOTALL)[:_MOST_LINES]:
        for text, ink in ((ciphertext, INK), (attempt, PALETTE[0])):
            part = text[start : start + len(line)]
            drawing.add(Text(12, y, part, size, ink, "start", bold=ink == INK))
            y += size + 3
        start, y = start + len(line), y + size * 0.6
    if label:
        shown = fitted(f"below each line: {label}", _WIDTH - 24, 14)
        drawing.add(Text(12, y, shown, 14, PALETTE[0], "start"))
    counts = dict(frequencies(ciphertext))
    most = max(counts.values(), default=1)
    foot, step = y + 20 + _BARS, (_WIDTH - 24) / 26
    for place, letter in enumerate(ALPHABET):
        tall = (_BARS - 14) * counts.get(letter, 0) / most
        x = 12 + place * step
        drawing.add(
            Rect(x + 3, foot - tall, step - 6, tall, PALETTE[5]),
            Text(x + step / 2, foot + 12, letter, 13, INK if tall else MUTED),
        )
    drawing.add(Line(12, foot, _WIDTH - 12, foot, MUTED))
    drawing.height = foot + 28
    return drawing
