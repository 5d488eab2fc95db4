"""Directories for the trajectories of a training run."""

from __future__ import annotations

import itertools
import os
from pathlib import Path


class EpisodeDirectories:
    """Makes a new directory for each episode.

    Several processes, and several objects in one, can share the parent directory, and
    an earlier training run may have left episodes there.

    Args:
        parent: The directory of all of them; None to make none.

    Raises:
        TypeError: If it is not a path.
    """

    def __init__(self, parent: str | os.PathLike[str] | None) -> None:
        if not isinstance(parent, str | os.PathLike | None):
            raise TypeError(f"directory={parent!r:.200} must be a path or None")
        self._parent = None if parent is None else Path(parent)
        self._numbers = itertools.count()

    def make(self, process: int) -> Path | None:
        """Make the directory of the next episode, ``PROCESS-NUMBER``.

        Args:
            process: The index of the process, from 0.

        Returns:
            The directory; None if no trajectories are recorded.
        """
        if self._parent is None:
            return None
        self._parent.mkdir(parents=True, exist_ok=True)
        while True:
            directory = self._parent / f"{process}-{next(self._numbers):07d}"
            try:
                directory.mkdir()
            except FileExistsError:
                continue
            return directory
