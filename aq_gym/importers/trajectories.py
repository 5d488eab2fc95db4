"""The folder of a :class:`~aq_gym.wrappers.TrajectoryLogger`, read as a run."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym import trajectory
from aq_gym.evaluation.episode import EpisodeResult, EpisodeStats
from aq_gym.evaluation.task import Task
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import encode
from aq_gym.trajectory.packed import SUFFIX, names, open_file
from aq_gym.trajectory.reader import START, find
from aq_gym.wrappers.repetition_rate import ActionHistory


def are_trajectories(folder: Path) -> bool:
    """Return whether a folder has trajectories."""
    if not folder.is_dir():
        return False
    for name in names(folder):
        # A file that cannot be read does not hide the others.
        with suppress(OSError, ValueError), open_file(find(folder, name)) as file:
            if file.read(len(START)) == START:
                return True
    return False


class Played(NamedTuple):
    """An episode of a folder.

    Attributes:
        path: Its file.
        header: The file's header; empty if there is none.
        fields: Its results, by the names of an EpisodeResult's attributes.
    """

    path: Path
    header: Mapping[str, Any]
    fields: Mapping[str, Any]


def read_trajectories(folder: str | os.PathLike[str]) -> list[Played]:
    """Return the episodes of a folder, with the repetition rate that they may lack.

    An episode that the agent's program left, by a reset or by closing the environment,
    counts as it stands. One whose file is damaged, has no end, or lacks its first
    steps, does not count, and its error names the file.

    Raises:
        ValueError: If no file can be read, or none has progress.
    """
    found, problems = [], []
    for name in sorted(names(folder)):
        path = find(folder, name)
        try:
            one = trajectory.read(path)
            found.append(Played(path, one.header, _results(_measured(one))))
        except (AttributeError, OverflowError, TypeError, ValueError) as error:
            problem = str(error)
            told = problem if str(path) in problem else f"{path}: {problem}"
            problems.append(told)
            found.append(Played(path, {}, {"error": told}))
    if len(problems) == len(found):
        raise ValueError(next(iter(problems), f"{folder} has no trajectory"))
    return found


def known(played: Sequence[Played]) -> Sequence[Played]:
    """Return the episodes whose files have a header, or all if none has one."""
    return [one for one in played if one.header] or played


def agent_of(played: Played) -> str:
    """Return the agent that an episode's file names, or else the folder's name."""
    name = played.header.get("agent", {}).get("name")
    return str(name or played.path.resolve().parent.name)


def tasks_of(played: Sequence[Played]) -> list[Task]:
    """Return the task of each episode.

    Episodes of one environment and seed are attempts at one task. Those without a seed
    have numbers that are no seeds of others. One without a header is of the others'
    environment, if they have the same.
    """
    tasks = []
    ids = {_env_of(one) for one in known(played)}
    only = next(iter(ids)) if len(ids) == 1 else ""
    seeds = {seed for one in played if type(seed := one.header.get("seed")) is int}
    attempts, numbers = Counter[str](), count(max(seeds, default=-1) + 1)
    for one in played:
        spec, seed = one.header.get("spec") or {}, one.header.get("seed")
        env = _env_of(one) if one.header else only or _env_of(one)
        kwargs = spec.get("kwargs")
        task = Task(
            env,
            seed if type(seed) is int else next(numbers),
            # They can hold anything, such as an array, which a task's name can't.
            encode(kwargs) if isinstance(kwargs, dict) else {},
        )
        attempts[task.name] += 1
        tasks.append(replace(task, attempt=attempts[task.name]))
    return tasks


def _env_of(played: Played) -> str:
    spec = played.header.get("spec") or {}
    return str(spec.get("id") or played.path.resolve().parent.name)


def copied(played: Played, task: Task, folder: Path) -> EpisodeResult:
    """Copy the file of an episode to a run's folder, and return its row."""
    to = folder / f"{task.name}{SUFFIX}"
    with open_file(played.path) as file, to.open("wb") as new:
        shutil.copyfileobj(file, new)
    return EpisodeResult.of_task(task, **played.fields)


def _results(played: Trajectory) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if played.header:
        fields = EpisodeStats.of(played).fields()
        reason = (played.end or {}).get("reason")
        fields["ended"] = "terminated" if reason == "terminated" else "truncated"
    if problem := _problem(played):
        fields["error"] = f"{played.path.name}: {problem}"
    return fields


def _problem(played: Trajectory) -> str:
    """Return why an episode counts in no score, "" if it does."""
    if not played.header:
        return "the file has no beginning, or a damaged one"
    if played.end is None:
        return "the file has no end: its program was killed, or still writes"
    if played.header.get("parent"):
        return "it continues another file, and lacks the steps before"
    if not played.complete or not played.steps:
        return str(played.end.get("error") or "the file has no steps, or lacks some")
    return ""


def _measured(played: Trajectory) -> Trajectory:
    history, best = ActionHistory(), 0.0
    for record in (played.header, *played.steps):
        info = record.get("info", {})
        if record and "progress" not in info:
            raise ValueError(
                "it has no progress: wrap the environment in "
                "aq_gym.wrappers.SubgoalProgress before TrajectoryLogger"
            )
        repeated = False
        if "action" in record:
            action = record["action"]
            text = (
                action if isinstance(action, str) else json.dumps(action, default=str)
            )
            repeated = history.add(text)
        best = max(best, float(info.get("progress", 0.0)))
        known = {
            "best_progress": best,
            "success": best == 1.0,
            "action_repeated": repeated,
            "repetitions": history.repetitions,
            "repetition_rate": history.rate(),
        }
        if record:
            record["info"] = {**known, **info}
    return played
