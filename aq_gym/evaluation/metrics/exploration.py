"""How much an agent gets to see."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval


def distinct_observations(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean number of different observations in an episode."""
    return mean_interval([e.distinct_observations for e in episodes])
