"""How episodes ended."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import Episode


def error_counts(episodes: Sequence[Episode]) -> dict[str, int]:
    """Count episodes: all, truncated, and with an error, which are in no score."""
    return {
        "episodes": len(episodes),
        "truncated": sum(e.ended == "truncated" and not e.error for e in episodes),
        "errors": sum(bool(e.error) for e in episodes),
    }
