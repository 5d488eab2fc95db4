"""How long episodes take."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval


def steps(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean number of steps."""
    return mean_interval([e.steps for e in episodes])


def steps_to_success(episodes: Sequence[Episode]) -> Estimate | None:
    """Return the mean number of steps of the solved episodes, None if none is."""
    solved = [e.steps for e in episodes if e.success]
    return mean_interval(solved) if solved else None
