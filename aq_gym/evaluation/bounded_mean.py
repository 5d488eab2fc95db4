"""Confidence limits of the mean of bounded values.

The values and one more, at the bound, are weighted at random: the weights of a point
that is uniformly distributed on the simplex. The limit is a quantile of the weighted
mean (Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the
mean of a nonnegative variable", Mathematical Methods of Statistics 14, 2005;
Learned-Miller and Thomas, "A New Confidence Interval for the Mean of a Bounded Random
Variable", 2019, who give evidence for its coverage at every sample size). For values 0
and 1 it is the exact limit of Clopper and Pearson.

Such weights are exponential variables divided by their sum, so that the weighted mean
exceeds m where a sum of exponential variables, each times a value less m, exceeds 0.
Its probability is the saddlepoint approximation of Lugannani and Rice (1980) in the
form of Barndorff-Nielsen, which is exact to a few per cent of the tail.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

_Z = NormalDist().inv_cdf(0.975)
_MOST_STEPS = 50
_CLOSE = 1e-7


def upper_limits(
    sums: np.ndarray, sizes: np.ndarray, counts: np.ndarray, bound: float
) -> np.ndarray:
    """Return the upper 97.5% limit of the mean of each row.

    Args:
        sums: A row for each sample: the sum of the values of each cluster.
        sizes: The number of values of each cluster.
        counts: How many such clusters there are.
        bound: No value is greater.
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
    return NormalDist().cdf(-float(scores[0]))


def _score(
    terms: np.ndarray, counts: np.ndarray, tilt: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the saddlepoints of rows of terms, their normal scores and signed roots.

    Args:
        terms: The factors of exponential variables, of both signs in each row.
        counts: How many variables have each factor.
        tilt: Where to look for the saddlepoints first.
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
