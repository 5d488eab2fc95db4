"""Progress rate."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval


def progress_rate(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean final progress rate, 0.0 to 1.0 (AgentBoard's r_T)."""
    return mean_interval([e.progress_rate for e in episodes])
