"""Play a suite and write its results to a directory, or continue a run."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.agents import load, may_change
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.executors import check_executor, dispatch
from aq_gym.evaluation.manifest import fixed_part, run_manifest, run_notes
from aq_gym.evaluation.play import POOL, Job
from aq_gym.evaluation.preflight import (
    check_agent,
    check_limits,
    check_tasks,
    equal_attempts,
)
from aq_gym.evaluation.remote import ClusterLostError
from aq_gym.evaluation.results import LoadedRun, load_run
from aq_gym.evaluation.store import RunDirectory
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.summary import summary_record
from aq_gym.support.json_files import as_read, read_object, write_json
from aq_gym.support.process import allow_open_files
from aq_gym.support.redaction import recordable
from aq_gym.trajectory.packed import pack
from aq_gym.trajectory.reader import find

_FILES, _FILES_PER_WORKER = 256, 8


class RunStoppedError(Exception):
    """Raised when a run stops before its end; the same call continues it.

    Args:
        message: The reason.

    Attributes:
        episodes: The finished episodes, in the order of the suite.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.episodes: list[EpisodeResult] = []


class LimitReachedError(RunStoppedError):
    """Raised when a run has reached one of its limits."""


def run(
    suite: Suite,
    directory: str | os.PathLike[str],
    agent: str = "random",
    agent_params: Mapping[str, Any] | None = None,
    *,
    executor: str = "inline",
    workers: int = 1,
    limits: Mapping[str, float] | None = None,
    retry_errors: bool = False,
    stop_after: int = 1,
    on_episode: Callable[[EpisodeResult], None] | None = None,
    compact: bool = False,
    parent: str | os.PathLike[str] | None = None,
    allow_changes: bool = False,
) -> list[EpisodeResult]:
    """Play a suite with an agent, or continue a run in its directory.

    Episodes that are finished in the directory are not played again. An interrupted one
    is continued from its last step, or played from its start if the environment is not
    deterministic or the agent has no method ``recall``. A
    deterministic agent gives the same episodes with every executor and number of
    workers; only the order of the rows in ``episodes.jsonl`` differs: it is the order
    in which the episodes end.

    Args:
        suite: The suite to play.
        directory: The directory of the run, which is new or has a run to continue.
        agent: The agent's name, as :func:`aq_gym.agents.load` takes it.
        agent_params: The agent's parameters, JSON-safe.
        executor: "inline", "threads" (for agents that wait), "processes" or "ray".
        workers: The number of episodes played at once.
        limits: The maximum sums of what the agent notes, such as {"cost": 5.0};
            "estimated_cost" counts as cost too. They are checked after each episode.
        retry_errors: Whether to play episodes with an error again. The row of the
            earlier attempt stays; it counts only in what the run has used.
        stop_after: The number of episodes in a row after which the run stops because an
            error would end others too: a wrong key, an unknown model, an exhausted
            quota, a host that cannot be reached.
        on_episode: Called with each episode, found or played, as it comes.
        compact: Whether to compress the trajectories when all episodes are finished.
        parent: The directory of a finished run with smaller step caps, whose episodes
            are continued: each is repeated from its trajectory and then played on.
        allow_changes: Whether to continue the run in the directory although the suite,
            the agent, the source of the agent's module, a parameter, or the version of
            aq_gym has changed. The changes are noted in ``run.json``.

    Returns:
        The episodes in the order of the suite.

    Raises:
        LimitReachedError: If a limit is reached; raise the limit to continue. The
            finished episodes are summarized, as they are after Ctrl-C.
        RunStoppedError: If the run stops because of such errors, or ends with episodes
            that were not finished because of them.
        ValueError: If there is no such agent or executor, a limit cannot be reached,
            the directory holds another run, another process writes to it, or the
            parent cannot be continued.
        TypeError: If the agent does not have such a parameter, or a value has the
            wrong type.
    """
    # Made absolute, because an agent may change the working folder.
    directory = os.path.abspath(directory)
    parent = None if parent is None else os.path.abspath(parent)
    params = dict(agent_params or {})
    check_agent(agent, params)
    check_executor(executor, workers)
    # Each worker has a trajectory, a connection and pipes open.
    allow_open_files(_FILES + workers * _FILES_PER_WORKER)
    if stop_after < 1:
        raise ValueError(f"{stop_after=} must be at least 1")
    if suite.attempts > 1 and (problem := equal_attempts(agent, params)):
        warnings.warn(problem, stacklevel=2)
    # These executors play in this process, where the environments are checked.
    here = executor in ("inline", "threads")
    with POOL.kept() if here else nullcontext():
        prompts = check_tasks(suite, agent, params)
        check_limits(limits or {}, agent, params)
        manifest = run_manifest(suite, agent, params)
        notes = run_notes(suite, workers, prompts)
        changeable = may_change(agent)
        files: Mapping[str, Path] = {}
        if parent is not None:
            files, record = parent_of(parent, suite, agent, params, changeable)
            manifest["parent"] = as_read(record)
        store = RunDirectory(
            directory, manifest, notes, suite.hash_of_first, changeable, allow_changes
        )
        with store:
            session = _Session(
                suite, store, limits or {}, on_episode, stop_after, files
            )
            jobs = session.jobs(agent, params, retry_errors)
            episodes = session.play(jobs, executor, workers)
            if compact:
                pack(store.trajectories)
            return episodes


class _Session(NamedTuple):
    """Plays a suite and writes to an open directory."""

    suite: Suite
    store: RunDirectory
    limits: Mapping[str, float]
    on_episode: Callable[[EpisodeResult], None] | None
    stop_after: int
    parents: Mapping[str, Path]

    def jobs(
        self, agent: str, params: Mapping[str, Any], retry_errors: bool
    ) -> list[Job]:
        """Report the finished episodes, and return the jobs of the others."""
        jobs = []
        for task in self.suite.tasks:
            found = self.store.finished(task, retry_errors)
            if found is None:
                recorded = self.parents.get(task.name, "")
                folder = self.store.trajectories
                job = Job(task, agent, params, folder, recorded)
                jobs.append(self._resumed(job))
            elif self.on_episode:
                self.on_episode(found)
        if jobs or self.store.damaged:
            # The summary of an earlier session does not match the rows to come.
            self._summary_file().unlink(missing_ok=True)
        return jobs

    def play(self, jobs: list[Job], executor: str, workers: int) -> list[EpisodeResult]:
        """Play jobs, and summarize the run even if it is interrupted."""
        try:
            self._play(jobs, executor, workers)
        except ClusterLostError as error:
            stopped = RunStoppedError(str(error))
            stopped.episodes = self._summarize()
            raise stopped from error
        except RunStoppedError as error:
            error.episodes = self._summarize()
            raise
        except KeyboardInterrupt:
            self._summarize()
            raise
        missing = [task.name for task in self.suite.tasks if not self.store.known(task)]
        if missing:
            raise RuntimeError(f"{len(missing)} episodes have no row: {missing[:3]}")
        if not jobs and self._is_summarized():
            return self._episodes()
        return self._summarize()

    def _is_summarized(self) -> bool:
        """Return whether there is an undamaged summary, which may have scores."""
        try:
            known = read_object(self._summary_file())
        except (OSError, ValueError):
            return False
        now = summary_record(self.suite, (), self.store.superseded)
        return bool(known.get("superseded") == as_read(now["superseded"]))

    def _play(self, jobs: list[Job], executor: str, workers: int) -> None:
        if jobs:
            self._check_limits()
        ended = dispatch(jobs, executor, workers, self._again)
        # Closed before the lock is released, because workers write to the directory.
        in_a_row, error = 0, ""
        with closing(ended):
            for count, episode in enumerate(ended, 1):
                self.store.add(episode)
                if episode.unfinished:
                    in_a_row, error = in_a_row + 1, episode.error
                    if in_a_row >= self.stop_after:
                        raise RunStoppedError(error)
                    continue
                in_a_row = 0
                if self.on_episode:
                    self.on_episode(episode)
                if count < len(jobs):
                    self._check_limits()
        if error:
            raise RunStoppedError(error)

    def _again(self, job: Job) -> Job:
        """Return the job for another attempt at an episode whose worker died."""
        self.store.set_aside(job.task)
        return self._resumed(job)

    def _resumed(self, job: Job) -> Job:
        """Return a job that continues the task's interrupted attempt, if it has one.

        Only an agent that can restore its conversation continues; another one repeats
        its actions from the start at the same cost.
        """
        spec = gym.registry.get(job.task.id.rpartition(":")[2])
        chance = spec is not None and spec.nondeterministic
        if job.parent or chance or not hasattr(load(job.agent), "recall"):
            return job
        found = self.store.interrupted_attempt(job.task)
        return job._replace(parent=found, resumed=True) if found else job

    def _summarize(self) -> list[EpisodeResult]:
        episodes = self._episodes()
        summary = summary_record(self.suite, episodes, self.store.superseded)
        write_json(self._summary_file(), summary)
        return episodes

    def _episodes(self) -> list[EpisodeResult]:
        known = [self.store.known(task) for task in self.suite.tasks]
        return [episode for episode in known if episode is not None]

    def _summary_file(self) -> Path:
        return self.store.path / "summary.json"

    def _check_limits(self) -> None:
        for key, limit in self.limits.items():
            # Estimated usage counts too, because an endpoint may not report its usage.
            estimated = self.store.used.get(f"estimated_{key}", 0.0)
            used = self.store.used.get(key, 0.0) + estimated
            if used >= limit:
                part = f" ({estimated:g} of them estimated)" if estimated else ""
                raise LimitReachedError(
                    f"{key} {used:g}{part} has reached the limit {limit:g}"
                )


_CAP = "max_episode_steps="


class Parent(NamedTuple):
    """The run that another run continues.

    Attributes:
        files: Its trajectories, by the names of the new run's tasks.
        record: Its name, agent and suite, and the digest of its rows, for ``run.json``.
    """

    files: Mapping[str, Path]
    record: Mapping[str, Any]


def continued_suite(suite: Suite, max_steps: int) -> Suite:
    """Return a suite whose tasks have a larger step cap.

    Args:
        suite: The suite of the parent.
        max_steps: The new cap; tasks with a larger one keep theirs.
    """
    tasks = tuple(
        task if task.cap >= max_steps else replace(task, max_steps=max_steps)
        for task in suite.tasks
    )
    return replace(suite, name=f"{suite.name} (continued to {max_steps})", tasks=tasks)


def parent_of(
    directory: str | os.PathLike[str],
    suite: Suite,
    agent: str,
    params: Mapping[str, Any],
    may_change: Collection[str],
) -> Parent:
    """Return the parent of a run, after checking that it can be continued.

    Raises:
        FileNotFoundError: If the directory holds no run, or a trajectory is missing.
        ValueError: If the parent has another agent, lacks an episode without an error,
            or an environment is declared nondeterministic.
    """
    run = load_run(directory)
    _check_agent(run, agent, params, may_change)
    rows = {
        (uncapped(row.setting), row.seed, row.attempt): row
        for row in run.episodes
        if not row.error
    }
    files = {}
    for task in suite.tasks:
        spec = gym.registry.get(task.id.rpartition(":")[2])
        if spec is not None and spec.nondeterministic:
            raise ValueError(
                f"{task.id} is declared nondeterministic: its episodes cannot be "
                "continued"
            )
        row = rows.get((uncapped(task.setting), task.seed, task.attempt))
        if row is None:
            raise ValueError(
                f"{run.path} has no error-free episode of {task.setting} with seed "
                f"{task.seed}: finish the run first, and give its suite"
            )
        files[task.name] = find(run.path / "trajectories", row.task)
    digest = hashlib.sha256((run.path / "episodes.jsonl").read_bytes()).hexdigest()
    known = {key: run.manifest[key] for key in ("suite", "agent", "agent_params")}
    return Parent(files, {"name": run.path.resolve().name, **known, "sha256": digest})


def _check_agent(
    run: LoadedRun, agent: str, params: Mapping[str, Any], may_change: Collection[str]
) -> None:
    now = {"agent": agent, "agent_params": recordable(as_read(dict(params)))}
    before = {key: run.manifest.get(key) for key in now}
    if fixed_part(before, may_change) != fixed_part(now, may_change):
        raise ValueError(
            f"{run.path} was played by agent={before['agent']!r} with "
            f"{before['agent_params']!r:.500}: only that agent can continue the run"
        )


def uncapped(setting: str) -> str:
    """Return a setting without its step cap.

    Args:
        setting: An environment's id and arguments.
    """
    env_id, _, query = setting.partition("?")
    kept = [one for one in query.split("&") if not one.startswith(_CAP)]
    return "?".join((env_id, "&".join(kept)))
