"""The directory of a run: manifest, episodes and trajectories."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from filelock import BaseFileLock, FileLock, Timeout

from aq_gym import trajectory
from aq_gym.evaluation.difference import differences
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.execution.recorder import recorded_episode
from aq_gym.evaluation.manifest import identity, with_changes
from aq_gym.evaluation.results import read_episodes
from aq_gym.evaluation.task import Task
from aq_gym.support.json_files import read_object, write_json
from aq_gym.trajectory import jsonl
from aq_gym.trajectory.packed import names, packed_path, recover
from aq_gym.trajectory.reader import find


class RunDirectory:
    """The directory of a run; a run with an equal manifest continues it.

    ``run.json`` is the manifest, ``episodes.jsonl`` has a row per finished episode in
    the order of their ends, ``trajectories/`` a file per episode, and ``summary.json``
    the metrics. Files that a killed run left incomplete are moved to ``interrupted/``,
    as are those of errors that are retried; they do not count in any result. One
    process writes at a time; the lock ends with its process.

    Args:
        path: The directory; made if it does not exist.
        manifest: The manifest, as a JSON object; all of it must be equal for a run to
            be continued.
        notes: Further contents of ``run.json``, which may differ.
        hash_of_first: Returns the hash of the first tasks of the suite. A run of these
            tasks alone is continued too.
        may_change: The names of the agent's parameters that may differ. What differs is
            added to the notes.

    Raises:
        ValueError: If the directory holds a run with another manifest, or another
            process writes to it.

    Attributes:
        used: Sums of what agents noted in all attempts: tokens, cost, latency.
        superseded: The episodes that are unfinished, or were retried after an error.
        interrupted_files: The trajectories that were moved to ``interrupted/`` by the
            name of their task; not those of retried errors.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        manifest: dict[str, Any],
        notes: dict[str, Any] | None = None,
        hash_of_first: Callable[[int], str] | None = None,
        may_change: Collection[str] = (),
    ) -> None:
        self._process = os.getpid()
        self.path = Path(path)
        self.trajectories = self.path / "trajectories"
        self.interrupted = self.path / "interrupted"
        self.trajectories.mkdir(parents=True, exist_ok=True)
        self._lock = lock_run(self.path)
        try:
            now = {**manifest, "notes": notes or {}}
            self._claim(now, hash_of_first, may_change)
            recover(self.trajectories)
            # Listed once; looking for the file of each task takes far longer.
            self._found = names(self.trajectories)
            rows = self.path / "episodes.jsonl"
            # A file that an earlier version began without checksums stays without them.
            self._lines = jsonl.JsonLines(rows, checksums=jsonl.has_checksums(rows))
        except BaseException:
            self._lock.release()
            raise
        self.used: dict[str, float] = {}
        self.superseded: list[EpisodeResult] = []
        self.interrupted_files: dict[str, Path] = {}
        self._episodes: dict[str, EpisodeResult] = {}
        found = read_episodes(self.path)
        for episode in found:
            self._take(episode)
        file = self.path / "run.json"
        changed = with_changes(read_object(file), now, may_change, len(found))
        if changed:
            write_json(file, changed)

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *exception: object) -> None:
        self._lines.close()
        self._lock.release()

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
        # A file that ends with "closed" is that of an abandoned episode.
        if recorded.complete and recorded.end and recorded.end["reason"] in _ENDS:
            try:
                return recorded_episode(task, recorded)
            except ValueError as error:
                return EpisodeResult.of_task(task, error=f"ValueError: {error}")
            except (AttributeError, KeyError, OverflowError, TypeError):
                # Not the file that this run wrote.
                return None
        return None

    def set_aside(self, task: Task) -> None:
        """Move a task's incomplete trajectory to ``interrupted/``, if there is one."""
        try:
            path = find(self.trajectories, task.name)
        except FileNotFoundError:
            return
        self.interrupted.mkdir(exist_ok=True)
        attempt = 1
        while _has(target := self.interrupted / f"{attempt:03d}-{path.name}"):
            attempt += 1
        if path.exists():
            path.rename(target)
        else:
            packed_path(path).rename(packed_path(target))
        if not self.known(task):
            self.interrupted_files[task.name] = target

    def _claim(
        self,
        now: dict[str, Any],
        hash_of_first: Callable[[int], str] | None,
        may_change: Collection[str],
    ) -> None:
        file = self.path / "run.json"
        if not file.exists():
            write_json(file, now)
            return
        before = read_object(file)
        grown = hash_of_first is not None and _begins_with(now, before, hash_of_first)
        if grown:
            before = {**before, "suite": now["suite"]}
        fixed = identity(before, may_change), identity(now, may_change)
        changes = "; ".join(differences(*fixed))
        if grown and not changes:
            kept = {key: before["notes"].get(key) for key in ("workers", "changes")}
            kept = {key: value for key, value in kept.items() if value is not None}
            write_json(file, {**before, "notes": {**now["notes"], **kept}})
        if changes:
            raise ValueError(
                f"{self.path} holds another run: {changes}; give another directory"
            )


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


_ENDS = ("terminated", "truncated")
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
    tasks = notes.get("tasks")
    if type(tasks) is not int or not 0 < tasks < now["notes"]["tasks"]:
        return False
    same_name = suite.get("name") == now["suite"]["name"]
    return same_name and suite.get("hash") == hash_of_first(tasks)
