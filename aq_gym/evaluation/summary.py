"""What a run comes to, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.metrics import (
    curves,
    error_counts,
    subskills,
    summarize,
    usage_totals,
)
from aq_gym.evaluation.suite import Suite

__all__ = ["summary_record"]


def summary_record(
    suite: Suite, episodes: Sequence[Episode], superseded: Sequence[Episode] = ()
) -> dict[str, Any]:
    """Return every metric, overall, per setting and per difficulty, as a JSON object.

    Args:
        suite: What was played.
        episodes: Its episodes, in its order.
        superseded: Errors that were tried again: they are in no metric, but were paid.
    """
    return {
        "suite": {"name": suite.name, "hash": suite.hash},
        "overall": _part(episodes),
        "settings": {
            setting: _part([e for e in episodes if e.setting == setting])
            for setting in dict.fromkeys(e.setting for e in episodes)
        },
        "difficulties": {
            grade: _part([e for e in episodes if e.difficulty == grade])
            for grade in sorted({e.difficulty for e in episodes} - {""})
        },
        "subskills": subskills(episodes),
        "superseded": {
            "episodes": len(superseded),
            "usage": usage_totals(superseded),
        },
    }


def _part(episodes: Sequence[Episode]) -> dict[str, Any]:
    return {
        "counts": error_counts(episodes),
        "metrics": {
            name: {"value": e.value, "low": e.low, "high": e.high}
            for name, e in summarize(episodes).items()
        },
        "curves": curves(episodes),
        "usage": usage_totals(episodes),
    }
