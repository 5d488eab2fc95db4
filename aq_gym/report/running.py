"""The episodes of a run that are being played, and how long it will take."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from aq_gym import trajectory
from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.episode import EpisodeStats
from aq_gym.evaluation.summary import usage_totals
from aq_gym.report.data import Run

RUNNING = "running"
_SUFFIX = ".jsonl"
_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
)
# The episodes that ended last tell how fast a run is.
_LAST = 50


def running_episodes(run: Run) -> list[EpisodeResult]:
    """Return the results so far of episodes that have a file but no row yet.

    ``ended`` of such an episode is "running"; it belongs in no metric.
    """
    return list(_running(run))


def _running(run: Run) -> Iterator[EpisodeResult]:
    finished = {episode.task for episode in run.episodes}
    for path in sorted((run.path / "trajectories").glob(f"*{_SUFFIX}")):
        task = path.name.removesuffix(_SUFFIX)
        if task in finished:
            continue
        try:
            yield _so_far(task, path)
        except _UNREADABLE:
            # Its first line is being written, or the file was moved or is damaged.
            continue


def _so_far(task: str, path: Path) -> EpisodeResult:
    played = trajectory.read(path)
    header = played.header
    stats = EpisodeStats(header["observation"], header["info"])
    for step in played.steps:
        notes = step.get("notes", {})
        stats.add(step["action"], step["observation"], step["info"], notes)
    env = (header["spec"] or {}).get("id", "")
    seed = header["seed"] if isinstance(header["seed"], int) else 0
    fields = {**stats.fields(), "ended": RUNNING, "error": ""}
    return EpisodeResult(task, env, env, seed, **fields)


def has_finished(runs: Sequence[Run]) -> bool:
    """Return whether every task of some runs has ended, and each run with them."""
    return all(
        run.tasks is not None
        and len(run.episodes) >= run.tasks
        and (run.path / "summary.json").is_file()
        for run in runs
    )


def told(
    runs: Sequence[Run], running: Sequence[Sequence[EpisodeResult]], waiting: int = 0
) -> str:
    """Return how far runs are: count, rate, time left, cost and errors.

    Args:
        runs: The runs.
        running: For each the episodes that are being played.
        waiting: How many further runs have not begun.
    """
    ended = sum(len(run.episodes) for run in runs)
    known = [run.tasks for run in runs if run.tasks is not None]
    whole = len(known) == len(runs) and not waiting
    parts = [
        f"{ended:,} of {sum(known):,} episodes" if whole else f"{ended:,} episodes"
    ]
    if waiting:
        parts.append(f"{waiting} of {len(runs) + waiting} runs not begun")
    if playing := sum(map(len, running)):
        parts.append(f"{playing} being played")
    rates = [_per_second(run) for run in runs]
    if not has_finished(runs):
        if sum(rates):
            parts.append(f"{60 * sum(rates):.3g} a minute")
        missing = [(run.tasks or 0) - len(run.episodes) for run in runs]
        times = [m / r if r else None for m, r in zip(missing, rates, strict=True) if m]
        if whole and times and None not in times:
            parts.append(f"about {_duration(max(t for t in times if t))} left")
    if cost := sum(usage_totals(run.episodes).get("cost", 0.0) for run in runs):
        parts.append(f"cost {cost:.4g}")
    errors = sum(bool(e.error) for run in runs for e in run.episodes)
    parts.append("1 error" if errors == 1 else f"{errors:,} errors")
    return " · ".join(parts)


def _per_second(run: Run) -> float:
    """Return how many episodes end in a second, by the times of their files."""
    tasks = {episode.task for episode in run.episodes}
    files = (run.path / "trajectories").glob(f"*{_SUFFIX}")
    times = []
    for file in files:
        if file.name.removesuffix(_SUFFIX) in tasks:
            with contextlib.suppress(FileNotFoundError):
                times.append(file.stat().st_mtime)
    times = sorted(times)[-_LAST:]
    # A run that has stood still since is a slow one.
    span = max(time.time() - times[0], 0.001) if times else 0.0
    return (len(times) - 1) / span if span else 0.0


def _duration(seconds: float) -> str:
    for size, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} s"
