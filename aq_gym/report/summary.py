"""The summary: a row for each run in each environment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aq_gym.evaluation import EpisodeResult, Estimate, summarize, usage_totals
from aq_gym.evaluation.groups import by_benchmark, by_difficulty
from aq_gym.evaluation.metrics import METRICS
from aq_gym.report.data import Run, metric_names
from aq_gym.report.escaping import visible

__all__ = [
    "ALL",
    "SummaryRow",
    "columns",
    "environments",
    "is_rate",
    "summary_rows",
]

ALL = "all"


class SummaryRow(NamedTuple):
    """The results of a run in one environment, for one difficulty or all.

    Attributes:
        number: The number of the run, which is that of its colour.
        run: The run's label.
        env: The benchmark's id, or "all".
        difficulty: "easy", "hard" or the benchmark's own grade, or "all".
        episodes: How many episodes are scored.
        errors: How many ended with an error; they are in no metric.
        estimates: The values and intervals by the name of their column.
        cost: What all the episodes cost, None where the agent noted no cost.
    """

    number: int
    run: str
    env: str
    difficulty: str
    episodes: int
    errors: int
    estimates: dict[str, Estimate]
    cost: float | None


def summary_rows(runs: Sequence[Run]) -> list[SummaryRow]:
    """Return the rows of the summary, environment by environment.

    Where the runs have several environments, the rows over all of them come first.

    Args:
        runs: The runs in the order of their colours.
    """
    rows: list[SummaryRow] = []
    names = environments(runs)
    for env in [ALL, *names] if len(names) > 1 else names:
        for number, run in enumerate(runs):
            own = run.episodes if env == ALL else by_benchmark(run.episodes).get(env)
            if own:
                rows += _graded(number, run.label, env, own)
    return rows


def columns(rows: Sequence[SummaryRow]) -> list[str]:
    """Return the metrics that any row has, in the summary's order."""
    return [name for name in metric_names() if any(name in r.estimates for r in rows)]


def environments(runs: Sequence[Run]) -> list[str]:
    """Return the benchmarks of all runs, in order of first appearance."""
    return list(dict.fromkeys(e for run in runs for e in by_benchmark(run.episodes)))


def _graded(
    number: int, label: str, env: str, episodes: Sequence[EpisodeResult]
) -> Iterator[SummaryRow]:
    yield _row(number, label, env, ALL, episodes)
    for difficulty, own in by_difficulty(episodes).items():
        yield _row(number, label, env, difficulty, own)


def _row(
    number: int,
    label: str,
    env: str,
    difficulty: str,
    episodes: Sequence[EpisodeResult],
) -> SummaryRow:
    known = summarize(episodes)
    errors = sum(bool(e.error) for e in episodes)
    return SummaryRow(
        number,
        label,
        visible(env),
        visible(difficulty),
        len(episodes) - errors,
        errors,
        {name: known[name] for name in metric_names() if name in known},
        usage_totals(episodes).get("cost"),
    )


def is_rate(name: str) -> bool:
    """Return whether a metric is between 0.0 and 1.0.

    Args:
        name: The metric's name.
    """
    return METRICS[name].bounds == (0.0, 1.0)
