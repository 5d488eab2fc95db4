"""Experiment trackers that follow a run: TensorBoard, Weights & Biases."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.metrics import shown_metrics
from aq_gym.support.extras import require


def episode_scalars(episode: EpisodeResult) -> dict[str, float]:
    """Return the metrics of an episode that result tables show, and its usage.

    Args:
        episode: Any episode; one with an error has only the scalars of its usage.
    """
    used = {name: float(value) for name, value in sorted(episode.usage.items())}
    if episode.error:
        return {"error": 1.0, **used}
    values = {metric.name: metric.of(episode) for metric in shown_metrics()}
    return {name: one for name, one in values.items() if one is not None} | used


class _TensorBoard:
    """Writes to ``tensorboard/`` in the run's folder, as tensorboardX does.

    If a run is continued, its earlier event files are replaced, and it is logged again
    from its first episode.
    """

    def __init__(self, run: Path) -> None:
        from tensorboardX import SummaryWriter

        folder = run / "tensorboard"
        for file in folder.glob("events.out.tfevents.*"):
            file.unlink()
        self._writer: Any = SummaryWriter(str(folder))

    def log(self, number: int, scalars: Mapping[str, float]) -> None:
        for name, value in scalars.items():
            # TensorBoard allows no other characters in a tag.
            tag = "".join(c if c.isalnum() or c in "-._/" else "_" for c in name)
            self._writer.add_scalar(tag, value, number)

    def close(self) -> None:
        self._writer.close()


class _Wandb:
    """Logs to a new W&B run, whose files are in the run's folder.

    W&B's own environment variables are used: ``WANDB_PROJECT`` (by default "aq_gym"),
    ``WANDB_ENTITY``, ``WANDB_MODE=offline``. If a run is continued, it is logged as a
    new W&B run, from its first episode.
    """

    def __init__(self, run: Path) -> None:
        import wandb

        self._opened: Any = wandb.init(
            project=os.environ.get("WANDB_PROJECT") or "aq_gym",
            name=run.name,
            dir=str(run),
            config=json.loads((run / "run.json").read_text()),
            settings=wandb.Settings(console="off", quiet=True),
        )

    def log(self, number: int, scalars: Mapping[str, float]) -> None:
        self._opened.log(dict(scalars), step=number)

    def close(self) -> None:
        self._opened.finish()


# The class and the package of each tracker, by its name, which is also the extra.
TRACKERS: dict[str, tuple[type[_TensorBoard | _Wandb], str]] = {
    "tensorboard": (_TensorBoard, "tensorboardX"),
    "wandb": (_Wandb, "wandb"),
}


class Trackers:
    """The trackers of a run; a context manager that closes them.

    Args:
        names: Names in :data:`TRACKERS`; each counts once.
        run: The run's directory.

    Raises:
        gymnasium.error.DependencyNotInstalled: If a tracker's package is not installed.
    """

    def __init__(self, names: Sequence[str], run: str | os.PathLike[str]) -> None:
        self._names = dict.fromkeys(names)
        for name in self._names:
            require(TRACKERS[name][1], f"--log {name}", name)
        self._run = Path(run)
        self._logged = 0
        self._sums: dict[str, tuple[float, int]] = {}
        self._opened: list[_TensorBoard | _Wandb] = []

    def __enter__(self) -> Trackers:
        return self

    def __exit__(self, *exception: object) -> None:
        for tracker in self._opened:
            tracker.close()

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode's scalars, and their means so far, at its number."""
        if not self._opened:
            # The run's folder has been checked, and has its manifest.
            self._opened = [TRACKERS[name][0](self._run) for name in self._names]
        self._logged += 1
        scalars = {}
        for name, value in episode_scalars(episode).items():
            total, count = self._sums.get(name, (0.0, 0))
            self._sums[name] = total + value, count + 1
            scalars[f"episode/{name}"] = value
            scalars[f"mean/{name}"] = (total + value) / (count + 1)
        for tracker in self._opened:
            tracker.log(self._logged, scalars)
