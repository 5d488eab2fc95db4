"""The report's figures for papers and notebooks, drawn by matplotlib.

Each function returns a :class:`matplotlib.figure.Figure`, which a notebook shows and
``savefig`` writes. matplotlib's global state is not changed.

>>> from aq_gym.report import figures, load_runs  # doctest: +SKIP
>>> figures.curves(load_runs(["runs/a", "runs/b"])).savefig("curves.pdf")
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from aq_gym.evaluation import EpisodeResult, Estimate
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.report.curves import Band, curves_of
from aq_gym.report.data import Run, read_trajectory
from aq_gym.report.figure_style import (
    COLORS,
    DASHES,
    MARKS,
    ONE_COLUMN,
    TWO_COLUMNS,
    legend,
    new_figure,
    styled,
)
from aq_gym.report.record import similarity_map, text_of
from aq_gym.report.summary import columns, environments, is_rate, summary_rows, titles
from aq_gym.support.escaping import visible
from aq_gym.support.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "FORMATS",
    "ONE_COLUMN",
    "TWO_COLUMNS",
    "curves",
    "dots",
    "repetition_map",
    "write_figures",
]

FORMATS = ("pdf", "png", "svg")
# Without a time stamp, equal runs give equal files.
_METADATA: dict[str, Any] = {
    "pdf": {"CreationDate": None},
    "png": {},
    "svg": {"Date": None},
}

# A narrower figure is for one column.
_NARROW = 5
# The height of a page in inches, and the most environments drawn in one column.
_TALLEST, _MOST_ROWS = 9, 4


def curves(
    runs: Sequence[Run], env: str | None = None, width: float = TWO_COLUMNS
) -> Figure:
    """Draw PR_t and RR_t over steps, for each environment (AgentQuest, Figure 2).

    A figure of many environments has two in a row, and fits on a page. Lines are means
    over episodes, bands their 95% intervals; an episode that ends early keeps its last
    values.

    Args:
        runs: The runs.
        env: The benchmark to draw; by default all that the runs have.
        width: The width in inches, such as that of one column of a paper, or of two.

    Raises:
        ValueError: If the runs do not have the benchmark, or all their episodes ended
            with an error.
    """
    rows, named = _chosen(runs, env), titles(runs)
    many = len(rows) > _MOST_ROWS
    across = 2 if many and width > _NARROW else 1
    down = -(-len(rows) // across)
    tall = min(1.9 if width > _NARROW else 1.4, (_TALLEST - 0.5) / down)
    figure, axes = new_figure(down, 2 * across, (width, tall * down + 0.5))
    with styled():
        for unused in axes.flat[2 * len(rows) :]:
            unused.set_axis_off()
        for name, (left, right) in zip(rows, axes.reshape(-1, 2), strict=False):
            drawn = [curves_of(by_benchmark(r.episodes).get(name, [])) for r in runs]
            longest = max(len(own.progress.mean) for own in drawn)
            for number, (run, own) in enumerate(zip(runs, drawn, strict=True)):
                if own.episodes:
                    _line(left, own.progress, longest, run.label, number)
                    _line(right, own.repetition, longest, run.label, number)
            # The title of both, over the left one.
            left.set_title(named[visible(name)], loc="left")
            left.set_ylabel("PRₜ" if many else "progress PRₜ")
            right.set_ylabel("RRₜ" if many else "repetition RRₜ")
        for axis in axes.flat:
            axis.set(ylim=(-0.02, 1.05), xlim=(0, None))
            axis.locator_params(axis="x", integer=True)
        for axis in axes[-1] if many else axes.flat:
            axis.set_xlabel("step")
        legend(figure)
    return figure


def _chosen(runs: Sequence[Run], env: str | None) -> list[str]:
    names = environments(runs)
    if env is not None and env not in names:
        raise ValueError(f"env={env!r} must be one of {names}")
    if all(episode.error for run in runs for episode in run.episodes):
        folders = ", ".join(str(run.path) for run in runs)
        raise ValueError(f"{folders}: no episode has ended without an error")
    return names if env is None else [env]


def _line(axis: Axes, band: Band, longest: int, label: str, number: int) -> None:
    steps = range(longest + 1)
    color, dash = COLORS[number % len(COLORS)], DASHES[number % len(DASHES)]
    mean = _from_zero(band.mean, longest)
    axis.plot(steps, mean, label=label, color=color, linestyle=dash)
    if band.low:
        low, high = _from_zero(band.low, longest), _from_zero(band.high, longest)
        axis.fill_between(steps, low, high, color=color, alpha=0.18, linewidth=0)


def _from_zero(values: Sequence[float], longest: int) -> list[float]:
    """Prepend 0 for the start, and repeat the last value to the end."""
    return [0.0, *values, *[values[-1]] * (longest - len(values))]


def repetition_map(run: Run, task: str) -> Figure:
    """Draw the pairwise similarity of an episode's actions (AgentQuest, Figure 3).

    Repeated steps are marked on the diagonal.

    Args:
        run: The run.
        task: The name of the task; see ``run.episodes``.

    Raises:
        ValueError: If the run has no trajectory of the task, or it has no step.
    """
    played = read_trajectory(run, task)
    if played is None or not played.steps:
        raise ValueError(
            f"task={task!r}: {run.path} has no trajectory of it with steps"
        )
    infos = [step["info"] for step in played.steps]
    actions = [
        text_of(info.get("extracted_action") or step["action"])
        for info, step in zip(infos, played.steps, strict=True)
    ]
    distinct, rows = similarity_map(actions)
    among = np.eye(len(rows))
    for number, row in enumerate(rows):
        among[number, :number] = among[:number, number] = np.array(row) / 100
    figure, axes = new_figure(1, 1, (3.6, 3.2))
    with styled():
        axis = axes[0][0]
        count = len(distinct)
        image = axis.imshow(
            among[np.ix_(distinct, distinct)],
            cmap="Blues",
            vmin=0,
            vmax=1,
            extent=(0.5, count + 0.5, count + 0.5, 0.5),
        )
        repeated = [
            n for n, i in enumerate(infos[:count], 1) if i.get("action_repeated")
        ]
        axis.plot(repeated, repeated, "s", color=COLORS[1], markersize=2.5)
        axis.set(xlabel="step", ylabel="step", title=visible(task))
        axis.grid(False)
        figure.colorbar(image, ax=axis, label="similarity of the actions", shrink=0.85)
    return figure


def dots(
    runs: Sequence[Run], env: str | None = None, width: float = TWO_COLUMNS
) -> Figure:
    """Draw the rates of each run in each environment as dots with 95% intervals.

    Args:
        runs: The runs.
        env: The benchmark to draw; by default all that the runs have.
        width: The width in inches.

    Raises:
        ValueError: If the runs do not have the benchmark, or all their episodes ended
            with an error.
    """
    names = _chosen(runs, env)
    shown, named = [visible(name) for name in names], titles(runs)
    ticks = [named[name] for name in shown]
    rows = [r for r in summary_rows(runs) if not r.by and r.env in shown]
    rates = [name for name in columns(rows) if is_rate(name)]
    across = 3 if width > _NARROW else 2 if len(names) > _MOST_ROWS else 1
    down = -(-len(rates) // across)
    lines = len(names) * (len(runs) + 1)
    tall = min(0.7 + 0.085 * lines, (_TALLEST - 0.4) / down)
    figure, axes = new_figure(down, across, (width, tall * down + 0.4))
    with styled():
        for place, axis in enumerate(axes.flat):
            if place >= len(rates):
                axis.set_axis_off()
                continue
            for number, run in enumerate(runs):
                shift = (number - (len(runs) - 1) / 2) * 0.8 / len(runs)
                estimates = {
                    shown.index(row.env) + shift: row.estimates[rates[place]]
                    for row in rows
                    if row.number == number and rates[place] in row.estimates
                }
                _dots(axis, estimates, run.label, number)
            axis.set(title=rates[place], xlim=(-0.03, 1.03), xticks=(0, 0.5, 1))
            first = place % across == 0
            axis.set_yticks(range(len(shown)), ticks if first else [""] * len(shown))
            axis.set_ylim(len(shown) - 0.5, -0.5)
            axis.grid(False, axis="y")
        legend(figure)
    return figure


def _dots(
    axis: Axes, estimates: Mapping[float, Estimate], label: str, number: int
) -> None:
    """Draw a dot with its interval at each height."""
    color = COLORS[number % len(COLORS)]
    for height, (_, low, high) in estimates.items():
        if low is not None and high is not None:
            axis.plot([low, high], [height, height], color=color, linewidth=1)
    values = [estimate.value for estimate in estimates.values()]
    mark = MARKS[number % len(MARKS)]
    axis.plot(values, list(estimates), mark, color=color, label=label, markersize=3.5)


def write_figures(
    runs: Sequence[Run],
    folder: str | os.PathLike[str],
    formats: Sequence[str] = FORMATS,
    env: str | None = None,
    narrow: bool = False,
) -> list[Path]:
    """Write every figure of some runs.

    Args:
        runs: The runs.
        folder: The folder; it is created if necessary.
        formats: "pdf", "png" and "svg", or some of them.
        env: The benchmark to draw; by default all that the runs have.
        narrow: Whether the figures fit one column of a paper, instead of both.

    Returns:
        The files.

    Raises:
        ImportError: If matplotlib is not installed.
        ValueError: If a format is unknown, or the runs do not have the benchmark.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ValueError(f"formats: {unknown} are not among {FORMATS}")
    require("matplotlib", "figures for papers", "report")
    drawn = _drawn(runs, env, ONE_COLUMN if narrow else TWO_COLUMNS)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = []
    with styled():
        for name, figure in drawn.items():
            for suffix in formats:
                files.append(place / f"{name}.{suffix}")
                figure.savefig(files[-1], metadata=_METADATA[suffix])
    return files


def _drawn(runs: Sequence[Run], env: str | None, width: float) -> dict[str, Figure]:
    """Return the figures by the names of their files.

    Each run has a repetition map of one episode in each environment.
    """
    drawn = {"curves": curves(runs, env, width), "dots": dots(runs, env, width)}
    for number, run in enumerate(runs):
        label = re.sub(r"[^A-Za-z0-9]+", "-", run.label).strip("-")
        for name, own in by_benchmark(run.episodes).items():
            task = _most_repetitive(run, own) if env in (None, name) else None
            if task is not None:
                drawn[f"map-{number}-{label}-{task}"] = repetition_map(run, task)
    return drawn


def _most_repetitive(run: Run, episodes: Sequence[EpisodeResult]) -> str | None:
    """Return the task of the unsolved episode with the most repetitions.

    If no unsolved episode has a trajectory, it is a solved one; None if no episode has
    a trajectory.
    """
    for episode in sorted(
        episodes, key=lambda e: (e.success, -e.repetition_rate, e.task)
    ):
        try:
            played = read_trajectory(run, episode.task)
        except (ValueError, OSError):
            continue
        if played is not None and played.steps:
            return episode.task
    return None
