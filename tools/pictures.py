"""Draw the pictures of docs/concepts.md, of episodes that are played for them.

Run it to draw the README's picture of the reference ladder again::

    python tools/pictures.py
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from rapidfuzz.distance import Indel
from transcripts import play

from aq_gym.report.figure_style import COLORS, legend, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOT = Path(__file__).parents[1]
_PAGE = ROOT / "docs" / "reproducing.md"
_LONGEST = 30
_SIZE = (5.0, 2.5)
# Readable on light and on dark pages.
_GRAY = "#7d8186"
_STYLE: Any = (
    dict.fromkeys(
        (
            "text.color",
            "axes.edgecolor",
            "axes.labelcolor",
            "xtick.color",
            "ytick.color",
        ),
        _GRAY,
    )
    | dict.fromkeys(("figure.facecolor", "axes.facecolor"), "none")
    | {"grid.color": _GRAY, "grid.alpha": 0.3}
)


def progress() -> Figure:
    """Draw both progress rates of an episode whose progress falls."""
    now = [step.progress for step in play("aq/Mastermind-v0", "average").steps]
    return _lines({"progress": now, "best progress": accumulate(now, max)})


def players() -> Figure:
    """Draw the best progress of three players at the same task."""
    lines = {}
    for player in ("expert", "average", "random"):
        steps = play("aq/ALFWorld-v0", player).steps
        best = list(accumulate((step.progress for step in steps), max))
        # An episode that has ended keeps its last value.
        lines[player] = best + best[-1:] * (60 - len(best))
    return _lines(lines)


def repetition() -> Figure:
    """Draw the similarity of each two actions, and the repetition rate."""
    steps = play("aq/ALFWorld-v0", "average").steps[:_LONGEST]
    actions = [step.action for step in steps]
    similar = [
        [Indel.normalized_similarity(one, other) for other in actions]
        for one in actions
    ]
    # The share of repeated actions after each step (AgentQuest, 3.2).
    repeated = [action in actions[:count] for count, action in enumerate(actions)]
    figure, axes = new_figure(2, 1, (5.0, 6.5))
    lower = np.where(np.tri(len(actions)), similar, np.nan)
    axes[0][0].imshow(lower, cmap="Blues", vmin=0, vmax=1)
    axes[0][0].set(xlabel="action j", ylabel="action i", xticks=[], yticks=[])
    axes[0][0].grid(visible=False)
    rate = np.cumsum(repeated) / (len(actions) - 1)
    axes[1][0].plot(range(1, len(rate) + 1), rate, color=COLORS[0])
    axes[1][0].set(ylim=(0, 1.03), xlabel="step", ylabel="repetition rate")
    return figure


def grounding() -> Figure:
    """Draw which moves of a random player of 2048 were valid."""
    steps = play("aq/2048-v0", "random").steps[-40:]
    figure, axes = new_figure(1, 1, (5.0, 1.0))
    for valid, marker, color in ((True, "o", COLORS[0]), (False, "x", COLORS[1])):
        found = [n for n, step in enumerate(steps) if step.valid is valid]
        rows = [-(n // 20) for n in found]
        axes[0][0].scatter([n % 20 for n in found], rows, 60, color, marker=marker)
    axes[0][0].set(ylim=(-1.6, 0.6), xticks=[], yticks=[], frame_on=False)
    return figure


def _lines(lines: Mapping[str, Iterable[float]]) -> Figure:
    figure, axes = new_figure(1, 1, _SIZE)
    for (label, values), color in zip(lines.items(), COLORS, strict=False):
        drawn = list(values)
        style = "--" if label.startswith("best") else "-"
        steps = range(1, len(drawn) + 1)
        axes[0][0].plot(steps, drawn, style, color=color, label=label)
    axes[0][0].set(ylim=(0, 1.03), xlabel="step")
    legend(figure)
    return figure


def ladder() -> Figure:
    """Draw the progress rates that docs/reproducing.md has of the reference ladder."""
    table = _PAGE.read_text("utf-8").partition(": ladder -->")[2].partition("<!--")[0]
    places: dict[str, int] = {}
    figure, axes = new_figure(1, 1, (6.4, 2.6))
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 3 or "[" not in cells[2]:
            continue
        if cells[0]:
            places[cells[0].strip("`").removeprefix("aq/")] = len(places)
        value, low, high = map(float, re.findall(r"\d\.\d+", cells[2]))
        agent = (cells[1] != "random") + (cells[1] == "expert")
        height = len(places) - 1 + 0.25 * (agent - 1)
        color = (_GRAY, *COLORS)[agent] if agent else _GRAY
        axes[0][0].plot([low, high], [height, height], color=color, linewidth=1.2)
        label = cells[1] if len(places) == 1 else None
        axes[0][0].plot(
            value, height, "o^s"[agent], color=color, markersize=5, label=label
        )
    axes[0][0].set(xlim=(-0.02, 1.02), xlabel="progress rate, with 95% intervals")
    axes[0][0].set_yticks(range(len(places)), list(places))
    axes[0][0].set_ylim(len(places) - 0.5, -0.5)
    legend(figure)
    return figure


def drawn() -> dict[str, str]:
    """Return every picture as SVG, by the name of its file."""
    return {f"{draw.__name__}.svg": _svg(draw) for draw in _PICTURES}


def _svg(draw: Callable[[], Figure]) -> str:
    file = io.StringIO()
    with styled(), matplotlib.rc_context(_STYLE):
        # Without a time stamp equal episodes give equal files.
        draw().savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


_PICTURES = (progress, players, repetition, grounding)


if __name__ == "__main__":
    (ROOT / "docs" / "pictures" / "ladder.svg").write_text(_svg(ladder), "utf-8")
