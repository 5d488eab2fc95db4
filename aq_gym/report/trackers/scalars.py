"""The scalars that every tracker logs, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.report.curves import curves_of
from aq_gym.support.escaping import short

__all__ = ["EPISODE_COLUMNS", "RunningMeans", "curve_points", "episode_row"]

EPISODE_COLUMNS = (
    "task",
    "env",
    "instance",
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
        episode: Any episode; of one with an error only what was used counts.
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
