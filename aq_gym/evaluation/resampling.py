"""Percentiles of the means of resamples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock

import numpy as np

__all__ = ["percentiles"]

_RESAMPLES = 10_000
_AT_ONCE = 200_000
_KEPT = 4_000_000


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
        end = start + len(picks)
        for own, data in zip(means, columns, strict=True):
            np.add.reduce(data.take(picks), axis=1, out=own[start:end])
        start = end
    means /= count
    # Sorted rows take half the time, because the partition is not vectorised.
    means.sort(axis=1)
    low, high = np.percentile(means, [2.5, 97.5], axis=1, overwrite_input=True)
    return list(zip(low.tolist(), high.tolist(), strict=True))


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
        yield rng.integers(count, size=size)
