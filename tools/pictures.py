"""Draw the pictures of docs/concepts.md, of episodes that are played for them.

It also draws the READMEs' pictures of the reference ladder, of the environments, and of
a report; the last needs Debian's chromium. Tests find an old one::

    python tools/pictures.py
"""

from __future__ import annotations

import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from environment_pages import worlds
from PIL import Image, ImageOps
from rapidfuzz.distance import Indel
from transcripts import play

from aq_gym.core.drawing import (
    INK,
    MUTED,
    Drawing,
    Rect,
    Text,
)
from aq_gym.evaluation import Estimate, Suite, Task, run
from aq_gym.evaluation.ladder import ALL, ladder_rows
from aq_gym.evaluation.metrics import format_estimate
from aq_gym.report import write_report
from aq_gym.report.figure_style import COLORS, legend, new_figure, styled
from aq_gym.report.ranking import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOT = Path(__file__).parents[1]
_SHOWN_LEVEL = "aq/BabyAI-text-BlockedUnlockPickup-v0"
_MARGIN = 12
_THEMES: Any = ("light", "dark")
_LONGEST = 30
# Readable on light and on dark pages.
_GRAY = "#777b80"
_MODEL = "Qwen2.5-Coder-1.5B"
# The colour of each rung of the ladder; one that does nothing has 0 everywhere.
_RUNGS = {
    "SmolLM2-135M": "#3b7ddd",
    "random": "#7b8794",
    _MODEL: "#ff4000",
    "expert, 30% noise": "#b05fd0",
    "expert, 10% noise": "#b05fd0",
    "expert": "#009b81",
}
# The ladder's first column, the others, how long a rate of 1 is, and its rows.
_NAMES, _COLUMN, _SCALE, _ROW, _HEAD = 134, 115, 64, 24, 44
# The worlds in the README, a player's step each: a name, a player, a number and a seed;
# and where the board is in the picture: left, top, width and height.
_BOARD = 208
_WORLDS = {
    ("Wordle", "average", 3, 1): (55, 8, 282, 344),
    ("BabyAI-text", "expert", 5, 7): (8, 8, 392, 392),
    ("Sudoku", "average", 60, 0): (34, 34, 436, 436),
    ("Mastermind", "average", 5, 0): (0, 60, 356, 420),
}
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
    figure, axes = new_figure(1, 1, (5.0, 2.5))
    for (label, values), color in zip(lines.items(), COLORS, strict=False):
        drawn = list(values)
        style = "--" if label.startswith("best") else "-"
        steps = range(1, len(drawn) + 1)
        axes[0][0].plot(steps, drawn, style, color=color, label=label)
    axes[0][0].set(ylim=(0, 1.03), xlabel="step")
    legend(figure)
    return figure


def ladder_rates() -> list[tuple[str, str, float, float, float]]:
    """Return benchmarks, rungs, progress rates and intervals of the ladder.

    A rung that plays few benchmarks is left out.
    """
    rates = []
    benchmarks = Counter(row.rung for row in ladder_rows())
    for row in ladder_rows():
        value, low, high = row.estimates["progress rate"]
        if benchmarks[row.rung] > 9 and low is not None and high:
            rates.append((plain(row.env), row.rung, value, low, high))
    return rates


def ladder() -> str:
    """Draw the progress rates of the rungs, over all tasks and by benchmark, as SVG."""
    rates = ladder_rates()
    known = {(env, rung): told for env, rung, *told in rates}
    # The model's best benchmarks first.
    own = sorted((one for one in rates if one[1] == _MODEL), key=itemgetter(2))
    rows = [ALL, *(name for name, *_ in reversed(own) if name != ALL)]
    foot = _HEAD + _ROW * (len(rows) + 1)
    drawing = Drawing(824, foot + 14, "Progress rates of the reference ladder")
    for column, (rung, colour) in enumerate(_RUNGS.items()):
        x = _NAMES + _COLUMN * column
        for line, words in enumerate(wrap(rung, 10)):
            drawing.add(Text(x, 14 + 17 * line, words, 14, INK, "start", bold=True))
        for row, name in enumerate(rows):
            # All tasks stand apart from the benchmarks.
            y = _HEAD + _ROW * (row + 0.5 + (row > 0) / 2)
            if not column:
                whole = "All 180 tasks" if name == ALL else name
                right = _NAMES - 14
                drawing.add(Text(right, y, whole, 14, INK, "end", bold=name == ALL))
            value = known[name, rung][0]
            told = format_estimate("progress rate", Estimate(value, None, None))
            drawing.add(
                Rect(x, y - 7, _SCALE, 14, "#e9ecef"),
                Rect(x, y - 7, _SCALE * value, 14, colour),
                Text(x + _SCALE + 6, y, told, 14, INK, "start", bold=name == ALL),
            )
    drawing.add(
        Text(
            _NAMES,
            foot + 3,
            f"progress rate in ten tasks each, {_MODEL}'s best first; doing nothing: 0",
            13,
            MUTED,
            "start",
        )
    )
    return _clear(drawing).replace(
        "</title>", f"</title><metadata>{json.dumps(rates)}</metadata>", 1
    )


def strip() -> str:
    """Draw boards of episodes that are played for it, beside each other, as SVG."""
    parts, x = [], 0.0
    for (name, player, number, seed), (left, top, *size) in _WORLDS.items():
        drawing = play(f"aq/{name}-v0", player, seed).steps[number - 1].picture
        assert drawing is not None
        wide = _BOARD * size[0] / size[1]
        place = f'x="{x:g}" width="{wide:g}" height="{_BOARD}" '
        place += f'viewBox="{left} {top} {size[0]} {size[1]}"'
        parts.append(
            re.sub(r'viewBox=.*? height="\S+"', place, _clear(drawing), count=1)
        )
        x += wide + 24
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x - 24:g} {_BOARD}" '
        f'width="{x - 24:g}" height="{_BOARD}">{"".join(parts)}</svg>'
    )


def _clear(drawing: Drawing) -> str:
    """Return a picture as SVG, without its paper: it is on that of the page."""
    return re.sub("<rect [^>]*>", "", drawing.svg("auto"), count=1)


def shown_report(folder: Path) -> Path:
    """Play the runs of the README's picture of a report; write the report.

    Args:
        folder: An empty folder.
    """
    suite = Suite("shown", tuple(Task(_SHOWN_LEVEL, seed) for seed in range(20)))
    runs = [folder / agent for agent in ("random", "expert")]
    for path in runs:
        run(suite, path, path.name)
    return write_report(runs, folder / "report.html", pictures=0)


def draw_report(folder: Path) -> None:
    """Write the pictures of what a report begins with, light and dark."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as scratch, sync_playwright() as playwright:
        report = shown_report(Path(scratch))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for theme in _THEMES:
            page = browser.new_page(
                viewport={"width": 860, "height": 900},
                color_scheme=theme,
                device_scale_factor=1.5,
            )
            page.goto(report.as_uri())
            page.locator("[data-stuck] td").first.wait_for()
            end = page.locator("#findings li").last.bounding_box()
            assert end is not None
            file = page.screenshot(
                clip={
                    "x": 0,
                    "y": 0,
                    "width": 860,
                    "height": end["y"] + end["height"] + _MARGIN,
                },
                full_page=True,
            )
            with Image.open(io.BytesIO(file)) as image:
                framed = ImageOps.expand(image.convert("RGB"), 2, _GRAY)
                framed.convert("P", palette=Image.Palette.ADAPTIVE).save(
                    folder / f"report-{theme}.png", optimize=True
                )
        browser.close()


def drawn() -> dict[str, str]:
    """Return every picture as SVG, by the name of its file."""
    return {f"{draw.__name__}.svg": _svg(draw) for draw in _PICTURES}


def _svg(draw: Callable[[], Figure]) -> str:
    file = io.StringIO()
    with styled(), matplotlib.rc_context(_STYLE):
        # Without a time stamp equal episodes give equal files.
        metadata: Any = {"Date": None}
        draw().savefig(file, format="svg", metadata=metadata)
    return file.getvalue()


_PICTURES = (progress, players, repetition, grounding)


if __name__ == "__main__":
    pictures = ROOT / "docs" / "pictures"
    for draw in (ladder, strip):
        (pictures / f"{draw.__name__}.svg").write_text(draw(), "utf-8")
    for file, picture in worlds().items():
        (pictures / "worlds" / file).write_text(picture, "utf-8")
    draw_report(pictures)
