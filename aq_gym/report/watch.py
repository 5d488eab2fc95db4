"""The report of a run in progress."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from aq_gym.evaluation import load_run
from aq_gym.report.archive import Archive
from aq_gym.report.build import fill_page
from aq_gym.report.collect import Collector
from aq_gym.report.content import report_page
from aq_gym.report.data import distinct, load_runs
from aq_gym.report.page import render
from aq_gym.report.pictures import drawn
from aq_gym.report.running import has_finished, running_episodes, told
from aq_gym.support.escaping import visible
from aq_gym.support.extras import require
from aq_gym.trajectory.reader import find

# Limits rebuilding, so that most of the processor time is left to the agent.
_LEAST_SECONDS = 2.0
_SHARE = 10


class LiveReport:
    """The report of runs, rebuilt when their files change.

    Args:
        runs: The directories of the runs; one that is missing or empty is waited for.

    Raises:
        FileNotFoundError: If a directory holds something else.
        ImportError: If Jinja2 is not installed.
        ValueError: If a run is given twice.
    """

    def __init__(self, runs: Sequence[str | os.PathLike[str]]) -> None:
        require("jinja2", "the report", "report")
        self._paths = distinct(runs)
        self._collector = Collector(keep=True)
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._stamp = ""
        self._page = ""
        self._again = 0.0
        for path in self._paths:
            if _has_begun(path):
                load_run(path)

    def stamp(self) -> str:
        """Return a value that changes when the page must be rebuilt."""
        if self._page and monotonic() < self._again:
            return self._stamp
        return self._stamp_of_files()

    def pictures(self, number: str, task: str) -> dict[str, Any] | None:
        """Return the pictures of an episode, None if there is no such episode.

        They are drawn when they are asked for, by a replay that trusts no file.

        Args:
            number: The number of its run among those that have begun.
            task: The name of its task.
        """
        begun = (path for path in self._paths if _has_begun(path))
        run = {str(place): path for place, path in enumerate(begun)}.get(number)
        if run is None:
            return None
        try:
            file = find(run / "trajectories", task)
            size = file.stat().st_size if file.exists() else 0
        except (OSError, ValueError):
            return None
        with self._drawing:
            return _drawn(run, task, size)

    def finished(self) -> bool:
        """Return whether the runs have finished, and none will go on by itself."""
        # Most runs are told from their missing file, without reading the others.
        if not all((path / "summary.json").is_file() for path in self._paths):
            return False
        try:
            return has_finished(load_runs(self._paths))
        except (ValueError, OSError):
            return False

    def page(self) -> str:
        """Return the page, rebuilt if the files have changed."""
        with self._lock:
            stamp = self.stamp()
            if stamp != self._stamp or not self._page:
                start = process_time()
                self._page = self._built(stamp)
                self._stamp = stamp
                pause = _SHARE * (process_time() - start)
                self._again = monotonic() + max(_LEAST_SECONDS, pause)
            return self._page

    def _built(self, stamp: str) -> str:
        try:
            return self._of_runs(stamp)
        except (ValueError, OSError) as error:
            # Its files have been damaged or moved; the page still follows them.
            return _waiting(stamp, "a run cannot be read", visible(str(error)))

    def _of_runs(self, stamp: str) -> str:
        begun = [path for path in self._paths if _has_begun(path)]
        runs = load_runs(begun) if begun else []
        running = [running_episodes(run) for run in runs]
        if not any(run.episodes for run in runs) and not any(running):
            names = ", ".join(path.name for path in self._paths)
            return _waiting(stamp, visible(names))
        waiting = len(self._paths) - len(runs)
        live = {
            "stamp": stamp,
            "finished": not waiting and has_finished(runs),
            "told": told(runs, running, waiting),
        }
        with Archive() as archive:
            collected = self._collector.collect(runs, archive, running)
            return fill_page(report_page(runs, collected, live=live), archive)

    def _stamp_of_files(self) -> str:
        states = []
        for run in self._paths:
            files = [run / "run.json", run / "episodes.jsonl"]
            files += (run / "trajectories").glob("*.jsonl")
            for file in sorted(files):
                try:
                    state = file.stat()
                except OSError:
                    # A file that was just moved, or no episode has ended yet.
                    continue
                states.append((file.name, state.st_size, state.st_mtime_ns))
        return hashlib.sha256(repr(states).encode()).hexdigest()[:16]


@lru_cache(32)
def _drawn(run: Path, task: str, size: int) -> dict[str, Any]:
    """Return the pictures of an episode, whose file grows while it is played."""
    return drawn(run, task)


def _has_begun(path: Path) -> bool:
    return path.exists() and (not path.is_dir() or any(path.iterdir()))


def _waiting(stamp: str, title: str, problem: str = "") -> str:
    """Return a page that waits for the first finished episode."""
    return render(
        "waiting.html",
        mode="live",
        title=title,
        sections=(),
        live={"stamp": stamp, "finished": False},
        problem=problem,
    )
