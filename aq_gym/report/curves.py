"""Progress and repetition over steps, with bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.intervals import cluster_codes, mean_band
from aq_gym.evaluation.summary import curve_tables


class Band(NamedTuple):
    """A mean over episodes for each step from 1 on, with its 95% interval.

    ``low`` and ``high`` are empty if there is only one cluster of episodes.
    """

    mean: list[float]
    low: list[float]
    high: list[float]


class Curves(NamedTuple):
    """PR_t and RR_t of some episodes (AgentQuest, section 3).

    Attributes:
        progress: The progress PR_t, 0.0 to 1.0.
        repetition: The repetition rate RR_t, 0.0 to 1.0, with T each episode's own
            length.
        episodes: The number of episodes.
    """

    progress: Band
    repetition: Band
    episodes: int


def curves_of(episodes: Sequence[EpisodeResult]) -> Curves:
    """Return the mean curves of some episodes with their bands.

    An episode that ends early keeps its last values, as in the paper, so that every
    step averages over the same episodes.

    Args:
        episodes: Finished episodes; those with an error or no step are omitted.
    """
    scored = [e for e in episodes if not e.error and e.progress]
    clusters = cluster_codes([e.unit for e in scored], len(scored))
    progress, repetition = (
        _band(curve_tables(scored, name), clusters)
        for name in ("progress", "repetition")
    )
    return Curves(progress, repetition, len(scored))


def _band(tables: Iterable[np.ndarray], clusters: np.ndarray) -> Band:
    band = Band([], [], [])
    for table in tables:
        limits = mean_band(table.clip(0.0, 1.0), clusters) or ()
        for known, values in zip(band, (table.mean(axis=0), *limits), strict=False):
            known += np.round(values, 4).tolist()
    return band
