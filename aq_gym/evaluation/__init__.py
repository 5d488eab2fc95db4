"""Evaluation: suites, runs, their files, metrics and comparisons."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Imported now, because the module of the same name would otherwise replace the
# function.
from aq_gym.evaluation.compare import (
    Comparison,
    compare,
    compare_benchmarks,
    fewest_tasks,
)

if TYPE_CHECKING:
    from aq_gym.evaluation.episode import EpisodeResult
    from aq_gym.evaluation.executors import EXECUTORS, make_executor
    from aq_gym.evaluation.intervals import Estimate, mean_interval, mean_p_value
    from aq_gym.evaluation.metrics import METRICS, Metric, register_metric, summarize
    from aq_gym.evaluation.results import LoadedRun, load_run
    from aq_gym.evaluation.runner import LimitReachedError, RunStoppedError, run
    from aq_gym.evaluation.scoring import MetricError, score
    from aq_gym.evaluation.store import RunDirectory, compact
    from aq_gym.evaluation.suite import Suite, packaged_suites
    from aq_gym.evaluation.summary import usage_totals
    from aq_gym.evaluation.task import Task
    from aq_gym.evaluation.verification import Verification, verify

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
    "Verification",
    "compact",
    "compare",
    "compare_benchmarks",
    "fewest_tasks",
    "load_run",
    "make_executor",
    "mean_interval",
    "mean_p_value",
    "packaged_suites",
    "register_metric",
    "run",
    "score",
    "summarize",
    "usage_totals",
    "verify",
]

# Imported on first access, because a worker needs only few of them.
_MODULES = {
    "episode": ("EpisodeResult",),
    "executors": ("EXECUTORS", "make_executor"),
    "intervals": ("Estimate", "mean_interval", "mean_p_value"),
    "metrics": ("METRICS", "Metric", "register_metric", "summarize"),
    "results": ("LoadedRun", "load_run"),
    "runner": ("LimitReachedError", "RunStoppedError", "run"),
    "scoring": ("MetricError", "score"),
    "store": ("RunDirectory", "compact"),
    "suite": ("Suite", "packaged_suites"),
    "summary": ("usage_totals",),
    "task": ("Task",),
    "verification": ("Verification", "verify"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
