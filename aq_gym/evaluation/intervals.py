"""95% confidence intervals of means, and p-values of mean differences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from math import cbrt, exp, inf, isinf, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np

Bounds: TypeAlias = tuple[float, float] | None

_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(0.975)
# With fewer clusters, the interval covers the mean of skewed values too rarely.
_FEWEST_UNBOUNDED = 10
_ROUNDING = 1e-9
# The number of values of a band that are computed at once.
_VALUES = 1 << 19


class Estimate(NamedTuple):
    """A value and its 95% confidence interval.

    If there are too few values for an interval, ``low`` and ``high`` are None.
    """

    value: float
    low: float | None
    high: float | None


class _Clusters(NamedTuple):
    """The sum and count of values of each distinct cluster, and its frequency."""

    sums: np.ndarray
    sizes: np.ndarray
    counts: np.ndarray


def mean_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] = (),
    bounds: Bounds = (0.0, 1.0),
) -> Estimate:
    """Return a mean with its confidence interval.

    For bounded values it is the interval of Gaffke (2005), which needs no normality and
    covers the mean at every sample size and close to the bounds; for values 0 and 1 it
    is that of Clopper and Pearson. For other values each limit is the farther from the
    mean of two: that of Student's interval, with the variance between clusters, and
    that of Hall's (1992), which corrects for skewness; limits are cut at the bounds, if
    there are any. Values of one cluster, such as repetitions of a task, may depend on
    each other; clusters are independent.

    A single cluster has no interval. Values without bounds need at least ten clusters,
    which must not all be equal.

    Args:
        values: At least one value.
        clusters: The cluster of each value; by default each value is its own.
        bounds: The lowest and highest possible value, which may be infinite; None where
            there are none.

    Raises:
        ValueError: If there are no values, one is outside the bounds, or ``clusters``
            has another length.
    """
    data = _checked(values, bounds)
    mean = float(data.mean())
    made = _clusters(data, cluster_codes(clusters or range(len(data)), len(data)))
    if made.counts.sum() < 2:
        return Estimate(mean, None, None)
    if bounds is None or isinf(bounds[1] - bounds[0]):
        return _unbounded(mean, made, bounds or (-inf, inf))
    return Estimate(mean, *_limits_of(*(tuple(one.tolist()) for one in made), bounds))


def mean_p_value(
    values: Sequence[float],
    clusters: Sequence[Hashable] = (),
    bounds: Bounds = (-1.0, 1.0),
) -> float:
    """Return the two-sided p-value of values having mean zero.

    It is below 0.05 exactly if the :func:`mean_interval` excludes 0, and 1 if there are
    too few values for an interval. For differences of outcomes 0 and 1 it is close to
    that of McNemar's exact test, and not below it.

    Args:
        values: At least one value.
        clusters: The cluster of each value; by default each value is its own.
        bounds: The lowest and highest possible value, None where there are none.

    Raises:
        ValueError: As in :func:`mean_interval`.
    """
    data = _checked(values, bounds)
    made = _clusters(data, cluster_codes(clusters or range(len(data)), len(data)))
    if not made.sums.any():
        return 1.0
    if bounds is None or isinf(bounds[1] - bounds[0]):
        return _unbounded_p_value(made)
    counts = np.append(made.counts, 1)
    above, below = (
        tail_probability(np.append(sign * made.sums, bound * made.sizes.max()), counts)
        for sign, bound in ((1, bounds[1]), (-1, -bounds[0]))
    )
    return min(1.0, 2 * above, 2 * below)


def mean_band(
    table: np.ndarray, codes: np.ndarray, bounds: tuple[float, float] = (0.0, 1.0)
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the limits of the mean of each column, None for a single cluster.

    Args:
        table: A row for each value of each column.
        codes: The clusters of the rows, as :func:`cluster_codes` gives them.
        bounds: The lowest and highest possible value.
    """
    sizes = np.bincount(codes)
    if len(sizes) < 2:
        return None
    low, high = np.empty(table.shape[1]), np.empty(table.shape[1])
    # Computed in parts, because the limits take several times the memory of their
    # columns.
    columns = max(1, _VALUES // len(sizes))
    for first in range(0, table.shape[1], columns):
        part = slice(first, first + columns)
        low[part], high[part] = _band_limits(table[:, part], codes, sizes, bounds)
    return low, high


def _band_limits(
    table: np.ndarray, codes: np.ndarray, sizes: np.ndarray, bounds: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    sums = np.zeros((len(sizes), table.shape[1]))
    np.add.at(sums, codes, table)
    if sizes.min() == sizes.max():
        # Sorted, so that equal columns are computed once.
        sums.sort(axis=0)
    # np.unique would make a type with a field for each cluster, which takes long.
    known: dict[bytes, int] = {}
    place = [known.setdefault(column.tobytes(), len(known)) for column in sums.T]
    columns = np.frombuffer(b"".join(known)).reshape(len(known), -1)
    low, high = _limits(columns, sizes, np.ones(len(sizes)), bounds)
    return low[place], high[place]


def cluster_codes(clusters: Sequence[Hashable], count: int) -> np.ndarray:
    """Return each value's cluster as a number from 0, in order of first appearance.

    Raises:
        ValueError: If ``clusters`` has another length.
    """
    if len(clusters) != count:
        raise ValueError(f"clusters must have {count} items, not {len(clusters)}")
    known: dict[Hashable, int] = {}
    codes = (known.setdefault(cluster, len(known)) for cluster in clusters)
    return np.fromiter(codes, dtype=np.intp, count=count)


def _checked(values: Sequence[float], bounds: Bounds) -> np.ndarray:
    data = np.asarray(values, dtype=float)
    if not len(data):
        raise ValueError("values must not be empty")
    if bounds is None:
        return data
    low, high = bounds
    if data.min() < low - _ROUNDING or data.max() > high + _ROUNDING:
        raise ValueError(
            f"values from {data.min():g} to {data.max():g} are outside "
            f"bounds={bounds}; give their bounds, or None"
        )
    return data.clip(low, high)


def _clusters(data: np.ndarray, codes: np.ndarray) -> _Clusters:
    sizes = np.bincount(codes)
    sums = np.bincount(codes, weights=data)
    if sizes.min() == sizes.max():
        sums, counts = np.unique(sums, return_counts=True)
        return _Clusters(sums, np.full(len(sums), sizes[0]), counts)
    return _Clusters(sums, sizes, np.ones(len(sums), dtype=int))


@lru_cache(maxsize=128)
def _limits_of(
    sums: tuple[float, ...],
    sizes: tuple[int, ...],
    counts: tuple[int, ...],
    bounds: tuple[float, float],
) -> tuple[float, float]:
    """Return the limits of one sample; groups of a run often have the same values."""
    low, high = _limits(np.array([sums]), np.array(sizes), np.array(counts), bounds)
    return float(low[0]), float(high[0])


def _limits(
    sums: np.ndarray, sizes: np.ndarray, counts: np.ndarray, bounds: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    high = upper_limits(sums, sizes, counts, bounds[1])
    return -upper_limits(-sums, sizes, counts, -bounds[0]), high


def _unbounded(mean: float, made: _Clusters, bounds: tuple[float, float]) -> Estimate:
    freedom, error, skew = _spread(mean, made)
    if freedom + 1 < _FEWEST_UNBOUNDED or not error:
        return Estimate(mean, None, None)
    scaled = _Z * (8 * freedom + 3) / (8 * freedom + 1)
    student = sqrt(freedom * (exp(scaled**2 / freedom) - 1))
    below = error * max(student, _skewed(student, skew))
    above = error * max(student, -_skewed(-student, skew))
    return Estimate(mean, max(bounds[0], mean - below), min(bounds[1], mean + above))


def _unbounded_p_value(made: _Clusters) -> float:
    mean = float((made.sums * made.counts).sum() / (made.sizes * made.counts).sum())
    freedom, error, skew = _spread(mean, made)
    if freedom + 1 < _FEWEST_UNBOUNDED or not error:
        return 1.0
    # Both intervals must exclude 0.
    skew = skew if mean > 0 else -skew
    squared = max(0.0, min(abs(mean) / error, _symmetric(abs(mean) / error, skew))) ** 2
    # Wallace's approximation of Student's distribution by the normal one (1959).
    score = sqrt(freedom * log1p(squared / freedom))
    return 2 * _NORMAL.cdf(-score * (8 * freedom + 1) / (8 * freedom + 3))


def _symmetric(statistic: float, skew: float) -> float:
    """Return Hall's transformation of a t statistic, which removes its skewness."""
    return ((1 + skew * statistic / 3) ** 3 - 1) / skew + skew / 6


def _skewed(statistic: float, skew: float) -> float:
    """Return the t statistic that :func:`_symmetric` transforms to this one."""
    return 3 * (cbrt(1 + skew * (statistic - skew / 6)) - 1) / skew


def _spread(mean: float, made: _Clusters) -> tuple[int, float, float]:
    """Return the degrees of freedom, standard error and skewness of a mean.

    The skewness of a symmetric sample is not 0 but tiny, so that one can divide by it.
    """
    freedom = int(made.counts.sum()) - 1
    if freedom < 2:
        return freedom, 0.0, _CLOSE
    rest = made.sums - mean * made.sizes
    variance = float((rest**2 * made.counts).sum()) / freedom
    total = int((made.sizes * made.counts).sum())
    error = sqrt(variance * (freedom + 1)) / total
    if not error:
        return freedom, 0.0, _CLOSE
    cubes = float(((rest / sqrt(variance)) ** 3 * made.counts).sum())
    skew = cubes * sqrt(freedom + 1) / (freedom * (freedom - 1))
    return freedom, error, skew if abs(skew) > _CLOSE else _CLOSE


_MOST_STEPS = 50
_CLOSE = 1e-7


def upper_limits(
    sums: np.ndarray, sizes: np.ndarray, counts: np.ndarray, bound: float
) -> np.ndarray:
    """Return the upper 97.5% limit of the mean of each row.

    Args:
        sums: A row for each sample: the sum of the values of each cluster.
        sizes: The number of values of each cluster.
        counts: The number of clusters of each kind.
        bound: The upper bound of the values.
    """
    largest = sizes.max()
    extra = np.full((len(sums), 1), bound * largest)
    sums = np.concatenate([sums, extra], axis=1)
    sizes, counts = np.append(sizes, largest), np.append(counts, 1)
    limits = np.full(len(sums), bound, dtype=float)
    vary = sums.max(axis=1) - sums.min(axis=1) > _CLOSE * largest
    vary |= np.ptp(sizes) > 0
    vary &= bound - _total(sums, counts) / (sizes * counts).sum() > _CLOSE
    if vary.any():
        limits[vary] = _solve(sums[vary], sizes, counts, bound)
    return limits


def _solve(
    sums: np.ndarray, sizes: np.ndarray, counts: np.ndarray, bound: float
) -> np.ndarray:
    """Return the means whose normal score is that of the 97.5% limit."""
    values = (sizes * counts).sum()
    low = _total(sums, counts) / values
    high = np.full(len(sums), bound, dtype=float)
    spread = _total((sums - low[:, None] * sizes) ** 2, counts)
    mean: np.ndarray = low + _Z * np.sqrt(spread) / values
    tilt = np.zeros(len(sums))
    for _ in range(_MOST_STEPS):
        outside = (mean <= low) | (mean >= high)
        mean = np.where(outside, (low + high) / 2, mean)
        tilt, score, root = _score(sums - mean[:, None] * sizes, counts, tilt)
        missing = _Z - score
        if np.abs(missing).max() < _CLOSE:
            break
        low, high = np.where(missing > 0, mean, low), np.where(missing > 0, high, mean)
        rest = 1 - tilt[:, None] * (sums - mean[:, None] * sizes)
        mean = mean + missing * root / (tilt * _total(sizes / rest, counts))
    return mean


def tail_probability(terms: np.ndarray, counts: np.ndarray) -> float:
    """Return the probability that a weighted sum of exponential variables exceeds 0."""
    if terms.min() >= 0 or terms.max() <= 0:
        return float(terms.max() > 0)
    _, scores, _ = _score(terms[None], counts, np.zeros(1))
    return _NORMAL.cdf(-float(scores[0]))


def _score(
    terms: np.ndarray, counts: np.ndarray, tilt: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the saddlepoints of rows of terms, their normal scores and signed roots.

    Args:
        terms: The factors of exponential variables, of both signs in each row.
        counts: The number of variables with each factor.
        tilt: The first guesses of the saddlepoints.
    """
    tilt = np.where((1 - tilt[:, None] * terms).min(axis=1) > 0, tilt, 0.0)
    for _ in range(_MOST_STEPS):
        weights = terms / (1 - tilt[:, None] * terms)
        slope, curve = _total(weights, counts), _total(weights * weights, counts)
        # Damped Newton steps stay where the logarithms below are defined, because the
        # function is self-concordant.
        decrement = np.abs(slope) / np.sqrt(curve)
        if decrement.max() < _CLOSE:
            break
        tilt = tilt - slope / curve / (1 + decrement)
    generating = _total(-np.log(1 - tilt[:, None] * terms), counts)
    root = np.sign(tilt) * np.sqrt(np.maximum(-2 * generating, _CLOSE**2))
    root = np.where(root == 0, _CLOSE, root)
    standard = tilt * np.sqrt(curve)
    near = np.abs(root) < 1e-4
    # The correction tends to a constant that is below the accuracy of the rest.
    ratio = np.where(near, 1.0, standard / np.where(near, 1.0, root))
    return tilt, root + np.log(ratio) / root, root


def _total(rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the sum of each row, with each column weighted by a count."""
    # A matrix product starts threads, which takes longer than this sum.
    total: np.ndarray = np.einsum("ij,j->i", rows, counts)
    return total
