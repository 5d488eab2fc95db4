"""Count episodes, and sum the usage of agents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aq_gym.evaluation.episode import EpisodeResult

__all__ = ["error_counts", "usage_totals"]


def error_counts(episodes: Sequence[EpisodeResult]) -> dict[str, int]:
    """Return the numbers of all, truncated and failed episodes.

    Args:
        episodes: Finished episodes. One with an error counts as no truncated one.
    """
    return {
        "episodes": len(episodes),
        "truncated": sum(e.ended == "truncated" and not e.error for e in episodes),
        "errors": sum(bool(e.error) for e in episodes),
    }


def usage_totals(episodes: Iterable[EpisodeResult]) -> dict[str, float]:
    """Return the sums of the agents' notes: tokens, cost, seconds of latency.

    Args:
        episodes: Finished episodes. Those with an error count too: they cost as much.
    """
    totals: dict[str, float] = {}
    for episode in episodes:
        for key, value in episode.usage.items():
            totals[key] = totals.get(key, 0) + value
    return totals
