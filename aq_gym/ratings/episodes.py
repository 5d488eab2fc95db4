"""The episodes that are rated, and the facts about them."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from pathlib import Path
from typing import NamedTuple

from aq_gym.evaluation.results import check_complete, load_run
from aq_gym.ratings.transcript import Transcript, transcript_of
from aq_gym.trajectory import Trajectory, iter_trajectories, read
from aq_gym.trajectory.reader import find


class RatedEpisode(NamedTuple):
    """An episode that is rated.

    Attributes:
        name: The name of its task, and of its trajectory.
        env: The environment's id, "" where it is not known.
        unit: The instance that was played; intervals draw instances.
        transcript: All that judges see of it.
        model: The model that played, "" if none is known.
        truth: What is known of it and no judge is told: "success" (0.0 or 1.0),
            "progress rate" and "repetition rate", where they are known.
    """

    name: str
    env: str
    unit: str
    transcript: Transcript
    model: str
    truth: dict[str, float]


def load_episodes(path: Path) -> tuple[list[RatedEpisode], list[str]]:
    """Return the complete episodes of a run, or of a folder of trajectories.

    Those that were cut off, ended with an error or have no steps are left out.

    Returns:
        The episodes, and the names of those left out.

    Raises:
        FileNotFoundError: If there is neither, or an episode has no trajectory.
        ValueError: If a file is damaged, or no episode is complete.
    """
    if not path.is_dir():
        raise FileNotFoundError(f"{path} is neither a run nor a folder")
    is_run = (path / "run.json").is_file()
    left_out: list[str] = []
    read_all = _of_run if is_run else _of_folder
    found = list(read_all(path, left_out))
    if not found:
        raise ValueError(f"{path} has no complete episode")
    return found, left_out


def _of_run(path: Path, left_out: list[str]) -> Iterator[RatedEpisode]:
    for row in load_run(path).episodes:
        if row.error:
            left_out.append(row.task)
            continue
        recorded = read(find(path / "trajectories", row.task))
        check_complete(recorded)
        truth = {
            "success": float(row.success),
            "progress rate": row.progress_rate,
            "repetition rate": row.repetition_rate,
        }
        yield _episode(row.env, row.unit, recorded, truth)._replace(name=row.task)


def _of_folder(path: Path, left_out: list[str]) -> Iterator[RatedEpisode]:
    for recorded in iter_trajectories(path):
        if not recorded.complete or not recorded.steps:
            # A killed writer leaves a torn last line, and nothing after it.
            if recorded.torn and (recorded.end or not recorded.in_order):
                raise ValueError(f"{recorded.path} is damaged: lines are missing")
            left_out.append(recorded.name)
            continue
        spec = recorded.header.get("spec")
        env = str(spec.get("id", "")) if isinstance(spec, dict) else ""
        task = str(recorded.header.get("task_id") or "")
        info = recorded.steps[-1]["info"]
        truth = {
            name: float(info[key])
            for name, key in _TRUTH.items()
            # Compared, not converted: an int may be too large for a float.
            if isinstance(info.get(key), Real) and abs(info[key]) <= _LARGEST
        }
        unit = f"{env} {task}" if task else recorded.name
        yield _episode(env, unit, recorded, truth)


_LARGEST = 1e300
_TRUTH = {
    "success": "success",
    "progress rate": "best_progress",
    "repetition rate": "repetition_rate",
}


def _episode(
    env: str, unit: str, recorded: Trajectory, truth: dict[str, float]
) -> RatedEpisode:
    params = recorded.header["agent"].get("params")
    model = params.get("model") if isinstance(params, dict) else None
    seen = transcript_of(recorded)
    return RatedEpisode(recorded.name, env, unit, seen, str(model or ""), truth)
