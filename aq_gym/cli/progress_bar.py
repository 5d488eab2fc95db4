"""A run with a progress bar."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from aq_gym.cli.output import make_console
from aq_gym.evaluation import EpisodeResult, Suite, run
from aq_gym.evaluation.task import Task

_SECONDS, _LOG_SECONDS = 1.0, 60.0
# A slow model can take a minute for a step.
_ESTIMATED_OVER = 3600.0
_USED = (("tokens", "{:,.0f} tokens"), ("cost", "cost {:.4g}"))


def run_with_bar(
    suite: Suite,
    directory: str,
    agent: str,
    params: Mapping[str, Any],
    *,
    quiet: bool = False,
    on_episode: Callable[[EpisodeResult], None] | None = None,
    **more: Any,
) -> list[EpisodeResult]:
    """Run a suite and show its progress on stderr.

    A terminal has a bar; elsewhere, such as in the log of a batch job, a line is
    written every minute. The arguments besides ``quiet``, which hides both, are those
    of :func:`aq_gym.evaluation.run`.
    """
    if quiet:
        return run(suite, directory, agent, params, on_episode=on_episode, **more)
    progress = Status(suite, Path(directory, "trajectories").absolute())

    def add(episode: EpisodeResult) -> None:
        if on_episode:
            on_episode(episode)
        progress.add(episode)

    console = make_console(stderr=True)
    shown = _bar(console, agent, progress) if console.is_terminal else _log(progress)
    with shown:
        return run(suite, directory, agent, params, on_episode=add, **more)


@contextmanager
def _bar(console: Console, agent: str, progress: Status) -> Iterator[None]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with _BarAndStatus(
        *columns, console=console, speed_estimate_period=_ESTIMATED_OVER
    ) as bar:
        line = bar.add_task(agent, total=progress.total, status=str(progress))

        def show() -> None:
            bar.update(line, completed=progress.done, status=str(progress))

        try:
            with _every(_SECONDS, progress, show):
                yield
        finally:
            show()


def _log(progress: Status) -> AbstractContextManager[None]:
    return _every(_LOG_SECONDS, progress, lambda: _write_line(progress))


def _write_line(progress: Status) -> None:
    sys.stderr.write(f"{progress}\n")
    sys.stderr.flush()


@contextmanager
def _every(
    seconds: float, progress: Status, show: Callable[[], None]
) -> Iterator[None]:
    """Show the progress again and again during the block."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(seconds):
            progress.look()
            show()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


class _BarAndStatus(Progress):
    """Shows the status below the bar, so that both have room in narrow terminals."""

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        yield from (Text(task.fields["status"]) for task in self.tasks)


class Status:
    """The progress and usage of a run so far, including the episodes in play.

    Steps are read from the trajectories, so that it works with every executor.

    Attributes:
        total: The maximum number of steps; an episode without a step cap counts as one
            step.
    """

    def __init__(self, suite: Suite, folder: Path) -> None:
        self._caps = {task.name: _size(task) for task in suite.tasks}
        self._folder = folder
        self._finished: dict[str, EpisodeResult] = {}
        self._running: dict[str, _Running] = {}
        self.total = sum(self._caps.values())

    @property
    def done(self) -> int:
        """The steps so far, with an episode that has ended counting as its step cap."""
        running = (
            min(one.steps, self._caps[name]) for name, one in self._playing().items()
        )
        # Copied at once here and below, because another thread adds to it.
        finished = (self._caps[name] for name in list(self._finished))
        return sum(finished) + sum(running)

    def add(self, episode: EpisodeResult) -> None:
        """Add a finished episode."""
        self._finished[episode.task] = episode

    def look(self) -> None:
        """Read the new steps of the episodes that are being played."""
        for path in self._folder.glob("*.jsonl"):
            name = path.name.removesuffix(".jsonl")
            if name in self._caps and name not in self._finished:
                self._running.setdefault(name, _Running(path)).read()

    def __str__(self) -> str:
        finished, playing = list(self._finished.values()), self._playing().values()
        scored = [episode for episode in finished if not episode.error]
        count = max(len(scored), 1)
        steps = sum(e.steps for e in finished) + sum(one.steps for one in playing)
        used: dict[str, float] = {}
        for usage in (*(e.usage for e in finished), *(one.usage for one in playing)):
            for name, value in usage.items():
                used[name] = used.get(name, 0) + value
        errors, retries = len(finished) - len(scored), used.get("retries", 0)
        parts = [
            f"{len(finished)}/{len(self._caps)}",
            f"{steps:,} steps",
            f"success {sum(e.success for e in scored) / count:.2f}",
            f"progress {sum(e.progress_rate for e in scored) / count:.2f}",
            *(form.format(used[name]) for name, form in _USED if used.get(name)),
            *([f"{errors} errors"] if errors else []),
            *([f"{retries:.0f} retries"] if retries else []),
        ]
        return ", ".join(parts)

    def _playing(self) -> dict[str, _Running]:
        running = self._running.copy().items()
        return {name: one for name, one in running if name not in self._finished}


class _Running:
    """The steps of an episode that is being played."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self.steps = 0
        self.usage: dict[str, float] = {}

    def read(self) -> None:
        """Read the lines that were written since the last call."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                new = file.read()
        except FileNotFoundError:
            return
        whole = new[: new.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            if line.startswith(b'{"kind":"step"'):
                self.steps += 1
                if b'"notes":' in line:
                    self._use(json.loads(line).get("notes", {}))

    def _use(self, notes: Mapping[str, Any]) -> None:
        for name, value in notes.items():
            if type(value) in (int, float):
                self.usage[name] = self.usage.get(name, 0) + value


def _size(task: Task) -> int:
    return task.cap or 1
