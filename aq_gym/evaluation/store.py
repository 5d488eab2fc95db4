"""A run on disk: what was run, its episodes, their trajectories."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from aq_gym import trajectory
from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.task import Task
from aq_gym.wrappers import jsonl
from aq_gym.wrappers.trajectory_file import find

__all__ = ["RunDirectory"]


class RunDirectory:
    """A directory that a run fills, and that another run of the same kind continues.

    ``run.json`` says what was run, ``episodes.jsonl`` has a row per finished episode
    and ``trajectories/`` its file. What a killed run left half-written goes to
    ``interrupted/``, where it counts in nothing.

    Args:
        path: The directory; made if there is none.
        what: What is run, as a JSON object: agent, its parameters, versions.

    Raises:
        ValueError: If the directory holds a run of something else.
    """

    def __init__(self, path: str | os.PathLike[str], what: dict[str, Any]) -> None:
        self.path = Path(path)
        self.trajectories = self.path / "trajectories"
        self.interrupted = self.path / "interrupted"
        self.trajectories.mkdir(parents=True, exist_ok=True)
        self._claim(what)
        rows = jsonl.read(self._journal).records if self._journal.exists() else []
        self._episodes = {row["task"]: Episode(**row) for row in rows}
        self._lines = jsonl.JsonLines(self._journal)

    @property
    def _journal(self) -> Path:
        return self.path / "episodes.jsonl"

    def finished(self, task: Task) -> Episode | None:
        """Return a task's episode if it is finished, else clear the way for it.

        A run that was killed between an episode's end and its row has the row added;
        one killed in the episode has its file set aside.

        Args:
            task: The task that is to be played.
        """
        if task.name in self._episodes:
            return self._episodes[task.name]
        try:
            path = find(self.trajectories, task.name)
        except FileNotFoundError:
            return None
        if _is_whole(path):
            return self.add(task)
        self._set_aside(path)
        return None

    def add(self, task: Task) -> Episode:
        """Add the row of a task whose trajectory is complete."""
        recorded = trajectory.read(find(self.trajectories, task.name))
        episode = Episode.from_trajectory(task.setting, recorded)
        self._lines.append(episode.to_record())
        self._episodes[task.name] = episode
        return episode

    def close(self) -> None:
        """Close the journal."""
        self._lines.close()

    def _set_aside(self, path: Path) -> None:
        self.interrupted.mkdir(exist_ok=True)
        attempt = 1
        while (target := self.interrupted / f"{attempt:03d}-{path.name}").exists():
            attempt += 1
        path.rename(target)

    def _claim(self, what: dict[str, Any]) -> None:
        file = self.path / "run.json"
        if not file.exists():
            half = file.with_suffix(".json.part")
            half.write_text(json.dumps(what, indent=2, sort_keys=True) + "\n")
            half.replace(file)
            return
        before = json.loads(file.read_text())
        changed = sorted(
            key for key in {*before, *what} if before.get(key) != what.get(key)
        )
        if changed:
            changes = "; ".join(
                f"{key} was {before.get(key)!r} and is {what.get(key)!r} now"
                for key in changed
            )
            raise ValueError(
                f"{self.path} holds another run: {changes}; give another directory"
            )


def _is_whole(path: Path) -> bool:
    recorded = trajectory.read(path)
    if not recorded.complete or recorded.end is None:
        return False
    # An agent or a person who gave up leaves a file that is closed, not finished.
    return recorded.end["reason"] in ("terminated", "truncated")
