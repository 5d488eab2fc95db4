"""Read logs of other frameworks, and write them as a run."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium as gym

from aq_gym._version import __version__
from aq_gym.core.spaces import FreeText
from aq_gym.evaluation.episode import EpisodeRecorder, EpisodeResult
from aq_gym.evaluation.play import play_in
from aq_gym.evaluation.store import RunDirectory
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.summary import summary_record
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.importers.atif import is_atif, read_atif
from aq_gym.importers.episode import LoggedEpisode, LoggedStep, steps_of
from aq_gym.importers.inspect_ai import is_inspect, read_eval, read_inspect
from aq_gym.importers.tau2 import is_tau2, read_tau2
from aq_gym.importers.trajectories import (
    agent_of,
    are_trajectories,
    copied,
    known,
    read_trajectories,
    tasks_of,
)
from aq_gym.support.json_files import read_json, read_text, write_json
from aq_gym.wrappers import SubgoalProgress

_Reader = Callable[[dict[str, Any], Path], Iterator[LoggedEpisode]]


_JSON: Mapping[Callable[[dict[str, Any]], bool], _Reader] = {
    is_atif: read_atif,
    is_tau2: read_tau2,
}


# Formats of earlier frameworks: the name, some keys of the object (or of the first
# object in a list), and what can be imported instead.
_OLD = (
    ("tau-bench", {"task_id", "reward", "traj"}, "import the results of tau2-bench"),
    ("Terminal-Bench", {"results", "n_resolved"}, "import a job of Harbor"),
)


_UNSCORED = "the log does not say whether it was solved"
# Rewards can be products or means of shares.
_ROUNDING = 1e-6


_IN_A_JOB = "*/agent/trajectory.json"


_IN_TAU2 = "results.json"


_IN_INSPECT = "*.eval"


def is_log(path: str | os.PathLike[str]) -> bool:
    """Return whether a path may be a log: a file, or a folder of logs."""
    path = Path(path)
    return path.is_file() or any(_files(path)) or are_trajectories(path)


class LogRuns:
    """Runs of logs, in a temporary folder until :meth:`close`."""

    def __init__(self) -> None:
        self._scratch = TemporaryDirectory()
        self._lock = threading.Lock()
        self._written: dict[Path, tuple[Path, object]] = {}

    def __enter__(self) -> LogRuns:
        """Return the object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the runs."""
        self.close()

    def close(self) -> None:
        """Remove the runs."""
        self._scratch.cleanup()

    def run_of(self, path: str | os.PathLike[str]) -> Path:
        """Return the folder of a run; a log is read, again if it has changed.

        Args:
            path: A log, or any other path, which is returned.

        Raises:
            OSError: If the log cannot be read.
            ValueError: If it cannot be read as a run.
        """
        log = Path(path)
        if (log / "run.json").exists() or not is_log(log):
            return log
        with self._lock:
            new = Path(self._scratch.name, str(len(self._written)), log.resolve().stem)
            folder, before = self._written.get(log, (new, None))
            states = [file.stat() for file in log_files(log)]
            stamp = [(one.st_ino, one.st_size, one.st_mtime_ns) for one in states]
            if before != stamp:
                # Until the new run is whole, others may read the old one.
                with TemporaryDirectory(dir=self._scratch.name) as part:
                    import_logs([log], Path(part, "new"))
                    folder.parent.mkdir(exist_ok=True)
                    if folder.exists():
                        folder.rename(Path(part, "old"))
                    Path(part, "new").rename(folder)
                self._written[log] = folder, stamp
            return folder


def log_files(log: Path) -> list[Path]:
    """Return the files of a log."""
    return [log] if log.is_file() else _files(log) or sorted(log.glob("*.jsonl*"))


def _files(folder: Path) -> list[Path]:
    """Return the logs in a folder: of Harbor's trials, tau2's results, or Inspect's."""
    patterns = (_IN_A_JOB, _IN_TAU2, _IN_INSPECT)
    return sorted(file for pattern in patterns for file in folder.glob(pattern))


def read_log(path: str | os.PathLike[str], score: str = "") -> Iterator[LoggedEpisode]:
    """Yield the episodes of a log: ATIF, Inspect's ``.eval`` or ``.json``, or tau2's.

    Args:
        path: The file; the folder of a job of Harbor, which has a folder for each
            trial; a folder of tau2's with ``results.json``; or one of Inspect's with
            ``.eval`` files.
        score: The name of the score that judges Inspect's samples, if they have
            several.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it has no known format, or a part of it is damaged.
    """
    path = Path(path)
    if path.is_dir():
        files = _files(path)
        if not files:
            raise ValueError(
                f"{path} has neither {_IN_A_JOB}, which a job of Harbor has, nor "
                f"{_IN_TAU2}, which tau2's folders have, nor Inspect's {_IN_INSPECT}"
            )
        for file in files:
            yield from read_log(file, score)
        return
    if path.suffix == ".eval":
        yield from read_eval(path, score)
        return
    try:
        log = read_json(read_text(path))
    except ValueError as error:
        raise ValueError(f"{path} can't be read: {error}") from error
    inspect: _Reader = partial(read_inspect, score=score)
    for fits, read in {**_JSON, is_inspect: inspect}.items():
        if isinstance(log, dict) and fits(log):
            yield from read(log, path)
            return
    for name, keys, newer in _OLD:
        first = next(iter(log), None) if isinstance(log, list) else log
        if isinstance(first, dict) and keys <= first.keys():
            raise ValueError(f"{path} has the old format of {name}: {newer}")
    raise ValueError(
        f"{path} has no known format: ATIF has schema_version, Inspect's logs have "
        "eval, samples and status, and tau2's results simulations"
    )


__all__ = ["import_logs"]


def import_logs(
    logs: Sequence[str | os.PathLike[str]],
    directory: str | os.PathLike[str],
    subgoals: Mapping[str, str] | None = None,
    scale: float | None = None,
    score: str = "",
) -> list[EpisodeResult]:
    """Write the episodes of logs as a run with the metrics that can be read from them.

    An action is a message's tool calls, or else its text. The repetition rate is
    measured on the actions. Grounding accuracy is the share of actions without a failed
    call, where the log marks failures (Inspect, tau2). Progress is the share of
    ``subgoals``; without them it is 0.0 until the end, and then 1.0 for a success.

    A success is an episode with the best possible score. If the log has no score of an
    episode, a success has reached all subgoals; without subgoals the episode is not
    scored.

    A folder of :class:`~aq_gym.wrappers.TrajectoryLogger` has its own measures; the
    repetition rate, where it lacks it, is computed from the actions.

    Args:
        logs: Files or folders of one agent, as for :func:`read_log`, or the folder of
            a TrajectoryLogger.
        directory: The directory of the run. It must not contain another run; logs that
            it already contains are not written again.
        subgoals: Regular expressions by name, searched in the observations: see
            :class:`~aq_gym.wrappers.SubgoalProgress`.
        scale: The best possible score. It must be given if scores are outside 0 to 1;
            otherwise it is 1.
        score: As for :func:`read_log`.

    Returns:
        The episodes, in the order of the logs.

    Raises:
        OSError: If a log cannot be read.
        ValueError: If a log is damaged or has no known format, the logs are of several
            agents or hold no episode, their scores are not on the scale, or there are
            no subgoals and no episode says whether it was solved.
    """
    if len(logs) == 1 and are_trajectories(Path(logs[0])):
        if subgoals or scale is not None or score:
            raise ValueError(
                f"subgoals, scale and score are for logs without progress; {logs[0]} "
                "has its own"
            )
        return _import_trajectories(Path(logs[0]), directory)
    found = [episode for path in logs for episode in read_log(path, score)]
    agent = _only_agent({one.agent for one in found})
    found = list(_judged(found, bool(subgoals), scale))
    errors = {one.error for one in found}
    if _UNSCORED in errors and "" not in errors:
        raise ValueError(
            f"{found[0].env}: {_UNSCORED}: give aq-gym import --subgoals FILE"
            + f", or another --score than {score!r}" * bool(score)
        )
    seeds = Counter[str]()
    tasks = []
    for one in found:
        tasks.append(Task(one.env, seeds[one.env]))
        seeds[one.env] += 1
    digest = sha256(repr((found, subgoals)).encode()).hexdigest()

    def row_of(store: RunDirectory, number: int) -> EpisodeResult:
        return _played(store, tasks[number], found[number], subgoals)

    return _written(directory, logs, agent, digest, tasks, row_of)


def _import_trajectories(
    folder: Path, directory: str | os.PathLike[str]
) -> list[EpisodeResult]:
    played = read_trajectories(folder)
    agent = _only_agent({agent_of(one) for one in known(played)})
    tasks = tasks_of(played)
    digest = sha256(repr([one.header for one in played]).encode()).hexdigest()

    def row_of(store: RunDirectory, number: int) -> EpisodeResult:
        return copied(played[number], tasks[number], store.trajectories)

    return _written(directory, [folder], agent, digest, tasks, row_of)


def _only_agent(agents: Collection[str]) -> str:
    if len(agents) != 1:
        named = ", ".join(sorted(agents)) or "none"
        raise ValueError(f"a run has one agent, but these logs are of {named}")
    return next(iter(agents))


def _written(
    directory: str | os.PathLike[str],
    logs: Sequence[str | os.PathLike[str]],
    agent: str,
    digest: str,
    tasks: Sequence[Task],
    row_of: Callable[[RunDirectory, int], EpisodeResult],
) -> list[EpisodeResult]:
    """Write a run with the row of each task that it does not contain already."""
    suite = Suite(", ".join(Path(path).name for path in logs), tuple(tasks))
    manifest = {
        "suite": {"name": suite.name, "hash": suite.hash},
        "agent": agent,
        "agent_params": {},
        "versions": {"aq-gym": __version__},
        "imported": {"logs": [Path(p).name for p in logs], "sha256": digest},
    }
    with RunDirectory(directory, manifest, {"tasks": len(tasks)}) as store:
        rows = [
            store.finished(task) or store.add(row_of(store, number))
            for number, task in enumerate(tasks)
        ]
        summary = summary_record(suite, rows, store.superseded)
        write_json(store.path / "summary.json", summary)
    return rows


def _judged(
    found: Sequence[LoggedEpisode], has_subgoals: bool, scale: float | None
) -> Iterator[LoggedEpisode]:
    """Yield the episodes; if the scale is known, scores become successes or errors."""
    if scale is not None and not 0 < scale < inf:
        raise ValueError(f"scale={scale} must be above 0 and finite")
    scores = [one.score for one in found if one.score is not None]
    least, most = min(scores, default=0), max(scores, default=0)
    known = scale is not None or 0 <= least <= most <= 1
    if most > (scale or inf):
        raise ValueError(f"scale={scale} is below the score {most:g}")
    if not known and not has_subgoals:
        raise ValueError(
            f"the scores, from {least:g} to {most:g}, need a scale: give aq-gym import "
            "the best possible score as --scale NUMBER, or --subgoals FILE"
        )
    for one in found:
        if one.score is not None and known:
            one = one._replace(success=one.score >= (scale or 1) - _ROUNDING)
        if one.success is None and not has_subgoals and not one.error:
            one = one._replace(error=_UNSCORED)
        yield one


def _played(
    store: RunDirectory,
    task: Task,
    logged: LoggedEpisode,
    subgoals: Mapping[str, str] | None,
) -> EpisodeResult:
    if logged.error:
        return EpisodeResult.of_task(task, task_id=logged.task_id, error=logged.error)
    env: gym.Env[Any, Any] = LoggedEnv(logged)
    if not env.unwrapped.steps:  # type: ignore[attr-defined]
        error = "the log has no action"
        return EpisodeResult.of_task(task, task_id=logged.task_id, error=error)
    if subgoals:
        # If the log does not state whether the task was solved, all subgoals must be
        # reached.
        keys = {} if logged.success is None else {"success": "all_subgoals"}
        env = SubgoalProgress(env, subgoals, keys=keys)
    wrapped = wrap_env(env, store.trajectories, agent=logged.agent, extract=False)
    with EpisodeRecorder(wrapped) as recorder:
        recorder.name_next(task.name)
        play_in(recorder, _Recorded, task.seed)
    return EpisodeResult.of_task(task, **recorder.fields())


class LoggedEnv(gym.Env[str, str]):
    """Gives the observations of a logged episode, whatever the action."""

    observation_space = FreeText()
    action_space = FreeText()

    def __init__(self, logged: LoggedEpisode) -> None:
        self._logged = logged
        self._first, self.steps = steps_of(logged.messages)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin the episode."""
        super().reset(seed=seed)
        self._next = 0
        return self._first, self._info(None)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Return the next observation of the log."""
        step = self.steps[self._next]
        self._next += 1
        over = self._next == len(self.steps)
        reward = float(over and bool(self._logged.success))
        return step.observation, reward, over, False, self._info(step)

    def _info(self, step: LoggedStep | None) -> dict[str, Any]:
        over = self._next == len(self.steps)
        solved = over and bool(self._logged.success)
        info: dict[str, Any] = {
            "task_id": self._logged.task_id,
            "progress": float(solved),
            "best_progress": float(solved),
            "success": solved,
        }
        if step is not None and step.valid is not None:
            info["action_valid"] = step.valid
        return info


class _Recorded:
    """Plays the actions of a logged episode, with the agent's notes."""

    privileged = True

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._steps: list[LoggedStep] = env.unwrapped.steps  # type: ignore[attr-defined]
        self._annotate = env.get_wrapper_attr("annotate")

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        self._rest = iter(self._steps)

    def act(self, observation: str, info: dict[str, Any]) -> str:
        step = next(self._rest)
        if step.notes:
            self._annotate(**step.notes)
        return step.action
