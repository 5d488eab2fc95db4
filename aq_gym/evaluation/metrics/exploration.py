"""How much an agent gets to see."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval


def distinct_observations(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean number of different observations in an episode."""
    return mean_interval([e.distinct_observations for e in episodes])


def distinct_locations(episodes: Sequence[Episode]) -> Estimate | None:
    """Return the mean number of different places in an episode.

    None where no environment reports ``info["location"]``.
    """
    counts = [e.distinct_locations for e in episodes if e.distinct_locations]
    return mean_interval(counts) if counts else None
