"""AgentBoard's W&B panel: the same keys, columns and chart types.

Ma et al., "AgentBoard", NeurIPS 2024; the names are those of its released code
(``agentboard/utils/logging/logger.py``), so that boards made for it show our runs. The
published scores are a table, in which a column says what differs in the run.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

from aq_gym.evaluation import EpisodeResult, summarize
from aq_gym.evaluation.summary import by_benchmark, subskills
from aq_gym.papers.published import PublishedRow, published_columns, published_rows
from aq_gym.report.data import Run, read_trajectory
from aq_gym.report.record import text_of
from aq_gym.report.trackers import agentboard_charts as charts
from aq_gym.support.escaping import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["panel"]

_COLUMNS: list[Any] = [
    "id",
    "is_done",
    "env",
    "reward",
    "grounding_accuracy",
    "reward_wrt_step",
    "trajectory",
]
_MOST_EPISODES = 200
_MOST_STEPS = 200
_LONGEST = 2_000


def panel(run: Run) -> dict[str, Any]:
    """Return the values that AgentBoard logs for a run, by key."""
    groups = {task_name(e): own for e, own in by_benchmark(run.episodes).items()}
    logged: dict[str, Any] = {
        "summary/metrics": _metrics(run.episodes, "Average All "),
        "summary/avg_metrics_comparison": charts.metric_bars(
            run.episodes, "Average Metrics for All Tasks"
        ),
        "summary/all_results": charts.successes(groups),
    }
    published = published_rows([run])
    if published:
        logged["summary/published_scores"] = _published(published)
    if subskills(run.episodes):
        logged["summary/agent_abilities"] = charts.abilities(run.episodes)
    for task, episodes in groups.items():
        of_task = _of_task(run, task, episodes)
        logged.update({f"{task}/{name}": value for name, value in of_task.items()})
    return logged


def _published(rows: Sequence[PublishedRow]) -> Any:
    import wandb

    names = published_columns(rows)
    columns: list[Any] = ["env", "model", *names, "what differs"]
    data = [[r.env, r.name, *map(r.values.get, names), r.note] for r in rows]
    return wandb.Table(columns=columns, data=data)


def _of_task(run: Run, task: str, episodes: Sequence[EpisodeResult]) -> dict[str, Any]:
    title = task.capitalize()
    grades = {
        "success_rate_w.r.t_difficulty": charts.by_grade(
            episodes, "success rate", f"{title} Success Rate w.r.t Difficulty"
        ),
        "progress_score_w.r.t_difficulty": charts.by_grade(
            episodes, "progress rate", f"{title} Progress Rate w.r.t Difficulty"
        ),
    }
    return {
        "predictions": _predictions(run, episodes),
        "metrics": _metrics(episodes),
        "metrics_comparison": charts.metric_bars(episodes, f"{title} Metrics"),
        "task_reward_w.r.t_steps": charts.progress_by_step(task, episodes),
        **{name: chart for name, chart in grades.items() if chart is not None},
    }


def task_name(env: str) -> str:
    """Return AgentBoard's name of a benchmark, such as "babyai"."""
    return re.sub(r"^aq/|(-text)?-v\d+$", "", env).lower()


def _metrics(episodes: Sequence[EpisodeResult], prefix: str = "") -> Any:
    import wandb

    known = summarize(episodes)
    rows = [
        [f"{prefix}{title}", 100 * known[name].value]
        for title, name in charts.METRICS.items()
        if name in known
    ]
    return wandb.Table(columns=["Metric Name", "Metric Value (%)"], data=rows)


def _predictions(run: Run, episodes: Sequence[EpisodeResult]) -> Any:
    import wandb

    rows = [
        [
            number,
            episode.success,
            f"{episode.setting} {visible(episode.task_id)}",
            episode.progress_rate,
            episode.grounding,
            wandb.Image(_picture(_progress(episode))),
            wandb.Html(_trajectory(run, episode), inject=False),
        ]
        for number, episode in enumerate(islice(episodes, _MOST_EPISODES))
    ]
    return wandb.Table(columns=_COLUMNS, data=rows)


def _progress(episode: EpisodeResult) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4, 4), layout="constrained")
    axis = figure.subplots()
    best, values = 0.0, []
    for value in episode.progress:
        best = max(best, value)
        values.append(best)
    axis.plot(range(len(values)), values, marker="o", markersize=2, linewidth=1)
    axis.set_ylim(0, 1)
    axis.spines[["top", "right"]].set_visible(False)
    return figure


def _picture(figure: Figure) -> Any:
    from PIL import Image

    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=60)
    return Image.open(file)


def _trajectory(run: Run, episode: EpisodeResult) -> str:
    """Return the steps as HTML, with every text escaped."""
    try:
        played = read_trajectory(run, episode.task)
    except (ValueError, OSError) as error:
        return _paragraph(0, "Error", str(error))
    if played is None:
        return _paragraph(0, "Error", episode.error or "There is no trajectory.")
    parts = [_paragraph(0, "Goal", played.header.get("info", {}).get("goal", ""))]
    parts.append(_paragraph(0, "Observation", played.header.get("observation", "")))
    for step in islice(played.steps, _MOST_STEPS):
        number, info = step["t"], step["info"]
        action = info.get("extracted_action") or step["action"]
        parts.append(_paragraph(number, "Action", action))
        parts.append(_paragraph(number, "Observation", step["observation"]))
        parts.append(_paragraph(number, "Progress Rate", info.get("best_progress")))
    return "\n".join(parts)


def _paragraph(step: int, kind: str, value: object) -> str:
    text = escape(visible(text_of(value)[:_LONGEST]))
    return f"<p><b>Step {step} </b><b>{kind}: </b>{text}</p>"
