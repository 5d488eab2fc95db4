"""A run in TensorBoard."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aq_gym.evaluation import EpisodeResult
from aq_gym.report.tables import markdown_cell
from aq_gym.report.trackers.scalars import (
    EPISODE_COLUMNS,
    RunningMeans,
    curve_points,
    episode_row,
)

_MOST_ROWS = 1_000


class TensorBoardTracker:
    """Writes to ``tensorboard/`` in the run's folder, as tensorboardX does.

    A run that is continued is logged anew, from its first episode: the earlier event
    files, which say the same, are replaced.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._means = RunningMeans()
        self._writer: Any = None

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode's scalars at the episode's number."""
        writer = self._open()
        for name, value in self._means.add(episode).items():
            writer.add_scalar(_tag(name), value, self._means.count)

    def finish(self, episodes: Sequence[EpisodeResult]) -> None:
        """Log the curves by step, and the table of episodes as text."""
        writer = self._open()
        for env, step, point in curve_points(episodes):
            for name, value in point.items():
                writer.add_scalar(_tag(f"{name} by step/{env}"), value, step)
        writer.add_text("episodes", _table(episodes), 0)
        manifest = self._run / "run.json"
        if manifest.exists():
            what = json.dumps(json.loads(manifest.read_text()), indent=2)
            writer.add_text("run", f"```json\n{what}\n```", 0)

    def close(self) -> None:
        """Flush the events and close the file."""
        if self._writer is not None:
            self._writer.close()

    def _open(self) -> Any:
        if self._writer is None:
            from tensorboardX import SummaryWriter

            folder = self._run / "tensorboard"
            for file in folder.glob("events.out.tfevents.*"):
                file.unlink()
            self._writer = SummaryWriter(str(folder))
        return self._writer


def _tag(name: str) -> str:
    # TensorBoard allows nothing else in a tag.
    return "".join(c if c.isalnum() or c in "-._/" else "_" for c in name)


def _table(episodes: Sequence[EpisodeResult]) -> str:
    lines = [
        "| " + " | ".join(EPISODE_COLUMNS) + " |",
        "|---" * len(EPISODE_COLUMNS) + "|",
    ]
    for episode in episodes[:_MOST_ROWS]:
        cells = [
            f"{value:.4g}" if isinstance(value, float) else markdown_cell(str(value))
            for value in episode_row(episode)
        ]
        lines.append("| " + " | ".join(cells) + " |")
    if len(episodes) > _MOST_ROWS:
        lines.append(f"\n{len(episodes) - _MOST_ROWS} more are in episodes.jsonl.")
    return "\n".join(lines)
