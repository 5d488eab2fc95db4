"""Evaluation: suites, runs, their files, metrics and comparisons."""

from aq_gym.evaluation.compaction import compact, uncompact
from aq_gym.evaluation.compare import Comparison, compare, paired_permutation_test
from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.execution.executors import EXECUTORS, make_executor
from aq_gym.evaluation.intervals import Estimate, mean_interval, wilson_interval
from aq_gym.evaluation.metrics import METRICS, Metric, register_metric, summarize
from aq_gym.evaluation.results import LoadedRun, load_run
from aq_gym.evaluation.runner import LimitReachedError, run
from aq_gym.evaluation.store import RunDirectory
from aq_gym.evaluation.suite import Suite, packaged_suites
from aq_gym.evaluation.task import Task
from aq_gym.evaluation.totals import usage_totals

__all__ = [
    "EXECUTORS",
    "METRICS",
    "Comparison",
    "Episode",
    "Estimate",
    "LimitReachedError",
    "LoadedRun",
    "Metric",
    "RunDirectory",
    "Suite",
    "Task",
    "compact",
    "compare",
    "load_run",
    "make_executor",
    "mean_interval",
    "packaged_suites",
    "paired_permutation_test",
    "register_metric",
    "run",
    "summarize",
    "uncompact",
    "usage_totals",
    "wilson_interval",
]
