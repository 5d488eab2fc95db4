"""Verify a run: replay its episodes, and compute its rows and its summary again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym import trajectory
from aq_gym.core.text import plural
from aq_gym.evaluation.episode import EpisodeResult, finished_episode
from aq_gym.evaluation.executors import make_executor
from aq_gym.evaluation.metrics import METRICS
from aq_gym.evaluation.play import POOL, close
from aq_gym.evaluation.results import load_run, newest_of, read_episodes
from aq_gym.evaluation.steps_to_go import Counts
from aq_gym.evaluation.suite import COMMAND_LINE, Suite
from aq_gym.evaluation.summary import summary_record
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.support.json_files import as_read
from aq_gym.support.redaction import masked
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import Opaque, identical, shown
from aq_gym.trajectory.reader import find, missing_part
from aq_gym.trajectory.replay import ABSENT, is_deterministic, visit

_BATCH = 16
_VERIFIED, _CLAIMED = "verified", "claimed"
_TRAJECTORIES, _ROWS = "trajectories", "rows"
# Libraries and versions of Python differ in the last digits of means and limits.
_TOLERANCE = 1e-9
_SHOWN = 300
_MOST = 10


class Finding(NamedTuple):
    """The differences of one kind.

    Attributes:
        kind: "suite", "tasks", "trajectories", "rows" or "summary".
        number: How many there are.
        first: The first of them.
    """

    kind: str
    number: int
    first: str


@dataclass(frozen=True)
class Verification:
    """The result of verifying a run.

    Attributes:
        path: The run's directory.
        tasks: The number of the suite's tasks.
        verified: The number of episodes whose replay gives the recorded trajectory, and
            whose trajectory gives the row.
        differences: The first difference of each kind.
        claimed: What no replay can prove: episodes with an error or of environments
            that are not deterministic, the agent and its notes, steps to go that
            another version of the expert counted.
    """

    path: Path
    tasks: int
    verified: int
    differences: tuple[Finding, ...]
    claimed: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether every episode of the suite is verified, and the summary."""
        return not self.differences and self.verified == self.tasks

    def __str__(self) -> str:
        """Return the result in a few words."""
        return f"{self.verified} of {plural(self.tasks, 'episode')} verified"

    def lines(self) -> list[str]:
        """Return a line for each kind of difference, and one of what is claimed."""
        lines = [f"{kind}: {n} differ: {text}" for kind, n, text in self.differences]
        claimed = "; ".join(self.claimed[:_MOST])
        more = len(self.claimed) - _MOST
        lines.append(
            f"claimed, not proved: {claimed}{f'; and {more} more' * (more > 0)}"
        )
        # Names in files may contain newlines.
        return [" ".join(line.split()) for line in lines]


def verify(run: str | os.PathLike[str], suite: Suite, workers: int = 1) -> Verification:
    """Replay the episodes of a run, and compute its rows and its summary again.

    The environments are made from the suite. What the replay does not give again is
    listed as different or as claimed. Steps to go that ``aq-gym score`` has counted are
    counted again, if the expert's version is the same. Nothing is written.

    Args:
        run: The run's directory.
        suite: The suite that was played.
        workers: The number of processes.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If ``run.json`` or ``summary.json`` is damaged, or ``workers`` is
            below 1.
    """
    loaded = load_run(run)
    rows, superseded = newest_of(read_episodes(loaded.path)[0])
    jobs = [(task, rows[task.name]) for task in suite.tasks if task.name in rows]
    episodes = [row for _, row in jobs]
    ended = list(_outcomes(loaded.path / "trajectories", jobs, workers))
    found = {
        "suite": list(_unlike_suite(loaded.manifest, suite)),
        "tasks": list(_unlike_tasks(rows, suite)),
        _TRAJECTORIES: _texts(ended, _TRAJECTORIES),
        _ROWS: _texts(ended, _ROWS) + ([loaded.damaged] if loaded.damaged else []),
        "summary": ["summary.json is missing"],
    }
    if loaded.summary:
        summary = masked(as_read(summary_record(suite, episodes, superseded)))
        found["summary"] = list(_unlike(summary, loaded.summary, "summary.json"))
    differences = (Finding(k, len(own), own[0]) for k, own in found.items() if own)
    claims = _claims(loaded.manifest, [*episodes, *superseded])
    unproved = _by_reason(_texts(ended, _CLAIMED))
    counts = dict.fromkeys(one.counts for one in ended if one.counts)
    return Verification(
        loaded.path,
        len(suite.tasks),
        len(_texts(ended, _VERIFIED)),
        tuple(differences),
        (*claims, *counts, *unproved),
    )


class _Outcome(NamedTuple):
    """The check of an episode.

    Attributes:
        kind: "verified", "claimed", or what differs.
        text: Why.
        counts: Which steps to go are claimed.
    """

    kind: str
    text: str = ""
    counts: str = ""


_Job = tuple[Task, EpisodeResult]


def _texts(outcomes: Sequence[_Outcome], kind: str) -> list[str]:
    return [one.text for one in outcomes if one.kind == kind]


def _by_reason(texts: Sequence[str]) -> list[str]:
    """Return each reason once, with the number of its episodes and the first."""
    names: dict[str, list[str]] = {}
    for text in texts:
        name, _, why = text.partition(": ")
        names.setdefault(why, []).append(name)
    return [
        f"{plural(len(own), 'episode')}, such as {own[0]}: {why}"
        for why, own in names.items()
    ]


def _outcomes(folder: Path, jobs: Sequence[_Job], workers: int) -> Iterator[_Outcome]:
    batches = [jobs[first : first + _BATCH] for first in range(0, len(jobs), _BATCH)]
    executor = make_executor("inline" if workers == 1 else "processes", workers)
    with executor as pool, POOL.kept():
        checked = pool.map(partial(_check_batch, folder), batches)
        yield from chain.from_iterable(checked)


def _check_batch(folder: Path, jobs: Sequence[_Job]) -> list[_Outcome]:
    ended = []
    for task, row in jobs:
        outcome = _check(folder, task, row)
        ended.append(outcome._replace(text=f"{task.name}: {outcome.text}"))
    return ended


def _check(folder: Path, task: Task, row: EpisodeResult) -> _Outcome:
    failed = _Outcome(_CLAIMED, f"ended with an error: {row.error:.{_SHOWN}}")
    try:
        recorded = trajectory.read(find(folder, task.name))
    except (OSError, ValueError) as error:
        return failed if row.error else _Outcome(_TRAJECTORIES, str(error))
    if not recorded.complete:
        unfinished = _Outcome(_TRAJECTORIES, missing_part(recorded.path))
        return failed if row.error else unfinished
    # The replay imports the module of the task's id, which has its step cap.
    counts = Counts()
    outcome = _replayed(task, recorded, counts if row.steps_to_go else None)
    played = finished_episode(task, recorded)
    if outcome.kind == _TRAJECTORIES:
        return outcome
    if played is None:
        return _Outcome(_TRAJECTORIES, "it is not of an evaluation")
    if played.error and not played.steps and played.error == row.error:
        # An error in the progress, which leaves no other values.
        return outcome
    counted = counts.fields()
    if row.steps_to_go and counted["expert"] != row.expert:
        # There was no replay, or another version of the expert, which may need another
        # number of steps.
        counted = {name: getattr(row, name) for name in counted}
        told = f"the steps to go that {row.expert:.{_SHOWN}} counted"
        outcome = outcome._replace(counts=told)
    different = _difference(replace(played, **counted), row)
    return _Outcome(_ROWS, different) if different else outcome


def _replayed(task: Task, recorded: Trajectory, counts: Counts | None) -> _Outcome:
    """Replay an episode in an environment of the suite's task, and count its steps."""
    env = None
    try:
        env = POOL.lend(task)
        if not is_deterministic(env):
            text = "its environment is declared nondeterministic"
            outcome = _Outcome(_CLAIMED, text)
        else:
            problem = _unlike_request(task, recorded)
            look = counts.add if counts else lambda env, last: None
            problem = problem or str(
                visit(recorded, look, wrap_env(env)).difference or ""
            )
            problem = problem or _unlike_end(recorded)
            kind = _TRAJECTORIES if problem else _VERIFIED
            outcome = _Outcome(kind, problem[:_SHOWN])
    except Exception as error:  # noqa: BLE001 (an environment raises anything)
        if env is None:
            return _Outcome(_CLAIMED, f"no environment can be made here: {error}")
        close(env)
        return _Outcome(_TRAJECTORIES, f"{error!s:.{_SHOWN}}")
    finally:
        if counts:
            counts.close()
    POOL.give_back(task, env)
    return outcome


def _unlike_request(task: Task, recorded: Trajectory) -> str:
    """Return how a trajectory's beginning is not that of the task, or ""."""
    header = recorded.header
    asked = {"seed": task.seed, "options": None, "random_state": None, "parent": None}
    asked["task_id"] = header["info"].get("task_id", "")
    for name, value in asked.items():
        if not identical(header[name], value):
            return f"{name} was {shown(header[name])} and must be {shown(value)}"
    over = [step["terminated"] or step["truncated"] for step in recorded.steps]
    first = over.index(True) + 1 if True in over else len(over) + 1
    if first != len(over):
        return f"it has {len(over)} steps, and its end is step {first}"
    return ""


def _unlike_end(recorded: Trajectory) -> str:
    """Return how the last record differs from the steps, or ""."""
    last, total = recorded.steps[-1], 0.0
    for step in recorded.steps:
        total += float(step["reward"])
    expected = {
        **last["info"],
        "reason": "terminated" if last["terminated"] else "truncated",
        "return": total,
    }
    for name, value in (recorded.end or {}).items():
        if name in expected and not identical(value, expected[name]):
            return f"its end has {name}={shown(value)}, not {shown(expected[name])}"
    return ""


def _difference(played: EpisodeResult, row: EpisodeResult) -> str:
    """Return the first value of a row that its trajectory does not give, or ""."""
    for name in (one.name for one in fields(EpisodeResult)):
        value, claimed = getattr(played, name), getattr(row, name)
        if name == "scores":
            own = {key: METRICS[key] for key in claimed if key in METRICS}
            added = {key: one.value(row) for key, one in own.items() if one.value}
            value = {**value, **{k: one for k, one in added.items() if one is not None}}
            claimed = {key: claimed[key] for key in own}
        if value != claimed:
            return (
                f"{name} is {shown(claimed)}, and the trajectory gives {shown(value)}"
            )
    return ""


def _claims(
    manifest: Mapping[str, Any], rows: Sequence[EpisodeResult]
) -> Iterator[str]:
    """Yield what no replay can prove."""
    if manifest["suite"]["name"] == COMMAND_LINE:
        yield "that the command named these tasks"
    yield f"that the agent was {manifest['agent']}"
    if usage := sorted({name for row in rows for name in row.usage}):
        yield f"its {', '.join(usage)}"
    if scores := sorted({name for row in rows for name in row.scores} - {*METRICS}):
        yield f"the metrics {', '.join(scores)}"


def _unlike_suite(manifest: Mapping[str, Any], suite: Suite) -> Iterator[str]:
    if manifest["suite"] != suite.identity:
        yield f"run.json has {manifest['suite']}, and the suite is {suite.identity}"
    count = manifest.get("notes", {}).get("tasks", len(suite.tasks))
    if count != len(suite.tasks):
        yield f"run.json has {count} tasks, and the suite {len(suite.tasks)}"


def _unlike_tasks(rows: Mapping[str, object], suite: Suite) -> Iterator[str]:
    names = [task.name for task in suite.tasks]
    yield from (f"{name} has no episode" for name in names if name not in rows)
    others = rows.keys() - {*names}
    yield from (f"{name} is not in the suite" for name in rows if name in others)


def _unlike(expected: Any, found: Any, place: str) -> Iterator[str]:
    """Yield the differences between a summary and what the rows give."""
    if isinstance(expected, list) and isinstance(found, list):
        expected, found = (dict(enumerate(one)) for one in (expected, found))
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in {**expected, **found}:
            # Metrics of others are claimed, and steps to go need not be counted.
            metric = METRICS.get(key)
            known = metric is not None and (key in found or not metric.replayed)
            if known or not place.endswith(" / metrics"):
                pair = expected.get(key, ABSENT), found.get(key, ABSENT)
                yield from _unlike(*pair, f"{place} / {key}")
    elif not _close(expected, found):
        yield f"{place} is {_value(found)}, and the rows give {_value(expected)}"


def _close(expected: object, found: object) -> bool:
    if isinstance(expected, float) and isinstance(found, int | float):
        return isclose(expected, found, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return identical(expected, found)


def _value(value: object) -> str:
    return "missing" if isinstance(value, Opaque) else shown(value)
