"""Measures of ratings: their agreement, spread and association with the truth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log
from statistics import fmean, stdev
from typing import TypeAlias

import numpy as np

from aq_gym.evaluation.intervals import Estimate, cluster_codes

_RESAMPLES = 1_000
FEWEST_CLUSTERS = 5
_Weighted: TypeAlias = Callable[[np.ndarray], np.ndarray]


def coefficient_of_variation(units: Sequence[Sequence[int]]) -> float | None:
    """Return the mean over units of standard deviation / mean, as in the paper.

    It depends on the numbering of the values from 0 on: it is larger for a spread near
    the worst value than for an equal spread near the best. No decision here depends on
    it.

    Args:
        units: The repeated ratings of each unit, as numbers from 0 on. Units with a
            single rating are left out.

    Returns:
        The value; None if no unit has two ratings.
    """
    means = [(ratings, fmean(ratings)) for ratings in units if len(ratings) > 1]
    found = [stdev(ratings) / mean if mean else 0.0 for ratings, mean in means]
    return fmean(found) if found else None


def krippendorff_alpha(
    units: Sequence[Sequence[int]], ordinal: bool = True
) -> float | None:
    """Return Krippendorff's alpha: 1.0 for full agreement, 0.0 for agreement by chance.

    K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).

    Args:
        units: The ratings of each unit, as numbers from 0 on, in any order; missing
            ratings are left out. Units with a single rating are ignored.
        ordinal: Whether the numbers are ordered.

    Returns:
        The value; None if there are no pairs, or all ratings are equal.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    size = 1 + max((max(unit) for unit in pairable), default=0)
    coincidences = np.zeros((size, size))
    for unit in pairable:
        counts = np.bincount(unit, minlength=size)
        pairs = np.outer(counts, counts) - np.diag(counts)
        coincidences += pairs / (len(unit) - 1)
    totals = coincidences.sum(axis=0)
    if np.count_nonzero(totals) < 2:
        return None
    distances = 1.0 - np.eye(size)
    if ordinal:
        middles = totals.cumsum() - totals / 2
        distances = (middles[:, None] - middles[None, :]) ** 2
    expected = np.outer(totals, totals) - np.diag(totals)
    disagreement = (coincidences * distances).sum() * (totals.sum() - 1)
    return float(1.0 - disagreement / (expected * distances).sum())


def normalized_entropy(ratings: Sequence[int], values: int) -> float:
    """Return the entropy of ratings: 0.0 if all are equal, 1.0 if spread evenly."""
    shares = np.unique(np.asarray(ratings), return_counts=True)[1] / len(ratings)
    return float(abs(-(shares * np.log(shares)).sum() / log(values)))


def area_under_curve(
    ratings: Sequence[float], success: Sequence[bool], clusters: Sequence[Hashable]
) -> Estimate | None:
    """Return the probability that a success is rated above a failure; ties count half.

    Args:
        ratings: The ratings.
        success: Whether each episode succeeded.
        clusters: The task of each episode; the interval is from a bootstrap over tasks.

    Returns:
        The value; None unless there are successes and failures.
    """
    rows, place = _grouped(ratings, success)
    x, won = rows[:, 0], rows[:, 1] > 0
    above = (np.sign(x[won][:, None] - x[~won][None, :]) + 1) / 2

    def area(weights: np.ndarray) -> np.ndarray:
        wins, losses = weights[:, won], weights[:, ~won]
        total = wins.sum(axis=1) * losses.sum(axis=1)
        return _ratio(((wins @ above) * losses).sum(axis=1), total)

    return _estimate(area, clusters, place)


def kendall_tau(
    ratings: Sequence[float], truth: Sequence[float], clusters: Sequence[Hashable]
) -> Estimate | None:
    """Return Kendall's tau-b: 1.0 for equal orders, -1.0 for opposite ones.

    Args:
        ratings: The ratings.
        truth: The values with which they are compared.
        clusters: The task of each episode; the interval is from a bootstrap over tasks.

    Returns:
        The value; None if all ratings, or all truth values, are equal.
    """
    rows, place = _grouped(ratings, truth)
    first, second = (np.sign(np.subtract.outer(one, one)) for one in rows.T)

    def tau(weights: np.ndarray) -> np.ndarray:
        both, own, other = (
            ((weights @ pairs) * weights).sum(axis=1)
            for pairs in (first * second, first**2, second**2)
        )
        return _ratio(both, np.sqrt(own * other))

    return _estimate(tau, clusters, place)


def weighted_kappa(
    first: Sequence[int], second: Sequence[int], values: int, power: int = 2
) -> float | None:
    """Return Cohen's weighted kappa of two raters.

    J. Cohen, "Weighted kappa" (1968).

    Args:
        first: The ratings of one rater, as numbers from 0 on.
        second: The ratings of the other rater, of the same units.
        values: The number of possible values.
        power: The power of the difference that weights a disagreement: 2 for quadratic
            and 1 for linear weights, 0 for equal weights, which nominal values need.

    Returns:
        The value; None if there are no units, or all ratings are equal.
    """
    if not len(first):
        return None
    table = np.zeros((values, values))
    np.add.at(table, (np.asarray(first), np.asarray(second)), 1 / len(first))
    apart = np.abs(np.subtract.outer(np.arange(values), np.arange(values)))
    weights = np.where(apart, apart.astype(float) ** power, 0.0)
    expected = (np.outer(table.sum(axis=1), table.sum(axis=0)) * weights).sum()
    return float(1.0 - (table * weights).sum() / expected) if expected else None


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide, with NaN where nothing can be compared."""
    found = np.full(len(part), np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def _grouped(
    ratings: Sequence[float], truth: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct pairs of values, and each episode's index in them.

    Ten thousand episodes have only hundreds of distinct pairs, and all pairs of these
    fit into memory.
    """
    both = np.column_stack([np.asarray(ratings, float), np.asarray(truth, float)])
    rows, place = np.unique(both, axis=0, return_inverse=True)
    return rows, place.ravel()


def _estimate(
    statistic: _Weighted, clusters: Sequence[Hashable], place: np.ndarray
) -> Estimate | None:
    """Return a statistic with its interval from a bootstrap over clusters.

    Args:
        statistic: A function of weights, with a row for each resample.
        clusters: The cluster of each episode.
        place: The column of the weights that each episode adds to.
    """
    if not len(place):
        return None
    codes = cluster_codes(clusters, len(place))
    number = int(codes.max()) + 1
    members = np.zeros((number, int(place.max()) + 1))
    np.add.at(members, (codes, place), 1)
    value = float(statistic(members.sum(axis=0)[None])[0])
    if np.isnan(value):
        return None
    if number < FEWEST_CLUSTERS:
        return Estimate(value, None, None)
    drawn = np.random.default_rng(0).multinomial(
        number, np.full(number, 1 / number), size=_RESAMPLES
    )
    low, high = np.nanquantile(statistic(drawn @ members), (0.025, 0.975))
    return Estimate(value, float(low), float(high))
