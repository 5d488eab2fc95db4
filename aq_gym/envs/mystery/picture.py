"""A picture of a mystery: how it ended, and what the answers leave possible."""

from __future__ import annotations

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Drawing,
    Line,
    Rect,
    Text,
    fitted,
    wrapped,
)
from aq_gym.core.text import plural
from aq_gym.envs.mystery.game import VALUES, StoryGame, aspects, is_one

_WIDTH = 640
_LABEL = 84
_CELL = (_WIDTH - _LABEL - 12) / 4


def draw(outcome: str, game: StoryGame) -> Drawing:
    """Return a board of the values of each fact; those that are excluded are grey.

    The values are those that ``check valid actions`` lists.

    Args:
        outcome: How the story ended.
        game: The story, and what the agent knows of it.
    """
    known = game.state
    asked, left = plural(known.asked, "question"), plural(game.left, "question")
    drawing = _opened(f"A mystery after {asked}", outcome)
    left = f"{known.stories():,} stories fit · {left} left"
    if game.solved:
        left = "solved"
    y = drawing.height
    drawing.add(Text(_WIDTH - 12, y, left, 16, PALETTE[0], "end", bold=True))
    y += 18
    for aspect, mask in zip(aspects(), known.possible, strict=True):
        found = is_one(mask)
        drawing.add(Text(12, y + 28, aspect.name, 16, INK, "start", bold=True))
        for value, name in enumerate(aspect.values):
            x, top = _LABEL + value % 4 * _CELL, y + value // 4 * 28
            fits = bool(mask >> value & 1)
            fill = PALETTE[2] if fits and found else "#e3f0fb" if fits else "#f0f2f5"
            ink = PAPER if fits and found else INK if fits else MUTED
            size, middle = min(17, (_CELL - 8) / (ADVANCE * len(name))), _CELL / 2 - 2
            drawing.add(
                Rect(x, top + 1, _CELL - 4, 25, fill, radius=4),
                Text(x + middle, top + 14, name, size, ink, bold=fits and found),
            )
            if not fits:
                drawing.add(Line(x + 8, top + 14, x + _CELL - 12, top + 14, MUTED))
        y += VALUES // 4 * 28 + 8
    drawing.height = y + 4
    return drawing


def draw_puzzle(story: str, confirmed: tuple[str, ...]) -> Drawing:
    """Return a user's puzzle and the latest questions that were answered with yes."""
    drawing = _opened(
        f"A mystery, {plural(len(confirmed), 'question')} confirmed", story
    )
    for number, question in enumerate(confirmed[-10:]):
        y = drawing.height + 14 + 26 * number
        drawing.add(
            Text(16, y, "✓", 18, PALETTE[2], "start", bold=True),
            Text(40, y, fitted(question, _WIDTH - 56, 17), 17, INK, "start"),
        )
    drawing.fit()
    return drawing


def _opened(title: str, outcome: str) -> Drawing:
    """Return a drawing that begins with how the story ended, as high as that."""
    drawing = Drawing(_WIDTH, 20, title)
    for line in wrapped(outcome, _WIDTH - 24, 18, 6):
        drawing.add(Text(12, drawing.height, line, 18, INK, "start", bold=True))
        drawing.height += 24
    drawing.height += 6
    return drawing
