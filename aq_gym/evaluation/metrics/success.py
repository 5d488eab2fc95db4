"""Success rate."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, wilson_interval


def success_rate(episodes: Sequence[Episode]) -> Estimate:
    """Return the share of solved episodes, 0.0 to 1.0, with Wilson's interval."""
    return wilson_interval(sum(e.success for e in episodes), len(episodes))
