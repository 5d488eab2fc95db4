"""The summary of a run: the contents of ``summary.json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from aq_gym.evaluation.curves import curves, solved_by_trial
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.groups import (
    by_benchmark,
    by_difficulty,
    by_label,
    by_setting,
    subskills,
)
from aq_gym.evaluation.metrics import Metric, summarize
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.totals import error_counts, run_warnings, usage_totals


def summary_record(
    suite: Suite,
    episodes: Sequence[EpisodeResult],
    superseded: Sequence[EpisodeResult] = (),
) -> dict[str, Any]:
    """Return the metrics of all episodes and of each group of them, as a JSON object.

    The groups are the benchmarks, the settings, the difficulties and, in a benchmark,
    the labels of each kind.

    Args:
        suite: The suite that was played.
        episodes: Its finished episodes, in its order.
        superseded: Episodes with an error that were played again. They count in no
            metric, only in the usage.
    """
    warnings = run_warnings(usage_totals(episodes))
    summary: dict[str, Any] = {
        **({"warnings": warnings} if warnings else {}),
        "suite": {"name": suite.name, "hash": suite.hash},
        "tasks": {"all": len(suite.tasks), "finished": len(episodes)},
        "benchmarks": {},
        "settings": {},
        "difficulties": {},
        "subskills": subskills(episodes),
        "superseded": {
            "episodes": len(superseded),
            "usage": usage_totals(superseded),
        },
    }
    for (*above, name), own in _groups(episodes):
        owner = summary
        for place in above:
            owner = owner.setdefault(place, {})
        owner[name] = _part(own)
        if above == ["benchmarks"]:
            owner[name]["difficulties"] = {}
    return summary


def add_metric(
    summary: dict[str, Any], metric: Metric, episodes: Sequence[EpisodeResult]
) -> None:
    """Add a metric to each group of a summary, replacing an earlier value.

    Raises:
        KeyError: If the summary lacks the metrics of a group; it has their place.
    """
    for path, own in _groups(episodes):
        metrics = _at(summary, (*path, "metrics"))
        metrics.pop(metric.name, None)
        estimate = metric.estimate(own)
        if estimate is not None:
            metrics[metric.name] = estimate._asdict()


def _groups(
    episodes: Sequence[EpisodeResult],
) -> Iterator[tuple[Sequence[str], Sequence[EpisodeResult]]]:
    """Yield each group's keys in a summary, and its episodes."""
    yield ("overall",), episodes
    for name, own in by_benchmark(episodes).items():
        yield ("benchmarks", name), own
        for grade, graded in by_difficulty(own).items():
            yield ("benchmarks", name, "difficulties", grade), graded
        for kind, groups in by_label(own).items():
            for label, labelled in groups.items():
                yield ("benchmarks", name, "labels", kind, label), labelled
    for name, own in by_setting(episodes).items():
        yield ("settings", name), own
    for name, own in by_difficulty(episodes).items():
        yield ("difficulties", name), own


def _at(summary: Any, path: Sequence[str]) -> dict[str, Any]:
    for name in path:
        summary = summary.get(name) if isinstance(summary, dict) else None
    if not isinstance(summary, dict):
        raise KeyError(" / ".join(path))
    return summary


def _part(episodes: Sequence[EpisodeResult]) -> dict[str, Any]:
    estimates = summarize(episodes)
    solved = solved_by_trial(episodes)
    return {
        **({"solved by trial": solved} if solved else {}),
        "counts": error_counts(episodes),
        "metrics": {name: one._asdict() for name, one in estimates.items()},
        "curves": curves(episodes),
        "usage": usage_totals(episodes),
    }
