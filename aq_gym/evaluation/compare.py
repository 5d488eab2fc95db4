"""Comparison of two runs of the same tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from statistics import fmean
from typing import NamedTuple, TypeAlias

from aq_gym.evaluation.episode import EpisodeResult, by_task
from aq_gym.evaluation.intervals import Estimate, mean_interval, mean_p_value
from aq_gym.evaluation.metrics import METRICS, Metric, held, shown_metrics
from aq_gym.evaluation.summary import by_benchmark

_Attempts: TypeAlias = Sequence[EpisodeResult]


class Comparison(NamedTuple):
    """The mean difference of a metric: the second run minus the first.

    Attributes:
        difference: The mean with its 95% confidence interval over tasks.
        p_value: The two-sided p-value of the mean difference being zero.
        pairs: The number of tasks that have a value, and no error, in both runs.
        holm_p_value: The p-value adjusted for the number of benchmarks compared (Holm,
            "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
            Journal of Statistics 6, 1979); for a single benchmark, ``p_value``.
        first: The mean of the first run over these tasks.
    """

    difference: Estimate
    p_value: float
    pairs: int
    holm_p_value: float
    first: float


def compare(
    first: Sequence[EpisodeResult],
    second: Sequence[EpisodeResult],
    metrics: Sequence[str] = (),
) -> dict[str, Comparison]:
    """Compare two runs task by task; the value of a task is the mean of its attempts.

    Args:
        first: The episodes of the first run.
        second: The episodes of the second run.
        metrics: The names of the metrics; by default those of the result tables and of
            the steps to go.

    Returns:
        A comparison by metric, for the metrics that have values in both runs.

    Raises:
        ValueError: If no task was finished without an error in both runs.
    """
    before, after = by_task(first), by_task(second)
    pairs = [(own, after[task]) for task, own in before.items() if task in after]
    if not pairs:
        raise ValueError("the two runs have no task in common")
    asked = [METRICS[m] for m in metrics] or shown_metrics(replayed=True)
    compared = ((m.name, _compare(m, pairs)) for m in asked)
    return {name: result for name, result in compared if result}


def compare_benchmarks(
    first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]
) -> dict[str, dict[str, Comparison]]:
    """Compare two runs in each benchmark in which both finished a task without error.

    Args:
        first: The episodes of the first run.
        second: The episodes of the second run.

    Returns:
        The comparisons by benchmark and metric.
    """
    after = by_benchmark(second)
    compared = {}
    for name, before in by_benchmark(first).items():
        try:
            compared[name] = compare(before, after.get(name, []))
        except ValueError:
            # No task was finished without an error in both runs.
            continue
    return adjusted(compared)


def _compare(
    metric: Metric, pairs: Sequence[tuple[_Attempts, _Attempts]]
) -> Comparison | None:
    known = [
        (b - a, before[0].unit, a)
        for before, after in pairs
        # Experts of different versions need different numbers of steps.
        if not metric.replayed or len({e.expert for e in (*before, *after)}) == 1
        # A missing value must not count as 0.
        if (a := _mean(metric, before)) is not None
        and (b := _mean(metric, after)) is not None
    ]
    if not known:
        return None
    differences, units, means = zip(*known, strict=True)
    values = list(map(float, differences))
    width = metric.bounds[1] - metric.bounds[0] if metric.bounds else 0.0
    bounds = held((-width, width), values) if metric.bounds else None
    p_value = mean_p_value(values, units, bounds)
    interval = mean_interval(values, units, bounds)
    return Comparison(interval, p_value, len(known), p_value, fmean(means))


def _mean(metric: Metric, attempts: _Attempts) -> float | None:
    """Return the mean over attempts at a task, or None if none has a value."""
    values = [value for e in attempts if (value := metric.of(e)) is not None]
    return fmean(values) if values else None


@cache
def fewest_tasks(benchmarks: int = 1) -> int:
    """Return the smallest number of tasks in which a success rate can differ.

    Args:
        benchmarks: The number of benchmarks that Holm's method adjusts for.

    Returns:
        The number of tasks from which on a p-value can be below 0.05: 6 for one
        benchmark, if one agent solves all tasks and the other none.
    """
    return next(n for n in count(1) if mean_p_value([1.0] * n) * benchmarks < 0.05)


def adjusted(
    compared: Mapping[str, dict[str, Comparison]],
) -> dict[str, dict[str, Comparison]]:
    """Return comparisons with p-values that Holm's method adjusts for their number.

    Args:
        compared: The comparisons by metric, for each benchmark or each pair of runs.
    """
    adjusted = {benchmark: dict(own) for benchmark, own in compared.items()}
    for metric in dict.fromkeys(name for own in compared.values() for name in own):
        tests = [(own[metric], b) for b, own in compared.items() if metric in own]
        tests.sort(key=lambda test: test[0].p_value)
        least = 0.0
        for rank, (result, benchmark) in enumerate(tests):
            least = max(least, min(1.0, (len(tests) - rank) * result.p_value))
            adjusted[benchmark][metric] = result._replace(holm_p_value=least)
    return adjusted
