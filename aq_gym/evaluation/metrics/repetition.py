"""Repetition rate."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval


def repetition_rate(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean repetition rate, 0.0 to 1.0 (AgentQuest, section 3.2).

    T is each episode's own length.
    """
    return mean_interval([e.repetition_rate for e in episodes])
