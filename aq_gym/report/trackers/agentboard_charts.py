"""The charts of AgentBoard's panel."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from aq_gym.evaluation import EpisodeResult, summarize
from aq_gym.evaluation.summary import by_difficulty, subskills
from aq_gym.report.curves import curves_of
from aq_gym.report.figure_style import new_figure
from aq_gym.report.figures import draw_radar

METRICS = {
    "Progress Rate": "progress rate",
    "Success Rate": "success rate",
    "Grounding Accuracy": "grounding accuracy",
}


def metric_bars(episodes: Sequence[EpisodeResult], title: str) -> Any:
    """Return the metrics of some episodes as bars, in percent."""
    known = summarize(episodes)
    values = {
        f"{label} (%)": 100 * known[name].value
        for label, name in METRICS.items()
        if name in known
    }
    return _bars(values, title)


def by_grade(episodes: Sequence[EpisodeResult], metric: str, title: str) -> Any | None:
    """Return a metric by difficulty as bars in percent, None if there is one grade."""
    values = {}
    for grade, own in by_difficulty(episodes).items():
        known = summarize(own)
        if metric in known:
            values[f"{grade.capitalize()} Examples (%)"] = 100 * known[metric].value
    return _bars(values, title) if len(values) > 1 else None


def progress_by_step(task: str, episodes: Sequence[EpisodeResult]) -> Any:
    """Return AgentBoard's mean progress, which never falls, over steps."""
    import wandb

    highest = [
        replace(episode, progress=list(accumulate(episode.progress, max)))
        for episode in episodes
    ]
    values = [0.0, *(100 * value for value in curves_of(highest).progress.mean)]
    return wandb.plot.line_series(
        xs=list(range(len(values))),
        ys=[values],
        keys=["Current Run"],
        title=f"Average Progress Rate (%) w.r.t Steps for {task} Tasks",
        xname="steps",
    )


def successes(groups: Mapping[str, Sequence[EpisodeResult]]) -> Any:
    """Return the success rates of the benchmarks as a radar.

    Args:
        groups: Finished episodes by AgentBoard's names of the benchmarks.
    """
    rates = {}
    for task, episodes in groups.items():
        known = summarize(episodes)
        if "success rate" in known:
            rates[task] = known["success rate"].value
    return _radar(rates)


def abilities(episodes: Sequence[EpisodeResult]) -> Any:
    """Return the sub-skill scores as a radar."""
    return _radar(subskills(episodes))


def _bars(values: Mapping[str, float], title: str) -> Any:
    import wandb

    table = wandb.Table(
        columns=["name", "value"], data=[list(v) for v in values.items()]
    )
    return wandb.plot.bar(table, "name", "value", title=title)


def _radar(scores: Mapping[str, float]) -> Any:
    import wandb

    figure, axes = new_figure(1, 1, (4.2, 3.4), polar=True)
    draw_radar(axes[0][0], {"Current Run": scores})
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return wandb.Html(file.getvalue(), inject=False)
