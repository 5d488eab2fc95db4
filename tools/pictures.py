"""Draw the pictures of docs/concepts.md.

They show episodes that are played for them::

python tools/pictures.py
"""

from __future__ import annotations

from itertools import accumulate

from rapidfuzz.distance import Indel
from svg import COLOURS, Line, chart, picture, squares, text
from transcripts import play

_LONGEST = 30


def progress() -> str:
    """Draw both progress rates of an episode whose progress falls."""
    played = play("aq/Mastermind-v0", "average")
    now = [step.progress for step in played.steps]
    best = list(accumulate(now, max))
    return picture(
        "Progress in an episode of Mastermind",
        f"Progress after each guess: {_listed(now)}. The best so far never falls.",
        180,
        chart([Line("progress", now), Line("best progress", best, True)], 0, 180,
              len(now)),
    )  # fmt: skip


def players() -> str:
    """Draw the best progress of three players at the same task."""
    lines = []
    for player in ("expert", "average", "random"):
        steps = play("aq/ALFWorld-v0", player).steps
        best = list(accumulate((step.progress for step in steps), max))
        # An episode that has ended keeps its last value.
        lines.append(Line(player, best + best[-1:] * (60 - len(best))))
    return picture(
        "Best progress of three players at the same household task",
        "Each rises in steps: the expert's first, then the average player's, then the "
        "random player's.",
        180,
        chart(lines, 0, 180, 60),
    )


def repetition() -> str:
    """Draw the similarity of each two actions, and the repetition rate."""
    played = play("aq/ALFWorld-v0", "average")
    actions = [step.action for step in played.steps][:_LONGEST]
    rows = [
        [Indel.normalized_similarity(one, other) for other in actions[: index + 1]]
        for index, one in enumerate(actions)
    ]
    size = 250 / len(actions)
    rate = _repetition_rates(actions)
    return picture(
        f"The first {len(actions)} actions of an episode in a household",
        "Above, how similar each two actions are; below, the repetition rate.",
        430,
        text(0, 14, "similarity of actions i (down) and j (right)"),
        squares(rows, 34, 26, size),
        chart([Line("repetition rate", rate)], 290, 130, len(actions)),
    )


def grounding() -> str:
    """Draw which moves of a random player of 2048 were valid."""
    steps = play("aq/2048-v0", "random").steps[-40:]
    share = sum(step.valid for step in steps) / len(steps)
    marks = []
    for index, step in enumerate(steps):
        x, y = index % 20 * 17 + 10, index // 20 * 22 + 24
        marks.append(_mark(x, y, step.valid))
    return picture(
        "Valid and invalid moves of a random player of 2048",
        f"{sum(step.valid for step in steps)} of {len(steps)} moves were valid.",
        72,
        text(0, 12, f"The last {len(steps)} moves, grounding accuracy {share:.2f}"),
        *marks,
    )


def _mark(x: float, y: float, valid: bool) -> str:
    if valid:
        return f'<circle cx="{x + 6}" cy="{y + 6}" r="5" fill="{COLOURS[0]}"/>'
    cross = f"M{x + 1} {y + 1}l10 10m0 -10l-10 10"
    return f'<path d="{cross}" stroke="{COLOURS[1]}" stroke-width="2.5"/>'


def _repetition_rates(actions: list[str]) -> list[float]:
    """Return the share of repeated actions after each step (AgentQuest, 3.2)."""
    unique: set[str] = set()
    rates = []
    for count, action in enumerate(actions, start=1):
        unique.add(action)
        rates.append((count - len(unique)) / max(1, len(actions) - 1))
    return rates


def _listed(values: list[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def drawn() -> dict[str, str]:
    """Return every picture by the name of its file."""
    pictures = (progress, players, repetition, grounding)
    return {f"{draw.__name__}.svg": draw() for draw in pictures}
