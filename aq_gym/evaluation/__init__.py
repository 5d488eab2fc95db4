"""Evaluation: suites, runs, their files, metrics and comparisons."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Not imported late: the module of the same name would take its place.
from aq_gym.evaluation.compare import Comparison, compare, compare_benchmarks

if TYPE_CHECKING:
    from aq_gym.evaluation.compaction import compact, uncompact
    from aq_gym.evaluation.episode import EpisodeResult
    from aq_gym.evaluation.execution.executors import EXECUTORS, make_executor
    from aq_gym.evaluation.intervals import Estimate, mean_interval, mean_p_value
    from aq_gym.evaluation.metrics import METRICS, Metric, register_metric, summarize
    from aq_gym.evaluation.results import LoadedRun, load_run
    from aq_gym.evaluation.runner import LimitReachedError, RunStoppedError, run
    from aq_gym.evaluation.scoring import MetricError, score
    from aq_gym.evaluation.store import RunDirectory
    from aq_gym.evaluation.suite import Suite, packaged_suites
    from aq_gym.evaluation.task import Task
    from aq_gym.evaluation.totals import usage_totals

__all__ = [
    "EXECUTORS",
    "METRICS",
    "Comparison",
    "EpisodeResult",
    "Estimate",
    "LimitReachedError",
    "LoadedRun",
    "Metric",
    "MetricError",
    "RunDirectory",
    "RunStoppedError",
    "Suite",
    "Task",
    "compact",
    "compare",
    "compare_benchmarks",
    "load_run",
    "make_executor",
    "mean_interval",
    "mean_p_value",
    "packaged_suites",
    "register_metric",
    "run",
    "score",
    "summarize",
    "uncompact",
    "usage_totals",
]

# Imported on first access: a worker needs few of them, and waits for everything it
# imports.
_MODULES = {
    "EXECUTORS": "aq_gym.evaluation.execution.executors",
    "EpisodeResult": "aq_gym.evaluation.episode",
    "Estimate": "aq_gym.evaluation.intervals",
    "LimitReachedError": "aq_gym.evaluation.runner",
    "LoadedRun": "aq_gym.evaluation.results",
    "METRICS": "aq_gym.evaluation.metrics",
    "Metric": "aq_gym.evaluation.metrics",
    "MetricError": "aq_gym.evaluation.scoring",
    "RunDirectory": "aq_gym.evaluation.store",
    "RunStoppedError": "aq_gym.evaluation.runner",
    "Suite": "aq_gym.evaluation.suite",
    "Task": "aq_gym.evaluation.task",
    "compact": "aq_gym.evaluation.compaction",
    "load_run": "aq_gym.evaluation.results",
    "make_executor": "aq_gym.evaluation.execution.executors",
    "mean_interval": "aq_gym.evaluation.intervals",
    "mean_p_value": "aq_gym.evaluation.intervals",
    "packaged_suites": "aq_gym.evaluation.suite",
    "register_metric": "aq_gym.evaluation.metrics",
    "run": "aq_gym.evaluation.runner",
    "score": "aq_gym.evaluation.scoring",
    "summarize": "aq_gym.evaluation.metrics",
    "uncompact": "aq_gym.evaluation.compaction",
    "usage_totals": "aq_gym.evaluation.totals",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
