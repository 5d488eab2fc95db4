"""Percentiles of the means of resamples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock

import numpy as np

__all__ = ["percentiles"]

_RESAMPLES = 10_000
_AT_ONCE = 200_000
_KEPT = 4_000_000
# NumPy adds up to as many values in eight lanes, and halves longer arrays first.
_SHORT = 128
_LANES = 8


def percentiles(columns: Sequence[np.ndarray], seed: int) -> list[tuple[float, float]]:
    """Return the percentiles 2.5 and 97.5 of the means of resamples of each column.

    Args:
        columns: The values: arrays of the same length, at least 1.
        seed: The seed of the 10,000 resamples, which are the same for all columns.
    """
    if not columns:
        return []
    count = len(columns[0])
    means = np.empty((len(columns), _RESAMPLES))
    start = 0
    for picks in _picks(count, seed):
        end = start + picks.size // count
        for own, data in zip(means, columns, strict=True):
            own[start:end] = _sums(data.take(picks), count)
        start = end
    means /= count
    # Sorted rows take half the time, because the partition is not vectorised.
    means.sort(axis=1)
    low, high = np.percentile(means, [2.5, 97.5], axis=1, overwrite_input=True)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _sums(values: np.ndarray, count: int) -> np.ndarray:
    """Return the sums of resamples, each as NumPy adds the values of an array.

    Args:
        values: The resamples, in columns if they are short and else in rows;
            overwritten.
        count: The number of values of a resample.
    """
    if count > _SHORT or count < _LANES:
        sums: np.ndarray = np.add.reduce(values, axis=int(count > _SHORT))
        return sums
    lanes, whole = values[:_LANES], count - count % _LANES
    for start in range(_LANES, whole, _LANES):
        lanes += values[start : start + _LANES]
    while len(lanes) > 1:
        lanes = lanes[0::2] + lanes[1::2]
    sums = lanes[0]
    for rest in values[whole:]:
        sums += rest
    return sums


# The latest indices; the groups of a summary have few lengths.
_DRAWN: dict[tuple[int, int], tuple[np.ndarray, ...]] = {}
_LOCK = Lock()


def _picks(count: int, seed: int) -> Iterable[np.ndarray]:
    """Return the indices of the resamples, in parts of bounded size."""
    if count * _RESAMPLES > _KEPT:
        return _draw(count, seed)
    with _LOCK:
        drawn = _DRAWN.pop((count, seed), None) or tuple(_draw(count, seed))
        _DRAWN[count, seed] = drawn
        kept = _RESAMPLES * sum(length for length, _ in _DRAWN)
        for key in list(_DRAWN):
            if kept <= _KEPT:
                break
            kept -= _RESAMPLES * key[0]
            del _DRAWN[key]
    return drawn


def _draw(count: int, seed: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    rows = max(1, _AT_ONCE // count)
    for start in range(0, _RESAMPLES, rows):
        size = min(rows, _RESAMPLES - start), count
        picks = rng.integers(count, size=size)
        # Short rows are added in three times the time of long columns.
        yield picks.T.copy() if count <= _SHORT else picks
