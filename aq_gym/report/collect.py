"""Read each episode of some runs once, for the list, the archive and the findings."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.evaluation import EpisodeResult
from aq_gym.report.archive import Archive, dump_record
from aq_gym.report.data import UNFINISHED, Run, benchmark_of, read_trajectory
from aq_gym.report.overview import flags_of
from aq_gym.report.record import episode_record
from aq_gym.report.stuck import in_order, milestones, quarters_of, reached
from aq_gym.support.escaping import short, visible

_LONGEST_GOAL = 120


@dataclass(slots=True)
class Observed:
    """The part of an episode's trajectory that the findings need.

    Attributes:
        episode: The episode's results.
        subgoals: For each subgoal, by its name, the step at which it first held: 0 at
            the start, None if it never did.
        quarters: The first step with each quarter of the progress.
        invalid: The steps of each pair of an invalid action and its answer.
        steps: The number of steps.
        futile: The step and the action of each step whose action got the same answer as
            before, numbers of steps and guesses aside.
        answers: The number of answers whose reason to stop was noted.
        cut_off: The number of answers that the token limit cut off.
        end: Why it was truncated unsolved, or "".
        actions: Its actions.
        run: The label of its run.
    """

    episode: EpisodeResult
    subgoals: dict[str, int | None] = field(default_factory=dict)
    quarters: dict[str, int] = field(default_factory=dict)
    invalid: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    steps: int = 0
    futile: list[tuple[int, str]] = field(default_factory=list)
    answers: int = 0
    cut_off: int = 0
    end: str = ""
    actions: list[str] = field(default_factory=list)
    run: str = ""


def observe(episode: EpisodeResult, record: Mapping[str, Any]) -> Observed:
    """Return the part of an episode that the findings need."""
    seen = Observed(
        episode, quarters=quarters_of(episode.progress), end=record.get("end", "")
    )
    names = record.get("subgoals", [])
    first = dict.fromkeys(record.get("held", ()), 0)
    seen.steps = len(record.get("steps", ()))
    for number, step in enumerate(record.get("steps", ()), 1):
        action = short(step["action"])
        seen.actions.append(action)
        if "again" in step:
            seen.futile.append((number, action))
        for held in step.get("held", ()):
            first.setdefault(held, number)
        if step.get("invalid"):
            why = step.get("feedback") or step["observation"]
            seen.invalid.setdefault((action, short(why, 120)), []).append(number)
        reason = step.get("notes", {}).get("finish_reason")
        seen.answers += reason is not None
        seen.cut_off += reason == "length"
    seen.subgoals = {short(name): first.get(n) for n, name in enumerate(names)}
    return seen


@dataclass
class Collected:
    """The data of the report that needs every episode.

    Attributes:
        columns: The list of episodes, column by column.
        observed: What the findings need, by the benchmark and the run's number.
        milestones: For each benchmark the milestones that the chart of where runs get
            stuck shows.
        ordered: The benchmarks whose milestones have an order.
    """

    columns: dict[str, list[Any]] = field(default_factory=dict)
    observed: dict[str, dict[int, list[Observed]]] = field(default_factory=dict)
    milestones: dict[str, list[str]] = field(default_factory=dict)
    ordered: frozenset[str] = frozenset()


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
        listed = []
        total = sum(len(run.episodes) for run in runs)
        finished = ((n, run, e) for n, run in enumerate(runs) for e in run.episodes)
        for number, run, episode in track(finished, total, "reading episodes"):
            opened = self._open(run, episode)
            _list(collected, run, episode, opened, archive)
            own = collected.observed.setdefault(visible(benchmark_of(episode)), {})
            own.setdefault(number, []).append(opened.observed)
            listed.append(opened.observed)
        for run, episodes in zip(runs, running, strict=False):
            for episode in episodes:
                opened = self._read(run, episode)
                _list(collected, run, episode, opened, archive)
                listed.append(opened.observed)
        archive.finish()
        _add_milestones(collected, listed)
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
    seen.run = run.label
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


def _add_milestones(collected: Collected, listed: Sequence[Observed]) -> None:
    by_env = {e: [*chain(*own.values())] for e, own in collected.observed.items()}
    names = {env: milestones(seen) for env, seen in by_env.items()}
    collected.milestones = names
    # Without an order, no subgoal is the first one that an episode missed.
    collected.ordered = frozenset(
        env
        for env, seen in by_env.items()
        if in_order([reached(one, names[env]) for one in seen])
    )
    collected.columns["reached"] = [
        reached(seen, names.get(env, ()))
        for env, seen in zip(collected.columns["env"], listed, strict=True)
    ]


def outcome(episode: EpisodeResult) -> str:
    """Return how an episode ended.

    It is "solved", "lost", "unsolved", "error" or, without an end, "running" or
    "broken off".

    Args:
        episode: The episode. It counts as lost if the environment terminated it
            unsolved.
    """
    if episode.error:
        return "error"
    if episode.ended in UNFINISHED:
        return episode.ended
    if episode.success:
        return "solved"
    return "lost" if episode.ended == "terminated" else "unsolved"
