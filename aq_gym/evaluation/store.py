"""The directory of a run, to which one process writes."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from filelock import BaseFileLock, FileLock, Timeout

from aq_gym import trajectory
from aq_gym.evaluation.episode import (
    EpisodeResult,
    finished_episode,
    interrupted_episode,
)
from aq_gym.evaluation.manifest import (
    differences,
    fixed_part,
    with_changes,
    with_last_changes,
)
from aq_gym.evaluation.results import (
    damaged_rows,
    load_run,
    read_episodes,
    read_rows,
)
from aq_gym.evaluation.task import Task
from aq_gym.support.json_files import read_object, write_json
from aq_gym.trajectory import jsonl
from aq_gym.trajectory.packed import (
    SUFFIX,
    PackResult,
    names,
    pack,
    packed_path,
    recover,
)
from aq_gym.trajectory.reader import find


class RunDirectory:
    """The directory of a run; a run with an equal manifest continues it.

    ``run.json`` is the manifest, ``episodes.jsonl`` has a row per finished episode in
    the order of their ends, ``trajectories/`` a file per episode, and ``summary.json``
    the metrics. Files that a killed run left incomplete, files of retried errors and
    damaged rows are moved to ``interrupted/``; they do not count in any result. One
    process writes at a time; the lock ends with its process.

    Args:
        path: The directory; made if it does not exist.
        manifest: The manifest, as ``evaluation.manifest.run_manifest``
            returns it.
        notes: Further contents of ``run.json``, which may differ.
        hash_of_first: Returns the hash of the first tasks of the suite. A run of these
            tasks alone is continued too.
        may_change: The names of the agent's parameters that may differ. Differences are
            added to the notes, like changed versions of Python and of packages.
        allow_changes: Whether a run with another manifest is continued, too.

    Raises:
        ValueError: If the directory holds a run with another manifest, or another
            process writes to it.

    Attributes:
        used: Sums of what agents noted in all attempts: tokens, cost, latency.
        superseded: The episodes that are unfinished, or were retried after an error.
        damaged: Whether the directory had damaged rows.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        manifest: dict[str, Any],
        notes: dict[str, Any] | None = None,
        hash_of_first: Callable[[int], str] | None = None,
        may_change: Collection[str] = (),
        allow_changes: bool = False,
    ) -> None:
        self._process = os.getpid()
        self.path = Path(path)
        self.trajectories = self.path / "trajectories"
        self.interrupted = self.path / "interrupted"
        self.trajectories.mkdir(parents=True, exist_ok=True)
        self._lock = lock_run(self.path)
        try:
            now = {**manifest, "notes": notes or {}}
            self._claim(now, hash_of_first, may_change, allow_changes)
            recover(self.trajectories)
            # Listed once, because looking for each task's file takes far longer.
            self._found = names(self.trajectories)
            found = self._read_rows()
            rows = self.path / "episodes.jsonl"
            # A file that was begun without checksums stays without them.
            self._lines = jsonl.JsonLines(rows, checksums=jsonl.has_checksums(rows))
        except BaseException:
            self._lock.release()
            raise
        self.used: dict[str, float] = {}
        self.superseded: list[EpisodeResult] = []
        self._episodes: dict[str, EpisodeResult] = {}
        for episode in found:
            self._take(episode)
        file = self.path / "run.json"
        changed = with_changes(read_object(file), now, len(found))
        if changed:
            write_json(file, changed)

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *exception: object) -> None:
        self._lines.close()
        self._lock.release()

    def _read_rows(self) -> list[EpisodeResult]:
        """Return the episodes, after moving damaged rows to ``interrupted/``."""
        episodes, problems = read_episodes(self.path)
        self.damaged = bool(problems)
        if problems:
            warnings.warn(f"{self.path}: {damaged_rows(problems)}", stacklevel=1)
            self.interrupted.mkdir(exist_ok=True)
            rows = partial(read_rows, self.path)
            with (self.interrupted / "episodes.jsonl").open("ab") as aside:
                aside.writelines(row.raw + b"\n" for row in rows() if row.problem)
            kept = (row.raw for row in rows() if not row.problem)
            jsonl.rewrite(self.path / "episodes.jsonl", kept)
        return episodes

    def known(self, task: Task) -> EpisodeResult | None:
        """Return the last episode of a task, or None if it has none."""
        return self._episodes.get(task.name)

    def finished(self, task: Task, retry_error: bool = False) -> EpisodeResult | None:
        """Return a task's episode if it is finished, otherwise set its files aside.

        If the run was killed after the end of the episode and before its row was
        written, the row is added.

        Args:
            task: The task to be played.
            retry_error: Whether an episode with an error is played again.
        """
        known = self._episodes.get(task.name)
        if known and not known.error:
            return known
        if not known and task.name not in self._found:
            return None
        # After an error, the file may be that of a later attempt, which has no row yet.
        played = self._played(task)
        if played and not (retry_error and played.error):
            if known and (played.error or played == known):
                return known
            return self.add(played)
        if known and not retry_error:
            return known
        self.set_aside(task)
        return None

    def add(self, episode: EpisodeResult) -> EpisodeResult:
        """Add an episode's row and return the episode.

        Raises:
            RuntimeError: If another process has opened the directory.
        """
        if os.getpid() != self._process:
            raise RuntimeError(f"process {self._process} writes to {self.path}")
        self._lines.append(episode.to_record())
        self._take(episode)
        return episode

    def _take(self, episode: EpisodeResult) -> None:
        if episode.unfinished:
            self.superseded.append(episode)
        else:
            if episode.task in self._episodes:
                self.superseded.append(self._episodes[episode.task])
            self._episodes[episode.task] = episode
        for key, value in episode.usage.items():
            self.used[key] = self.used.get(key, 0) + value

    def _played(self, task: Task) -> EpisodeResult | None:
        """Return the episode of a task's trajectory, or None if it is incomplete."""
        try:
            recorded = trajectory.read(find(self.trajectories, task.name))
        except (FileNotFoundError, ValueError):
            # A damaged file is set aside, as an incomplete one is.
            return None
        return finished_episode(task, recorded)

    def set_aside(self, task: Task) -> None:
        """Move a task's incomplete trajectory to ``interrupted/``, if there is one.

        If its agent has used anything and the attempt has no row, one is added.
        """
        try:
            path = find(self.trajectories, task.name)
        except FileNotFoundError:
            return
        self._count(task, path)
        self.interrupted.mkdir(exist_ok=True)
        attempt = 1
        while _has(target := self.interrupted / f"{attempt:03d}-{path.name}"):
            attempt += 1
        if path.exists():
            path.rename(target)
        else:
            packed_path(path).rename(packed_path(target))

    def _count(self, task: Task, path: Path) -> None:
        """Add a row for an interrupted attempt that has used something."""
        attempt = _attempt(task, path)
        if attempt is None or not attempt.usage:
            return
        rows = [row for row in self.superseded if row.task == task.name]
        rows += [self._episodes[task.name]] if task.name in self._episodes else []
        moved = [_attempt(task, one) for one in self._attempts(task)]
        counted, aside = (
            sum((one.steps, one.usage) == (attempt.steps, attempt.usage) for one in own)
            for own in (rows, filter(None, moved))
        )
        # It is counted already if a process was killed before it moved the file.
        if counted <= aside:
            self.add(attempt)

    def _attempts(self, task: Task) -> list[Path]:
        """Return the trajectories of a task in ``interrupted/``."""
        return sorted(self.interrupted.glob(f"*-{task.name}{SUFFIX}*"))

    def interrupted_attempt(self, task: Task) -> Path | None:
        """Return the longest trajectory of a task in ``interrupted/``, if it has one.

        Returns:
            The path; also None if the task has a row, which ends its attempts.
        """
        if self.known(task):
            return None
        longest, steps = None, 0
        for path in self._attempts(task):
            try:
                recorded = trajectory.read(path)
            except ValueError:
                continue
            if recorded.in_order and recorded.header and len(recorded.steps) > steps:
                longest, steps = path, len(recorded.steps)
        return longest

    def _claim(
        self,
        now: dict[str, Any],
        hash_of_first: Callable[[int], str] | None,
        may_change: Collection[str],
        allow_changes: bool,
    ) -> None:
        file = self.path / "run.json"
        if not file.exists():
            write_json(file, now)
            return
        before = read_object(file)
        grown = hash_of_first is not None and _begins_with(now, before, hash_of_first)
        if grown:
            before = {**before, "suite": now["suite"]}
        last = with_last_changes(before)
        fixed = fixed_part(last, may_change), fixed_part(now, may_change)
        changes = "; ".join(differences(*fixed))
        if changes and not allow_changes:
            raise ValueError(
                f"{self.path} holds another run: {changes}; give another directory, or "
                "--allow-changes (allow_changes=True) to continue it nevertheless"
            )
        if changes or grown:
            record = {**before, **{key: now[key] for key in _ALLOWED & now.keys()}}
            held = last["notes"]
            kept = {key: held[key] for key in ("workers", "changes") if key in held}
            record["notes"] = {**now["notes"], **kept}
            write_json(file, record)


# The keys of run.json that get the current values when changes are allowed.
_ALLOWED = frozenset({"suite", "parent"})


def _attempt(task: Task, path: Path) -> EpisodeResult | None:
    """Return a task's interrupted attempt, None if the file is damaged or foreign."""
    try:
        return interrupted_episode(task, trajectory.read(path))
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return None


def _has(path: Path) -> bool:
    return path.exists() or packed_path(path).exists()


def _refuse_links(path: Path) -> None:
    """Raise if a run contains a link, which would lead writes to other files."""
    for folder in (path, *(path / name for name in _FOLDERS)):
        if not folder.is_dir():
            continue
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    raise ValueError(
                        f"{entry.path} is a link, which a run that is written to "
                        "must not have: replace it with its target"
                    )


_FOLDERS = ("trajectories", "interrupted", "ratings")


def lock_run(path: Path) -> BaseFileLock:
    """Lock the directory of a run and return the lock, held until the process ends.

    Raises:
        ValueError: If another process writes to it, or it contains a link.
    """
    _refuse_links(path)
    lock = FileLock(path / ".lock")
    try:
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout as error:
        raise ValueError(f"{path}: another process writes to it") from error
    return lock


def is_locked(path: Path) -> bool | None:
    """Return whether a process writes to a run, None if that cannot be known.

    Args:
        path: The directory of the run.
    """
    file = path / ".lock"
    # A run that was copied may have no such file, and locking would make one.
    if file.is_symlink() or not file.is_file():
        return None
    try:
        with FileLock(file, timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return None


# A process that was killed may take this long to end and to release its lock.
_LOCK_SECONDS = 1.0


def _begins_with(
    now: Mapping[str, Any],
    before: Mapping[str, Any],
    hash_of_first: Callable[[int], str],
) -> bool:
    """Return whether a suite extends that of an earlier run."""
    suite, notes = before.get("suite"), before.get("notes")
    if not isinstance(suite, dict) or not isinstance(notes, dict):
        return False
    tasks, attempts = notes.get("tasks"), suite.get("attempts", 1)
    if not type(tasks) is type(attempts) is int or not 0 < attempts <= tasks:
        return False
    if tasks >= now["notes"]["tasks"] or attempts > now["suite"].get("attempts", 1):
        return False
    same_name = suite.get("name") == now["suite"]["name"]
    return same_name and suite.get("hash") == hash_of_first(tasks // attempts)


def compact(path: str | os.PathLike[str]) -> PackResult:
    """Compress each trajectory of a finished run, as ``NAME.jsonl.gz``.

    Every reader of the run still gets the same bytes. A file is removed when its
    compressed one is complete; a process that is killed before that leaves it, and the
    next one continues.

    Args:
        path: The directory of the run.

    Returns:
        The number of files that were packed now, and their size before and after.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If the run is not finished, one of its files is damaged, or another
            process writes to it.
        OSError: If a file could not be written; the remaining ones are unchanged.
    """
    run = load_run(path)
    with lock_run(run.path):
        # Read again, now that no process plays.
        run = load_run(path)
        tasks = run.manifest.get("notes", {}).get("tasks")
        if not run.summary or (isinstance(tasks, int) and len(run.episodes) < tasks):
            raise ValueError(
                f"{run.path} is not finished: it has {len(run.episodes)} of {tasks} "
                "episodes; run its command again to continue it"
            )
        return pack(run.path / "trajectories")
