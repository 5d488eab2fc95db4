"""The summary of a run: the contents of ``summary.json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aq_gym.evaluation.curves import Curves
from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.groups import by_benchmark, by_difficulty, by_setting
from aq_gym.evaluation.metrics import summarize
from aq_gym.evaluation.subskills import subskills
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.totals import error_counts, usage_totals
from aq_gym.evaluation.warnings import run_warnings

__all__ = ["summary_record"]


def summary_record(
    suite: Suite, episodes: Sequence[Episode], superseded: Sequence[Episode] = ()
) -> dict[str, Any]:
    """Return the metrics of all episodes and of each group of them, as a JSON object.

    The groups are the benchmarks, the settings and the difficulties.

    Args:
        suite: The suite that was played.
        episodes: Its finished episodes, in its order.
        superseded: Episodes with an error that were played again. They count in no
            metric, only in the usage.
    """
    warnings = run_warnings(usage_totals(episodes))
    parts = _Parts()
    return {
        **({"warnings": warnings} if warnings else {}),
        "suite": {"name": suite.name, "hash": suite.hash},
        "tasks": {"all": len(suite.tasks), "finished": len(episodes)},
        "overall": parts.of(episodes),
        "benchmarks": {
            name: {**parts.of(own), "difficulties": _difficulties(own, parts)}
            for name, own in by_benchmark(episodes).items()
        },
        "settings": {
            setting: parts.of(own) for setting, own in by_setting(episodes).items()
        },
        "difficulties": _difficulties(episodes, parts),
        "subskills": subskills(episodes),
        "superseded": {
            "episodes": len(superseded),
            "usage": usage_totals(superseded),
        },
    }


class _Parts:
    """The parts of a summary; equal groups, of a suite of one setting, share one."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, ...], dict[str, Any]] = {}
        self._curves = Curves()

    def of(self, episodes: Sequence[Episode]) -> dict[str, Any]:
        """Return the part of a group of episodes."""
        key = tuple(map(id, episodes))
        if key not in self._made:
            self._made[key] = self._part(episodes)
        return self._made[key]

    def _part(self, episodes: Sequence[Episode]) -> dict[str, Any]:
        return {
            "counts": error_counts(episodes),
            "metrics": {
                name: {"value": e.value, "low": e.low, "high": e.high}
                for name, e in summarize(episodes).items()
            },
            "curves": self._curves.of(episodes),
            "usage": usage_totals(episodes),
        }


def _difficulties(episodes: Sequence[Episode], parts: _Parts) -> dict[str, Any]:
    return {grade: parts.of(own) for grade, own in by_difficulty(episodes).items()}
