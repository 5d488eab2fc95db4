"""Experiment trackers that follow a run: TensorBoard, Weights & Biases."""

from __future__ import annotations

import json
import os
import pkgutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.report.curves import curves_of
from aq_gym.report.tables import markdown_cell
from aq_gym.support.escaping import short
from aq_gym.support.extras import require

EPISODE_COLUMNS = (
    "task",
    "env",
    "instance",
    "source",
    "difficulty",
    "success",
    "progress rate",
    "final progress",
    "repetition rate",
    "grounding accuracy",
    "steps",
    "ended",
    "error",
)


def episode_scalars(episode: EpisodeResult) -> dict[str, float]:
    """Return the scalars of an episode.

    Args:
        episode: Any episode; one with an error has only the scalars of its usage.
    """
    used = {name: float(value) for name, value in sorted(episode.usage.items())}
    if episode.error:
        return {"error": 1.0, **used}
    scalars = {
        "success": float(episode.success),
        "progress rate": episode.progress_rate,
        "final progress": episode.progress[-1] if episode.progress else 0.0,
        "repetition rate": episode.repetition_rate,
        "steps": float(episode.steps),
        **used,
    }
    if episode.grounding is not None:
        scalars["grounding accuracy"] = episode.grounding
    return scalars


class RunningMeans:
    """The scalars of each episode, and their running means."""

    def __init__(self) -> None:
        self.count = 0
        self._sums: dict[str, tuple[float, int]] = {}

    def add(self, episode: EpisodeResult) -> dict[str, float]:
        """Return an episode's scalars, ``episode/...``, and means, ``mean/...``."""
        self.count += 1
        logged = {}
        for name, value in episode_scalars(episode).items():
            total, count = self._sums.get(name, (0.0, 0))
            self._sums[name] = total + value, count + 1
            logged[f"episode/{name}"] = value
            logged[f"mean/{name}"] = (total + value) / (count + 1)
        return logged


def curve_points(
    episodes: Sequence[EpisodeResult],
) -> Iterator[tuple[str, int, dict[str, float]]]:
    """Yield each benchmark, step and the mean PR_t and RR_t there."""
    for env, own in by_benchmark(episodes).items():
        curves = curves_of(own)
        pairs = zip(curves.progress.mean, curves.repetition.mean, strict=True)
        for step, (progress, repetition) in enumerate(pairs, 1):
            yield env, step, {"progress": progress, "repetition": repetition}


def episode_row(episode: EpisodeResult) -> tuple[object, ...]:
    """Return an episode's row under :data:`EPISODE_COLUMNS`."""
    return (
        episode.task,
        episode.env,
        short(episode.task_id),
        episode.source,
        episode.difficulty,
        episode.success,
        episode.progress_rate,
        episode.progress[-1] if episode.progress else 0.0,
        episode.repetition_rate,
        episode.grounding,
        episode.steps,
        episode.ended,
        short(episode.error, 200),
    )


_MOST_ROWS = 1_000


class TensorBoardTracker:
    """Writes to ``tensorboard/`` in the run's folder, as tensorboardX does.

    If a run is continued, its earlier event files are replaced, and it is logged again
    from its first episode.
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
    # TensorBoard allows no other characters in a tag.
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


class WandbTracker:
    """Logs to a new W&B run, whose files are in the run's folder.

    W&B's own environment variables are used: ``WANDB_PROJECT`` (by default "aq_gym"),
    ``WANDB_ENTITY``, ``WANDB_MODE=offline``. If a run is continued, it is logged as a
    new W&B run, from its first episode.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._means = RunningMeans()
        self._opened: Any = None

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode's scalars at the episode's number."""
        opened = self._open()
        logged = self._means.add(episode)
        opened.log({"episode": self._means.count, **logged})

    def finish(self, episodes: Sequence[EpisodeResult]) -> None:
        """Log the curves by step and the table of episodes."""
        import wandb

        opened = self._open()
        for env, step, point in curve_points(episodes):
            values = {f"by step/{env}/{name}": value for name, value in point.items()}
            opened.log({"step": step, **values})
        rows = [list(episode_row(episode)) for episode in episodes]
        table = wandb.Table(columns=list(EPISODE_COLUMNS), data=rows)
        opened.log({"episodes": table})

    def close(self) -> None:
        """End the W&B run."""
        if self._opened is not None:
            self._opened.finish()

    def _open(self) -> Any:
        if self._opened is None:
            import wandb

            manifest = self._run / "run.json"
            config = json.loads(manifest.read_text()) if manifest.exists() else {}
            self._opened = wandb.init(
                project=os.environ.get("WANDB_PROJECT") or "aq_gym",
                name=self._run.resolve().name,
                dir=str(self._run),
                config=config,
                settings=wandb.Settings(console="off", quiet=True),
            )
            self._opened.define_metric("episode/*", step_metric="episode")
            self._opened.define_metric("mean/*", step_metric="episode")
            self._opened.define_metric("by step/*", step_metric="step")
        return self._opened


class RunTracker(Protocol):
    """Logs a run from its first episode."""

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode, found in the run's folder or just played."""

    def finish(self, episodes: Sequence[EpisodeResult]) -> None:
        """Log the curves over steps and the table of episodes."""

    def close(self) -> None:
        """Flush and close the log, also after an interruption."""


# The class and the package of each tracker, by its name, which is also the extra.
TRACKERS = {
    "tensorboard": (
        "aq_gym.report.trackers:TensorBoardTracker",
        "tensorboardX",
    ),
    "wandb": ("aq_gym.report.trackers:WandbTracker", "wandb"),
}


class Trackers:
    """Several trackers of one run as one; a context manager that closes them.

    Args:
        names: Names in :data:`TRACKERS`, possibly none; each counts once.
        run: The run's directory.

    Raises:
        ValueError: If there is no such tracker.
        ImportError: If its package is not installed.
    """

    def __init__(self, names: Sequence[str], run: str | os.PathLike[str]) -> None:
        self._trackers = [_made(name, Path(run)) for name in dict.fromkeys(names)]

    def __enter__(self) -> Trackers:
        return self

    def __exit__(self, *exception: object) -> None:
        for tracker in self._trackers:
            tracker.close()

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode with every tracker."""
        for tracker in self._trackers:
            tracker.add(episode)

    def finish(self, episodes: Sequence[EpisodeResult]) -> None:
        """Log the curves and the table of all episodes with every tracker."""
        for tracker in self._trackers:
            tracker.finish(episodes)


def _made(name: str, run: Path) -> RunTracker:
    if name not in TRACKERS:
        raise ValueError(f"tracker {name!r} must be one of {', '.join(TRACKERS)}")
    place, package = TRACKERS[name]
    require(package, f"--log {name}", name)
    tracker: RunTracker = pkgutil.resolve_name(place)(run)
    return tracker
