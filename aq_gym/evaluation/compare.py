"""Comparison of two runs of the same tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, count
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np

from aq_gym.evaluation.episode import EpisodeResult, by_task
from aq_gym.evaluation.intervals import (
    Estimate,
    cluster_codes,
    mean_interval,
    mean_p_value,
)
from aq_gym.evaluation.metrics import METRICS, Metric, held, shown_metrics
from aq_gym.evaluation.summary import by_benchmark

_Attempts: TypeAlias = Sequence[EpisodeResult]


class Comparison(NamedTuple):
    """The mean difference of a metric: the second run minus the first.

    The sign test asks another question than the mean: whether a run is ahead more often
    than the other (exact and two-sided, over the tasks that differ: Demšar,
    "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 2006,
    section 3.1.3). Ties are left out.

    Attributes:
        difference: The mean with its 95% confidence interval over tasks.
        p_value: The two-sided p-value of the mean difference being zero.
        pairs: The number of tasks that have a value, and no error, in both runs.
        holm_p_value: The p-value adjusted for the number of benchmarks compared (Holm,
            "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
            Journal of Statistics 6, 1979); for a single benchmark, ``p_value``.
        first: The mean of the first run over these tasks.
        signs: The number of tasks in which the second run has more, the same and less;
            tasks of one cluster count once, by their mean.
        sign_p_value: The two-sided p-value of the sign test.
        holm_sign_p_value: The same, adjusted as ``holm_p_value``.
    """

    difference: Estimate
    p_value: float
    pairs: int
    holm_p_value: float
    first: float
    signs: tuple[int, int, int]
    sign_p_value: float
    holm_sign_p_value: float


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
    return {m.name: found for m in asked if (found := _compare(m, pairs))}


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
    low, high = metric.bounds or (0.0, 0.0)
    bounds = held((low - high, high - low), values) if metric.bounds else None
    p_value = mean_p_value(values, units, bounds)
    sums = np.bincount(cluster_codes(units, len(units)), values).round(9)
    won, lost = int((sums > 0).sum()), int((sums < 0).sum())
    # The binomial coefficients, each from the one before: math.comb would take long.
    ways = accumulate(
        range(min(won, lost)), lambda c, n: c * (won + lost - n) // (n + 1), initial=1
    )
    sign = min(1.0, sum(ways) / 2 ** (won + lost - 1))
    return Comparison(
        mean_interval(values, units, bounds),
        p_value,
        len(known),
        p_value,
        fmean(means),
        (won, len(sums) - won - lost, lost),
        sign,
        sign,
    )


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
        tests = {b: own[metric] for b, own in compared.items() if metric in own}
        means = _holm([one.p_value for one in tests.values()])
        signs = _holm([one.sign_p_value for one in tests.values()])
        for env, mean, sign in zip(tests, means, signs, strict=True):
            adjusted[env][metric] = tests[env]._replace(
                holm_p_value=mean, holm_sign_p_value=sign
            )
    return adjusted


def _holm(values: Sequence[float]) -> list[float]:
    """Return p-values that Holm's method adjusts for their number."""
    steps = np.minimum(np.sort(values) * range(len(values), 0, -1), 1.0)
    ranks = np.argsort(np.argsort(values))
    return list(map(float, np.maximum.accumulate(steps)[ranks]))
