"""The runs of a report, and their trajectories."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from aq_gym import trajectory
from aq_gym.evaluation import EpisodeResult, LoadedRun, load_run, summary
from aq_gym.evaluation.episode import by_task
from aq_gym.evaluation.metrics import shown_metrics
from aq_gym.evaluation.results import run_names
from aq_gym.support.escaping import visible
from aq_gym.trajectory.reader import find

# What ``ended`` says of an unfinished episode: its run goes on, or has stopped.
UNFINISHED = RUNNING, BROKEN_OFF = "running", "broken off"
# The number of characters of a label that fit in charts and lists.
LONGEST_LABEL = 24
# The module in "module:Agent (x=1)", and the owner in "owner/model"; what is beyond the
# length in "model-7b-instruct-q4"; parameters that are objects, beside others.
_NEEDLESS = (
    re.compile(r"^()(?:[a-z_][\w.]*:(?=[A-Z])|[^\s(]*/(?=\w))"),
    re.compile(
        rf"^(?=[^\s(]{{{LONGEST_LABEL + 1}}})([^\s(]{{1,{LONGEST_LABEL}}})-[^\s(]*"
    ),
    re.compile(r"()(?:\w+=\{[^{}]*\}, |, \w+=\{[^{}]*\})"),
)


@dataclass(frozen=True)
class Run:
    """A run in a report.

    Attributes:
        label: Its name in the report, which no other run has.
        path: Its directory.
        manifest: The suite, the agent and the versions.
        episodes: Its finished episodes, sorted by task.
        damaged: A note on damaged rows, which are left out; "" if there are none.
    """

    label: str
    path: Path
    manifest: Mapping[str, Any]
    episodes: Sequence[EpisodeResult]
    damaged: str = ""

    @cached_property
    def finished(self) -> Mapping[str, Sequence[EpisodeResult]]:
        """The attempts without an error at each task."""
        return by_task(self.episodes)

    @property
    def all_solved(self) -> bool:
        """Whether every episode succeeded, and there is one."""
        return bool(self.episodes) and all(e.success for e in self.episodes)

    @property
    def suite(self) -> tuple[str, str]:
        """The suite's name and hash."""
        suite = self.manifest.get("suite", {})
        return str(suite.get("name", "")), str(suite.get("hash", ""))

    @property
    def model(self) -> str:
        """The agent's model, "" if it has none."""
        return str(self.manifest.get("agent_params", {}).get("model", ""))

    @property
    def begun(self) -> str:
        """The day and time (UTC) when ``run.json`` was written."""
        file = self.path / "run.json"
        moment = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        return moment.strftime("%Y-%m-%d %H:%M UTC")

    @property
    def tasks(self) -> int | None:
        """The number of tasks in the suite, None if the run does not record it."""
        tasks = self.manifest.get("notes", {}).get("tasks")
        return tasks if isinstance(tasks, int) else None


def load_runs(paths: Sequence[str | os.PathLike[str]]) -> list[Run]:
    """Read the runs of a report and label each.

    The labels are those of ``aq_gym.evaluation.results.run_names``.

    Args:
        paths: The directories of the runs, at least one.

    Raises:
        ValueError: If no path is given, or one is given twice.
        FileNotFoundError: If a directory holds no run.
    """
    loaded = [load_run(folder) for folder in distinct(paths)]
    return list(map(run_of, loaded, run_names(loaded)))


def run_of(run: LoadedRun, label: str) -> Run:
    """Return a run as the report has it.

    Args:
        run: The run.
        label: Its name in the report.
    """
    damaged = visible(run.damaged)
    return Run(visible(label), run.path, run.manifest, run.episodes, damaged)


def distinct(paths: Sequence[str | os.PathLike[str]]) -> list[Path]:
    """Return the directories of runs.

    Args:
        paths: At least one.

    Raises:
        ValueError: If no path is given, or one is given twice.
    """
    if not paths:
        raise ValueError("paths=[] must name at least one run")
    folders = [Path(path) for path in paths]
    twice = [p for p, n in Counter(f.resolve() for f in folders).items() if n > 1]
    if twice:
        raise ValueError(f"paths: {twice[0]} is given more than once")
    return folders


def read_trajectory(run: Run, task: str) -> trajectory.Trajectory | None:
    """Read the trajectory of an episode, None if the run has no file for it.

    Args:
        run: The run.
        task: The name of the task.

    Raises:
        ValueError: If the file is damaged.
    """
    try:
        return trajectory.read(find(run.path / "trajectories", task))
    except (FileNotFoundError, IsADirectoryError):
        return None


def metric_names() -> list[str]:
    """Return the metrics that result tables show, in their order."""
    return [metric.name for metric in shown_metrics()]


def benchmark_of(episode: EpisodeResult) -> str:
    """Return the benchmark that an episode belongs to."""
    return _benchmark_of(episode.env)


_benchmark_of = cache(summary.benchmark_of)


def told_apart(labels: Sequence[str]) -> list[str]:
    """Return labels; long ones without what is not needed to tell them apart.

    This is their common beginning and closing brackets, the modules of agents, the
    owners of models, the ends of models' long names, and parameters that are objects.

    Args:
        labels: The labels of the runs.
    """
    alike = takewhile(lambda signs: len(set(signs)) == 1, zip(*labels, strict=False))
    shared = "".join(signs[0] for signs in alike) if len(labels) > 1 else ""
    cut = max(shared.rfind(sign) for sign in "(/:, ") + 1
    if max(map(len, labels)) <= LONGEST_LABEL:
        return list(labels)
    closing = ")" * (shared.count("(") - shared.count(")"))
    told = [label[cut:].removesuffix(closing) for label in labels]
    for needless in _NEEDLESS if labels[1:] else _NEEDLESS[:1]:
        short = [needless.sub(r"\1", one) for one in told]
        if len(set(short)) == len(short):
            told = short
    return told
