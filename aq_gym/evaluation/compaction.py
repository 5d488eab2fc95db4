"""Pack the trajectories of finished runs."""

from __future__ import annotations

import os

from aq_gym.evaluation.results import load_run
from aq_gym.evaluation.store import lock_run
from aq_gym.trajectory.packed import PackResult, pack, unpack


def compact(path: str | os.PathLike[str]) -> PackResult:
    """Compress each trajectory of a finished run, as ``NAME.jsonl.gz``.

    Every reader of the run still gets the same bytes. A file is removed when its
    compressed one is complete; a process that is killed before that leaves it, and the
    next one continues.

    Args:
        path: The directory of the run.

    Returns:
        The number of files that were packed now, and their size before and after.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If the run is not finished, one of its files is damaged, or another
            process writes to it.
        OSError: If a file could not be written; the remaining ones are unchanged.
    """
    run = load_run(path)
    with lock_run(run.path):
        # Read again, now that no process plays.
        run = load_run(path)
        tasks = run.what.get("notes", {}).get("tasks")
        if not run.summary or (isinstance(tasks, int) and len(run.episodes) < tasks):
            raise ValueError(
                f"{run.path} is not finished: it has {len(run.episodes)} of {tasks} "
                "episodes; run its command again to continue it"
            )
        return pack(run.path / "trajectories")


def uncompact(path: str | os.PathLike[str]) -> int:
    """Write the packed trajectories of a run back as files.

    Args:
        path: The directory of the run.

    Returns:
        The number of files.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If a packed file is damaged, or another process writes to the run.
    """
    run = load_run(path)
    with lock_run(run.path):
        return unpack(run.path / "trajectories")
