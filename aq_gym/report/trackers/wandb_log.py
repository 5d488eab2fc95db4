"""A run in Weights & Biases."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aq_gym.evaluation import EpisodeResult
from aq_gym.report.data import Run
from aq_gym.report.trackers import agentboard
from aq_gym.report.trackers.scalars import (
    EPISODE_COLUMNS,
    RunningMeans,
    curve_points,
    episode_row,
)


class WandbTracker:
    """Logs to a new W&B run, whose files are in the run's folder.

    W&B's own environment variables decide the rest: ``WANDB_PROJECT`` (by default
    "aq_gym"), ``WANDB_ENTITY``, ``WANDB_MODE=offline``. A run that is continued is
    logged as a new W&B run, from its first episode.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._means = RunningMeans()
        self._opened: Any = None
        self._what: dict[str, Any] = {}

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode's scalars at the episode's number."""
        opened = self._open()
        logged = self._means.add(episode)
        opened.log({"episode": self._means.count, **logged})

    def finish(self, episodes: Sequence[EpisodeResult]) -> None:
        """Log the curves by step, the table of episodes, and AgentBoard's panel."""
        import wandb

        opened = self._open()
        for env, step, point in curve_points(episodes):
            values = {f"by step/{env}/{name}": value for name, value in point.items()}
            opened.log({"step": step, **values})
        rows = [list(episode_row(episode)) for episode in episodes]
        table = wandb.Table(columns=list(EPISODE_COLUMNS), data=rows)
        run = Run(self._run.name, self._run, self._what, episodes)
        opened.log({"episodes": table, **agentboard.panel(run)})

    def close(self) -> None:
        """End the W&B run."""
        if self._opened is not None:
            self._opened.finish()

    def _open(self) -> Any:
        if self._opened is None:
            import wandb

            manifest = self._run / "run.json"
            self._what = json.loads(manifest.read_text()) if manifest.exists() else {}
            self._opened = wandb.init(
                project=os.environ.get("WANDB_PROJECT") or "aq_gym",
                name=self._run.resolve().name,
                dir=str(self._run),
                config=self._what,
                settings=wandb.Settings(console="off", quiet=True),
            )
            self._opened.define_metric("episode/*", step_metric="episode")
            self._opened.define_metric("mean/*", step_metric="episode")
            self._opened.define_metric("by step/*", step_metric="step")
        return self._opened
