"""The report's figures for papers and notebooks, drawn by matplotlib.

Each function returns a :class:`matplotlib.figure.Figure`, which a notebook shows and
``savefig`` writes. matplotlib's global state is not changed.

>>> from aq_gym.report import figures, load_runs  # doctest: +SKIP
>>> figures.curves(load_runs(["runs/a", "runs/b"])).savefig("curves.pdf")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from aq_gym.evaluation import Estimate
from aq_gym.evaluation.groups import by_benchmark, subskills
from aq_gym.report.curves import Band, curves_of
from aq_gym.report.data import Run, read_trajectory
from aq_gym.report.escaping import visible
from aq_gym.report.figure_style import COLORS, DASHES, legend, new_figure, styled
from aq_gym.report.record import text_of
from aq_gym.report.similarity import similarity_map
from aq_gym.report.summary import (
    ALL,
    EACH,
    columns,
    environments,
    is_rate,
    summary_rows,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["bars", "curves", "draw_radar", "radar", "repetition_map"]


def curves(runs: Sequence[Run], env: str | None = None) -> Figure:
    """Draw PR_t and RR_t over steps, a row for each environment (AgentQuest, Figure 2).

    Lines are means over episodes, bands their bootstrap 95% intervals; an episode that
    ends early keeps its last values.

    Args:
        runs: The runs.
        env: The benchmark to draw; by default all that the runs have.

    Raises:
        ValueError: If the runs do not have the benchmark, or every episode of theirs
            ended with an error.
    """
    _check_scored(runs)
    names = environments(runs)
    if env is not None and env not in names:
        raise ValueError(f"env={env!r} must be one of {names}")
    rows = names if env is None else [env]
    figure, axes = new_figure(len(rows), 2, (6.4, 1.9 * len(rows) + 0.5))
    with styled():
        for name, (left, right) in zip(rows, axes, strict=True):
            drawn = [curves_of(by_benchmark(r.episodes).get(name, [])) for r in runs]
            longest = max(len(own.progress.mean) for own in drawn)
            for number, (run, own) in enumerate(zip(runs, drawn, strict=True)):
                if own.episodes:
                    _line(left, own.progress, longest, run.label, number)
                    _line(right, own.repetition, longest, run.label, number)
            left.set(title=visible(name), ylabel="progress PRₜ")
            right.set(title=visible(name), ylabel="repetition RRₜ")
        for axis in axes.flat:
            axis.set(xlabel="step", ylim=(-0.02, 1.05), xlim=(0, None))
        legend(figure)
    return figure


def _check_scored(runs: Sequence[Run]) -> None:
    if all(episode.error for run in runs for episode in run.episodes):
        folders = ", ".join(str(run.path) for run in runs)
        raise ValueError(f"{folders}: no episode has ended without an error")


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
    """Draw the similarity of every two actions of an episode (AgentQuest, Figure 3).

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


def radar(runs: Sequence[Run]) -> Figure:
    """Draw AgentBoard's sub-skill scores of the runs.

    Args:
        runs: The runs.

    Raises:
        ValueError: If no run has an episode of a benchmark with sub-skill weights.
    """
    scores = {run.label: subskills(run.episodes) for run in runs}
    if not any(scores.values()):
        raise ValueError("runs: none has an episode of a benchmark with sub-skills")
    figure, axes = new_figure(1, 1, (4.2, 3.4), polar=True)
    with styled():
        draw_radar(axes[0][0], scores)
        legend(figure)
    return figure


def draw_radar(axis: Any, scores: Mapping[str, Mapping[str, float]]) -> None:
    """Draw a polygon for each run on polar axes.

    Args:
        axis: The axes.
        scores: For each run's label its scores by name, 0.0 to 1.0.
    """
    names = list(dict.fromkeys(name for own in scores.values() for name in own))
    angles = [2 * pi * n / len(names) for n in range(len(names) + 1)]
    axis.set_theta_offset(pi / 2)
    axis.set_theta_direction(-1)
    for number, (label, own) in enumerate(scores.items()):
        values = [own.get(name, 0.0) for name in names]
        color, dash = COLORS[number % len(COLORS)], DASHES[number % len(DASHES)]
        closed = [*values, values[0]]
        axis.plot(angles, closed, color=color, linestyle=dash, label=label)
        axis.fill(angles, closed, color=color, alpha=0.06)
    axis.set_xticks(angles[:-1], names)
    axis.tick_params(axis="x", pad=12)
    axis.set_yticks([0.5, 1.0])
    axis.set_ylim(0, 1)


def bars(runs: Sequence[Run]) -> Figure:
    """Draw the rates of each run in each environment, with 95% intervals.

    Args:
        runs: The runs.

    Raises:
        ValueError: If every episode of the runs ended with an error.
    """
    _check_scored(runs)
    names = [visible(name) for name in environments(runs)]
    rows = [r for r in summary_rows(runs) if not r.by and r.env not in (ALL, EACH)]
    rates = [name for name in columns(rows) if is_rate(name)]
    figure, axes = new_figure(len(rates), 1, (6.4, 1.5 * len(rates) + 0.5))
    width = 0.8 / len(runs)
    with styled():
        for metric, (axis,) in zip(rates, axes, strict=True):
            for number, run in enumerate(runs):
                shift = (number - (len(runs) - 1) / 2) * width
                estimates = {
                    names.index(row.env) + shift: row.estimates[metric]
                    for row in rows
                    if row.number == number and metric in row.estimates
                }
                color = COLORS[number % len(COLORS)]
                _bars(axis, estimates, 0.9 * width, run.label, color)
            axis.set(ylabel=metric, ylim=(0, 1.02))
            axis.set_xticks(range(len(names)), names)
            axis.grid(False, axis="x")
        legend(figure)
    return figure


def _bars(
    axis: Axes,
    estimates: Mapping[float, Estimate],
    width: float,
    label: str,
    color: str,
) -> None:
    """Draw a bar with its interval at each position."""
    values = [estimate.value for estimate in estimates.values()]
    errors = [
        (0.0, 0.0)
        if low is None or high is None
        else (max(value - low, 0.0), max(high - value, 0.0))
        for value, low, high in estimates.values()
    ]
    axis.bar(
        list(estimates),
        values,
        width,
        yerr=np.array(errors).T if errors else None,
        label=label,
        color=color,
        error_kw={"elinewidth": 0.8},
    )
