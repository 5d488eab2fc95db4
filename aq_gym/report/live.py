"""The report of runs in progress, and their status."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from aq_gym import trajectory
from aq_gym.core.text import amount, plural
from aq_gym.evaluation import EpisodeResult, load_run
from aq_gym.evaluation.episode import EpisodeStats
from aq_gym.evaluation.store import is_locked
from aq_gym.evaluation.summary import usage_totals
from aq_gym.importers.convert import log_files
from aq_gym.report.archive import Archive
from aq_gym.report.build import fill_page
from aq_gym.report.collect import Collector
from aq_gym.report.content import report_page
from aq_gym.report.data import BROKEN_OFF, RUNNING, Run, distinct, load_runs
from aq_gym.report.page import render
from aq_gym.report.pictures import drawn
from aq_gym.support.escaping import visible
from aq_gym.trajectory.reader import find

# Limits rebuilding, so that most of the processor time is left to the agent.
_LEAST_SECONDS = 2.0
_SHARE = 5
_SUFFIX = ".jsonl"
_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
)
# The speed of a run is estimated from the last episodes, the time left from at least 5.
_LATEST, _LEAST = 50, 5
# A run that has not ended counts as stopped after this many seconds without a write, if
# no process here holds its lock, or if that is not known.
_SILENT = {False: 30, None: 600}


class LiveReport:
    """The report of runs, rebuilt when their files change.

    Args:
        runs: The directories of the runs. The report waits for those that are missing
            or empty.
        run_of: Returns the run of a path, which may be a log.

    Raises:
        FileNotFoundError: If a directory holds something else.
        ValueError: If a run is given twice, or a log cannot be read as a run.
    """

    def __init__(
        self,
        runs: Sequence[str | os.PathLike[str]],
        run_of: Callable[[Path], Path] = Path,
    ) -> None:
        self._paths = distinct(runs)
        self._run_of = run_of
        self._collector = Collector(keep=True)
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._stamp = ""
        self._page = ""
        self._rebuild_from = self._status_from = 0.0
        for path in self._paths:
            if _has_begun(path):
                load_run(run_of(path))

    def stamp(self) -> str:
        """Return a value that changes when the page must be rebuilt."""
        if self._page and time.monotonic() < self._rebuild_from:
            return self._stamp
        return self._stamp_of_files()

    def status(self) -> str:
        """Return the status of the runs now, without the page; "" if it is the page's.

        It is "" as well if a run is a log, which is long to read, if a run cannot be
        read, or if reading them would take more than its share of the time.
        """
        if time.monotonic() < self._status_from:
            return ""
        start = time.process_time()
        with suppress(ValueError, OSError):
            if self._stamp_of_files() != self._stamp:
                runs = load_runs([path for path in self._paths if _has_begun(path)])
                running = list(map(running_episodes, runs))
                told = status_text(runs, running, len(self._paths) - len(runs))
                pause = _SHARE * (time.process_time() - start)
                self._status_from = time.monotonic() + pause
                return f"{told} · the figures below are older"
        return ""

    def pictures(self, number: str, task: str) -> dict[str, Any] | None:
        """Return the pictures of an episode, or None if there is no such episode.

        They are drawn for this call, by a replay that trusts no file.

        Args:
            number: The number of its run among the runs that have begun.
            task: The name of its task.
        """
        begun = enumerate(filter(_has_begun, self._paths))
        with suppress(KeyError, OSError, ValueError):
            run = self._run_of({str(place): path for place, path in begun}[number])
            file = find(run / "trajectories", task)
            size = file.stat().st_size if file.exists() else 0
            with self._drawing:
                return _drawn(run, task, size)
        return None

    def page(self) -> str:
        """Return the page, rebuilt if the files have changed."""
        with self._lock:
            stamp = self.stamp()
            if stamp != self._stamp or not self._page:
                start = time.process_time()
                self._page = self._built(stamp)
                self._stamp = stamp
                self._rebuild_from = time.monotonic() + max(
                    _LEAST_SECONDS, _SHARE * (time.process_time() - start)
                )
            return self._page

    def _built(self, stamp: str) -> str:
        try:
            return self._of_runs(stamp)
        except (ValueError, OSError) as error:
            # The files were damaged or moved; this page is replaced once they can be
            # read.
            return _waiting(stamp, "a run cannot be read", visible(str(error)))

    def _of_runs(self, stamp: str) -> str:
        begun = [path for path in self._paths if _has_begun(path)]
        # A log may grow after all its episodes have ended.
        folders = list(map(self._run_of, begun))
        runs = load_runs(folders) if begun else []
        running = [running_episodes(run) for run in runs]
        if not any(run.episodes for run in runs) and not any(running):
            told = f"No episode has begun in {', '.join(map(str, self._paths))}"
            return _waiting(stamp, "waiting for a run", visible(told))
        waiting = len(self._paths) - len(runs)
        live = {
            "stamp": stamp,
            "finished": not waiting and has_finished(runs) and folders == begun,
            "status": status_text(runs, running, waiting),
            "stopped": sum(is_stopped(run.path) for run in runs),
        }
        with Archive() as archive:
            collected = self._collector.collect(runs, archive, running)
            return fill_page(report_page(runs, collected, live=live), archive)

    def _stamp_of_files(self) -> str:
        states = []
        for run in self._paths:
            states.append((run.name, int(is_stopped(run)), 0))
            files = {
                run / "run.json",
                run / "episodes.jsonl",
                *log_files(run),
                *(run / "trajectories").glob("*.jsonl"),
            }
            for file in sorted(files):
                # The file may just have been moved, or no episode has ended yet.
                with suppress(OSError):
                    state = file.stat()
                    states.append((file.name, state.st_size, state.st_mtime_ns))
        return hashlib.sha256(repr(states).encode()).hexdigest()[:16]


@lru_cache(32)
def _drawn(run: Path, task: str, size: int) -> dict[str, Any]:
    """Return the pictures of an episode; ``size`` is that of its growing file."""
    return drawn(run, task)


def _has_begun(path: Path) -> bool:
    return path.exists() and (not path.is_dir() or any(path.iterdir()))


def _waiting(stamp: str, title: str, problem: str) -> str:
    """Return a page that waits for the first finished episode."""
    return render(
        "waiting.html",
        mode="live",
        title=title,
        sections=(),
        live={"stamp": stamp, "finished": False},
        problem=problem,
    )


def running_episodes(run: Run) -> list[EpisodeResult]:
    """Return the results so far of episodes that have a file but no row yet.

    Such an episode has ``ended`` "running", or "broken off" if the run has stopped, and
    counts in no metric.
    """
    found = []
    ended = BROKEN_OFF if is_stopped(run.path) else RUNNING
    finished = {episode.task for episode in run.episodes}
    for path in sorted((run.path / "trajectories").glob(f"*{_SUFFIX}")):
        task = path.name.removesuffix(_SUFFIX)
        if task not in finished:
            # Its first line is being written, or the file was moved or is damaged.
            with suppress(*_UNREADABLE):
                found.append(_so_far(task, path, ended))
    return found


def _so_far(task: str, path: Path, ended: str) -> EpisodeResult:
    played = trajectory.read(path)
    header = played.header
    env = (header["spec"] or {}).get("id", "")
    seed = header["seed"] if isinstance(header["seed"], int) else 0
    fields = {**EpisodeStats.of(played).fields(), "ended": ended, "error": ""}
    return EpisodeResult(task, env, env, seed, **fields)


def has_finished(runs: Sequence[Run]) -> bool:
    """Return whether every task of some runs has ended, and each run with them."""
    return all(
        run.tasks is not None
        and len(run.episodes) >= run.tasks
        and (run.path / "summary.json").is_file()
        for run in runs
    )


def modified(file: Path) -> int:
    """Return when a file last changed, or 0 if it is missing or a broken link."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def is_stopped(path: Path) -> bool:
    """Return whether a run has not ended, and yet nothing is written to it."""
    if (path / "summary.json").is_file() or (locked := is_locked(path)):
        return False
    # During a long episode only the file of the episode changes.
    files = [path / name for name in ("run.json", "episodes.jsonl", "trajectories")]
    newest = max(map(modified, [*files, *(files[-1].glob("*.jsonl"))]))
    return time.time() - newest / 1e9 > _SILENT[locked]


def status_text(
    runs: Sequence[Run],
    running: Sequence[Sequence[EpisodeResult]],
    waiting: int = 0,
) -> str:
    """Return the status of runs: episodes, rate, time left, cost and errors.

    Args:
        runs: The runs.
        running: For each run, the episodes that are being played.
        waiting: The number of further runs, which have not begun.
    """
    pairs = list(zip(runs, running, strict=True))
    begun = len(runs)
    # Finished runs are not counted with those in progress.
    if unfinished := [pair for pair in pairs if not has_finished(pair[:1])]:
        runs, running = zip(*unfinished, strict=True)
    ended = sum(len(run.episodes) for run in runs)
    known = [run.tasks for run in runs if run.tasks is not None]
    whole = len(known) == len(runs) and not waiting
    parts = [
        f"{ended:,} of {sum(known):,} episode{'s' * (sum(known) != 1)}"
        if whole
        else f"{ended:,} episodes"
    ]
    if waiting:
        parts.append(f"{waiting} of {begun + waiting} runs not begun")
    if len(runs) < begun:
        parts.append(f"{plural(begun - len(runs), 'other run')} finished")
    going = [not is_stopped(run.path) for run in runs]
    if playing := sum(len(now) for now, on in zip(running, going, strict=True) if on):
        parts.append(f"{playing} being played")
    if any(going) and not has_finished(runs):
        rates = [on * _per_second(run) for run, on in zip(runs, going, strict=True)]
        if sum(rates):
            parts.append(f"{amount(60 * sum(rates))} a minute")
        missing = [(run.tasks or 0) - len(run.episodes) for run in runs]
        times = [m / r if r else None for m, r in zip(missing, rates, strict=True) if m]
        if whole and ended >= _LEAST and times and None not in times:
            parts.append(f"about {_duration(max(t for t in times if t))} left")
    if cost := sum(usage_totals(run.episodes).get("cost", 0.0) for run in runs):
        parts.append(f"cost ${amount(cost)}")
    if errors := sum(bool(e.error) for run in runs for e in run.episodes):
        parts.append(plural(errors, "error"))
    return " · ".join(parts)


def _per_second(run: Run) -> float:
    """Return the number of episodes per second, from the times of their files."""
    tasks = {episode.task for episode in run.episodes}
    files = (run.path / "trajectories").glob(f"*{_SUFFIX}")
    ended = [
        modified(file) for file in files if file.name.removesuffix(_SUFFIX) in tasks
    ]
    # The span begins with the run, as several episodes can end at once; it ends now, so
    # that the rate falls while no episode ends.
    times = sorted([modified(run.path / "run.json"), *filter(None, ended)])[-_LATEST:]
    return (len(times) - 1) / max(time.time() - times[0] / 1e9, 0.001)


def _duration(seconds: float) -> str:
    for size, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{max(seconds, 1):.0f} s"
