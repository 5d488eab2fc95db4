"""The episodes of a run that are being played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aq_gym import trajectory
from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.execution.recorder import EpisodeStats
from aq_gym.report.data import Run

RUNNING = "running"
_SUFFIX = ".jsonl"


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
        except (ValueError, KeyError, OSError):
            # Its first line is being written, or the file was just moved.
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
