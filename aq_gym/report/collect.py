"""Read each episode of some runs once, for the list, the archive and the findings."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.evaluation import EpisodeResult
from aq_gym.report.archive import Archive, dump_record
from aq_gym.report.data import RUNNING, Run, benchmark_of, read_trajectory
from aq_gym.report.findings import Finding, Observed, find, observe
from aq_gym.report.overview import flags_of
from aq_gym.report.record import episode_record
from aq_gym.report.stuck import bottlenecks, in_order, milestones, reached
from aq_gym.support.escaping import short, visible

_LONGEST_GOAL = 120


@dataclass
class Collected:
    """The data of the report that needs every episode.

    Attributes:
        columns: The list of episodes, column by column.
        findings: The findings, by the run's number and the benchmark.
        milestones: For each benchmark the milestones that the chart of where runs get
            stuck shows.
        stuck: The place where most episodes are stuck, by the run's number and the
            benchmark, see :func:`aq_gym.report.stuck.bottlenecks`. It has only
            benchmarks whose milestones have an order.
    """

    columns: dict[str, list[Any]] = field(default_factory=dict)
    findings: dict[tuple[int, str], list[Finding]] = field(default_factory=dict)
    milestones: dict[str, list[str]] = field(default_factory=dict)
    stuck: dict[tuple[int, str], dict[str, int]] = field(default_factory=dict)


class _Opened(NamedTuple):
    """The part of an episode's file that the report needs."""

    record: bytes
    observed: Observed
    goal: str


Track = Callable[[Iterable[Any], int, str], Iterable[Any]]


def untracked(things: Iterable[Any], total: int, what: str) -> Iterable[Any]:
    """Return the things as they are; another tracker shows how far a loop over them is.

    Args:
        things: The things.
        total: Their number.
        what: What is done with them.
    """
    return things


class Collector:
    """Reads the episodes of runs.

    Args:
        keep: Whether to keep the episodes, compressed, for the next call.
    """

    def __init__(self, keep: bool = False) -> None:
        self._keep = keep
        self._kept: dict[tuple[Path, str, str], _Opened] = {}

    def collect(
        self,
        runs: Sequence[Run],
        archive: Archive,
        running: Sequence[Sequence[EpisodeResult]] = (),
        track: Track = untracked,
    ) -> Collected:
        """Read every episode and put its record into the archive.

        Args:
            runs: The runs.
            archive: The archive to which the records are added.
            running: For each run the episodes that are being played: they are in the
                list, but not in the findings.
            track: Shows how far the reading is.
        """
        collected = Collected(columns={name: [] for name in _COLUMNS})
        observed: dict[tuple[int, str], list[Observed]] = {}
        listed = []
        total = sum(len(run.episodes) for run in runs)
        finished = ((n, run, e) for n, run in enumerate(runs) for e in run.episodes)
        for number, run, episode in track(finished, total, "reading episodes"):
            opened = self._open(run, episode)
            _list(collected, run, episode, opened, archive)
            key = number, benchmark_of(episode)
            observed.setdefault(key, []).append(opened.observed)
            listed.append(opened.observed)
        for run, episodes in zip(runs, running, strict=False):
            for episode in episodes:
                opened = self._read(run, episode)
                _list(collected, run, episode, opened, archive)
                listed.append(opened.observed)
        archive.finish()
        _add_milestones(collected, observed, listed)
        _add_findings(collected, observed)
        return collected

    def _open(self, run: Run, episode: EpisodeResult) -> _Opened:
        if not self._keep:
            return self._read(run, episode)
        # If an episode is played again, it gets a new row and a new file.
        key = run.path, episode.task, json.dumps(episode.to_record())
        if key not in self._kept:
            opened = self._read(run, episode)
            self._kept[key] = opened._replace(record=zlib.compress(opened.record, 1))
        opened = self._kept[key]
        return opened._replace(record=zlib.decompress(opened.record))

    def _read(self, run: Run, episode: EpisodeResult) -> _Opened:
        problem, played = "", None
        try:
            played = read_trajectory(run, episode.task)
        except (ValueError, OSError) as error:
            problem = str(error)
        record = episode_record(episode, played, problem)
        goal = short(record.get("goal", ""), _LONGEST_GOAL)
        return _Opened(dump_record(record), observe(episode, record), goal)


_COLUMNS: dict[str, Callable[[EpisodeResult], Any]] = {
    "task": lambda e: e.task,
    "env": lambda e: visible(benchmark_of(e)),
    "setting": lambda e: visible(e.setting),
    "source": lambda e: visible(e.source),
    "instance": lambda e: short(e.task_id),
    "seed": lambda e: e.seed,
    "outcome": lambda e: outcome(e),
    "difficulty": lambda e: visible(e.difficulty),
    "progress": lambda e: e.progress_rate,
    "final": lambda e: e.progress[-1] if e.progress else 0.0,
    "repetition": lambda e: e.repetition_rate,
    "grounding": lambda e: e.grounding,
    "steps": lambda e: e.steps,
    "futile": lambda e: None,
    "subgoals": lambda e: None,
    "flags": lambda e: None,
    "tokens": lambda e: e.usage.get("tokens"),
    "cost": lambda e: e.usage.get("cost") or None,
    "latency": lambda e: e.usage.get("latency"),
    "error": lambda e: short(e.error, 200),
    "run": lambda e: None,
    "goal": lambda e: None,
    "chunk": lambda e: None,
    "place": lambda e: None,
}


def _list(
    collected: Collected,
    run: Run,
    episode: EpisodeResult,
    opened: _Opened,
    archive: Archive,
) -> None:
    chunk, index = archive.add(opened.record)
    seen = opened.observed
    known = {
        "run": run.label,
        "goal": opened.goal,
        "chunk": chunk,
        "place": index,
        "futile": len(seen.futile),
        "flags": flags_of(episode, len(seen.futile)),
        "subgoals": sum(bool(step) for step in seen.subgoals.values()),
    }
    for name, value_of in _COLUMNS.items():
        value = known[name] if name in known else value_of(episode)
        collected.columns[name].append(
            round(value, 4) if isinstance(value, float) else value
        )


def _add_milestones(
    collected: Collected,
    observed: Mapping[tuple[int, str], Sequence[Observed]],
    listed: Sequence[Observed],
) -> None:
    by_env: dict[str, list[Observed]] = {}
    for (_, env), seen in observed.items():
        by_env.setdefault(visible(env), []).extend(seen)
    names = {env: milestones(seen) for env, seen in by_env.items()}
    ordered = {
        env
        for env, seen in by_env.items()
        if in_order([reached(one, names[env]) for one in seen])
    }
    collected.milestones = names
    collected.columns["reached"] = [
        reached(seen, names.get(env, ()))
        for env, seen in zip(collected.columns["env"], listed, strict=True)
    ]
    # Without an order, no subgoal is the first one that an episode missed.
    collected.stuck = {
        (number, env): bottlenecks(seen, names[visible(env)])
        for (number, env), seen in observed.items()
        if visible(env) in ordered
    }


def _add_findings(
    collected: Collected, observed: Mapping[tuple[int, str], Sequence[Observed]]
) -> None:
    for key, seen in observed.items():
        places = collected.stuck.get(key)
        names = collected.milestones[visible(key[1])]
        collected.findings[key] = find(
            seen, names, None if places is None else places[""]
        )


def outcome(episode: EpisodeResult) -> str:
    """Return how an episode ended.

    It is "solved", "lost", "unsolved", "error" or, if it is being played, "running".

    Args:
        episode: The episode. It counts as lost if the environment terminated it
            unsolved.
    """
    if episode.error:
        return "error"
    if episode.ended == RUNNING:
        return RUNNING
    if episode.success:
        return "solved"
    return "lost" if episode.ended == "terminated" else "unsolved"
