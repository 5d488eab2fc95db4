"""Evaluation: tasks, rollouts, what is on disk, and what it says."""

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval, wilson_interval
from aq_gym.evaluation.metrics import METRICS, summarize
from aq_gym.evaluation.rollout import play_episode
from aq_gym.evaluation.run import run
from aq_gym.evaluation.store import RunDirectory
from aq_gym.evaluation.task import Task

__all__ = [
    "METRICS",
    "Episode",
    "Estimate",
    "RunDirectory",
    "Task",
    "mean_interval",
    "play_episode",
    "run",
    "summarize",
    "wilson_interval",
]
