"""Progress and repetition over steps, with bands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aq_gym.report.data import Episode

__all__ = ["Band", "Curves", "curves_of"]

_RESAMPLES = 1_000


class Band(NamedTuple):
    """A mean over episodes for each step from 1 on, with its 95% interval.

    ``low`` and ``high`` are empty where there is one episode only.
    """

    mean: list[float]
    low: list[float]
    high: list[float]


class Curves(NamedTuple):
    """PR_t and RR_t of some episodes (AgentQuest, section 3).

    Attributes:
        progress: Of the progress PR_t, 0.0 to 1.0.
        repetition: Of the repetition rate RR_t, 0.0 to 1.0, with T each episode's own
            length.
        episodes: Over how many episodes.
    """

    progress: Band
    repetition: Band
    episodes: int


def curves_of(episodes: Sequence[Episode]) -> Curves:
    """Return the mean curves of some episodes with bootstrap bands.

    An episode that ends early keeps its last values, as in the paper, so that every
    step averages over the same episodes.

    Args:
        episodes: Finished episodes; those with an error or no step are left out.
    """
    scored = [e for e in episodes if not e.error and e.progress]
    longest = max((len(e.progress) for e in scored), default=0)
    progress = _held([np.array(e.progress, dtype=float) for e in scored], longest)
    repetition = _held([_rate(e.repeated) for e in scored], longest)
    picks = _resamples(len(scored))
    return Curves(_band(progress, picks), _band(repetition, picks), len(scored))


def _rate(repeated: Sequence[bool]) -> np.ndarray:
    rates: np.ndarray = np.cumsum(repeated) / max(len(repeated) - 1, 1)
    return rates


def _held(rows: list[np.ndarray], longest: int) -> np.ndarray:
    table = np.zeros((len(rows), longest))
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
        table[number, len(row) :] = row[-1]
    return table


def _resamples(count: int) -> np.ndarray | None:
    """Return how often each resample draws each episode; deterministic."""
    if count < 2:
        return None
    rng = np.random.default_rng(0)
    weights = np.empty((_RESAMPLES, count), dtype=np.float32)
    for row in weights:
        row[:] = np.bincount(rng.integers(count, size=count), minlength=count)
    return weights / count


def _band(table: np.ndarray, weights: np.ndarray | None) -> Band:
    if not table.size:
        return Band([], [], [])
    mean = table.mean(axis=0)
    if weights is None:
        return Band(_rounded(mean), [], [])
    low, high = np.percentile(weights @ table, [2.5, 97.5], axis=0)
    return Band(_rounded(mean), _rounded(low), _rounded(high))


def _rounded(values: np.ndarray) -> list[float]:
    rounded: list[float] = np.round(values, 4).tolist()
    return rounded
