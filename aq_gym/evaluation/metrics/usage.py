"""What the agent used up."""

from __future__ import annotations

from collections.abc import Iterable

from aq_gym.evaluation.episode import Episode


def usage_totals(episodes: Iterable[Episode]) -> dict[str, float]:
    """Return the sums of what agents noted: tokens, cost, seconds of latency.

    Episodes with an error count too: they have been paid for.
    """
    totals: dict[str, float] = {}
    for episode in episodes:
        for key, value in episode.usage.items():
            totals[key] = totals.get(key, 0) + value
    return totals
