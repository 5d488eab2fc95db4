"""Grounding accuracy."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval


def grounding_accuracy(episodes: Sequence[Episode]) -> Estimate | None:
    """Return the mean share of valid actions, 0.0 to 1.0 (AgentBoard).

    None where no environment says which actions are valid.
    """
    shares = [e.grounding for e in episodes if e.grounding is not None]
    return mean_interval(shares) if shares else None
