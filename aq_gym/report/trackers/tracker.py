"""The protocol of a tracker, and several trackers as one."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from aq_gym.evaluation import EpisodeResult
from aq_gym.support.extras import require


class RunTracker(Protocol):
    """Logs a run, from its first episode on."""

    def add(self, episode: EpisodeResult) -> None:
        """Log an episode, found in the run's folder or just played."""

    def finish(self, episodes: Sequence[EpisodeResult]) -> None:
        """Log the curves over steps and the table of episodes."""

    def close(self) -> None:
        """Flush and close the log, also after an interruption."""


# The class and the package of each tracker; the extra has the tracker's name.
TRACKERS = {
    "tensorboard": (
        "aq_gym.report.trackers.tensorboard_log:TensorBoardTracker",
        "tensorboardX",
    ),
    "wandb": ("aq_gym.report.trackers.wandb_log:WandbTracker", "wandb"),
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
