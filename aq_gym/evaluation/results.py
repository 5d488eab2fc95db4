"""Reading of finished and unfinished runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.episode_rows import read_episodes
from aq_gym.evaluation.json_files import read_object

__all__ = ["LoadedRun", "load_run"]


@dataclass(frozen=True)
class LoadedRun:
    """The contents of a run's directory.

    Attributes:
        path: The directory.
        what: The contents of ``run.json``: suite, agent, versions.
        episodes: The finished episodes, sorted by task; of several attempts, the last.
        summary: The contents of ``summary.json``; empty while the run is played, and
            after it was killed. After a limit or Ctrl-C it summarizes the finished
            episodes; ``"tasks"`` has their number and that of all.
    """

    path: Path
    what: dict[str, Any]
    episodes: list[Episode]
    summary: dict[str, Any]

    def table(self) -> Any:
        """Return the episodes as a pandas DataFrame, or as dicts without pandas."""
        rows = [episode.to_record() for episode in self.episodes]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)


def load_run(path: str | os.PathLike[str]) -> LoadedRun:
    """Read a run.

    Args:
        path: The run's directory.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If one of its files is damaged.
    """
    folder = Path(path)
    if not (folder / "run.json").is_file():
        raise FileNotFoundError(f"{folder} holds no run: it has no run.json")
    what = read_object(folder / "run.json")
    suite = what.get("suite")
    if not isinstance(suite, dict) or not {"name", "hash"} <= suite.keys():
        raise ValueError(f"{folder / 'run.json'} is damaged: it has no suite")
    if not isinstance(what.get("agent"), str):
        raise ValueError(f"{folder / 'run.json'} is damaged: it has no agent")
    for name in ("agent_params", "notes", "versions"):
        if not isinstance(what.get(name, {}), dict):
            raise ValueError(
                f"{folder / 'run.json'} is damaged: its {name!r} must be an object"
            )
    rows = read_episodes(folder)
    newest = {row.task: row for row in rows if not row.unfinished}
    summary = folder / "summary.json"
    return LoadedRun(
        folder,
        what,
        [newest[task] for task in sorted(newest)],
        read_object(summary) if summary.exists() else {},
    )
