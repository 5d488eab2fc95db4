"""Play episodes on another machine, which need not share the folder of the run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.execution.env_pool import POOL
from aq_gym.evaluation.execution.jobs import Job, play_episode
from aq_gym.support.safe_output import protect_output
from aq_gym.trajectory.packed import SUFFIX

_CLEANUP = ExitStack()
_FOLDER = ""


class SentEpisode(NamedTuple):
    """An episode that a remote worker sends to the folder of the run.

    Attributes:
        episode: The episode.
        trajectory: Its trajectory file, None if it did not begin.
    """

    episode: EpisodeResult
    trajectory: bytes | None


def begin_apart() -> None:
    """Prepare this process: a folder of its own, and environments that are kept."""
    global _FOLDER
    protect_output()
    _CLEANUP.enter_context(POOL.kept())
    _FOLDER = _CLEANUP.enter_context(tempfile.TemporaryDirectory(prefix="aq_gym-"))


def end_apart() -> None:
    """Remove the folder and close the environments."""
    _CLEANUP.close()


def play_apart(jobs: Sequence[Job]) -> list[SentEpisode]:
    """Play tasks in the folder of this process, and return the files written there."""
    return [_play(job._replace(directory=_FOLDER)) for job in jobs]


def _play(job: Job) -> SentEpisode:
    file = _file(job)
    try:
        episode = play_episode(job)
        return SentEpisode(episode, file.read_bytes() if file.exists() else None)
    finally:
        file.unlink(missing_ok=True)


def receive(
    jobs: Sequence[Job], played: Sequence[SentEpisode]
) -> Iterator[EpisodeResult]:
    """Write the trajectories that came back, and yield their episodes.

    Raises:
        FileExistsError: If a task has a trajectory in its directory.
        OSError: If a file cannot be written; what there is of it is then incomplete.
    """
    for job, (episode, trajectory) in zip(jobs, played, strict=True):
        if trajectory is not None:
            with _file(job).open("xb") as file:
                file.write(trajectory)
        yield episode


def _file(job: Job) -> Path:
    return Path(job.directory, job.task.name + SUFFIX)
