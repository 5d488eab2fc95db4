"""A suite: an ordered list of tasks under a name and a hash."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib.resources import as_file, files
from pathlib import Path, PurePath
from pkgutil import resolve_name
from typing import Any

from aq_gym.core.arguments import check_arguments
from aq_gym.core.text import did_you_mean
from aq_gym.evaluation.task import Task
from aq_gym.support.json_files import read_json, read_text

# The name of the suite of --env.
COMMAND_LINE = "command line"
# Suites that are made from the user's files when they are loaded.
_BUILT = {"agentquest-official": "aq_gym.papers.suites:official_suite"}
_FIELDS = {"seeds", *(one.name for one in fields(Task))} - {"attempt"}


@dataclass(frozen=True)
class Suite:
    """An ordered list of different tasks.

    Args:
        name: Its name.
        tasks: Its tasks, in the order of play.
        description: Its purpose, in a sentence.
        note: What a reader of its results must know, such as which tasks of a
            published benchmark it lacks; shown when a run of it begins.
        partial: Whether ``aq-gym run`` plays the tasks whose data are present, and
            lists the others; otherwise a task without its data is an error.
    """

    name: str
    tasks: tuple[Task, ...]
    description: str = ""
    note: str = ""
    partial: bool = False

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that identify the tasks and their order."""
        return self.hash_of_first(len(self.tasks))

    @property
    def attempts(self) -> int:
        """The number of attempts at each task."""
        return max((task.attempt for task in self.tasks), default=1)

    @property
    def identity(self) -> dict[str, Any]:
        """The name, the hash, and the number of attempts if there are several."""
        several = {"attempts": self.attempts} if self.attempts > 1 else {}
        return {"name": self.name, "hash": self.hash, **several}

    def hash_of_first(self, count: int) -> str:
        """Return the hash of the suite's first tasks.

        Args:
            count: The number of tasks, without repeated attempts.
        """
        tasks = [task for task in self.tasks if task.attempt == 1][:count]
        records = [task.to_record() for task in tasks]
        text = json.dumps(records, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def most_steps(self) -> int | None:
        """The sum of the step caps; None if the cap of a task is unknown here."""
        caps = [task.cap for task in self.tasks]
        return sum(caps) if all(caps) else None

    def repeated(self, attempts: int) -> Suite:
        """Return a suite with several attempts at each task, after the first ones."""
        tasks = (
            replace(task, attempt=n)
            for n in range(1, attempts + 1)
            for task in self.tasks
        )
        return replace(self, tasks=(*tasks,))

    def part(
        self,
        *,
        only: Sequence[str] = (),
        episodes: int | None = None,
        limit: int | None = None,
        max_steps: int | None = None,
    ) -> Suite:
        """Return a part of the suite, with a name such as "quick (limit=5)".

        Args:
            only: The ids, or settings such as ``ID?key=value``, whose tasks are kept;
                all if empty.
            episodes: The maximum number of tasks of each setting.
            limit: The maximum number of tasks in total; the first ones are kept.
            max_steps: The step cap of each task in place of its own.

        Raises:
            ValueError: If the suite has no task of one of ``only``.
        """
        chosen = {
            "only": ",".join(only) or None,
            "episodes": episodes,
            "limit": limit,
            "max_steps": max_steps,
        }
        given = [f"{name}={v}" for name, v in chosen.items() if v is not None]
        if not given:
            return self
        for name in only:
            self._check_has(name)
        count: Counter[str] = Counter()
        kept = []
        for task in self.tasks:
            if only and not {task.id, task.setting} & {*only}:
                continue
            count[task.setting] += 1
            if episodes is None or count[task.setting] <= episodes:
                kept.append(task)
        tasks = kept[:limit]
        if max_steps is not None:
            tasks = [replace(task, max_steps=max_steps) for task in tasks]
        return replace(self, name=f"{self.name} ({', '.join(given)})", tasks=(*tasks,))

    def _check_has(self, name: str) -> None:
        ids = dict.fromkeys(task.id for task in self.tasks)
        if name in ids or any(name == task.setting for task in self.tasks):
            return
        raise ValueError(
            f"only={name!r}: {did_you_mean(name, ids)}suite {self.name!r} has "
            f"{', '.join(ids)}"
        )

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Suite:
        """Load a packaged suite, or one from a JSON file.

        The file has ``name``, ``description``, ``note``, ``partial`` and ``tasks``, a
        list of objects with ``id``, ``seed`` or a list of ``seeds``, and optionally
        ``kwargs``, ``max_steps``, ``difficulty``, ``progress``, ``cluster``,
        ``max_invalid`` and ``raw_repetition``; ``defaults`` is an object with the
        fields that all tasks share. The tasks of the files in ``include`` come first:
        files in packages, each as ``package:path``.

        Args:
            name: The name of a packaged suite, or the path of a file.

        Raises:
            ValueError: If there is no such suite, or the file does not have this form.
        """
        packaged = packaged_suites()
        if name in _BUILT:
            built: Suite = resolve_name(_BUILT[str(name)])()
            return built
        if name in packaged:
            return cls.from_json(packaged[str(name)], str(name))
        path = Path(name)
        if not path.is_file():
            raise ValueError(
                f"suite={os.fspath(name)!r}: {did_you_mean(os.fspath(name), packaged)}"
                "give the path of a JSON file or one of "
                f"{', '.join(sorted({*packaged, *_BUILT}))}"
            )
        return cls.from_json(read_text(path), str(path))

    @classmethod
    def from_json(cls, text: str, source: str) -> Suite:
        """Read a suite from JSON.

        Args:
            text: The JSON.
            source: The file's name, for error messages.

        Raises:
            ValueError: If it does not have the form described in :meth:`load`.
        """
        try:
            record = read_json(text)
            if not isinstance(record, dict) or "name" not in record:
                raise ValueError("it has no name")
            texts = [record.get(key, "") for key in ("name", "description", "note")]
            if not all(isinstance(text, str) for text in texts):
                raise ValueError("its name, description and note must be strings")
            defaults = record.get("defaults", {})
            if not isinstance(defaults, dict):
                raise ValueError(f"defaults={defaults!r:.80} must be an object")
            tasks = tuple(
                task
                for row in _rows(record, ())
                for task in _tasks({**defaults, **row}, source)
            )
        except (ValueError, OSError, ImportError) as error:
            raise ValueError(f"{source} is not a suite: {error}") from error
        name, description, note = texts
        suite = cls(
            name, tasks, description, note, record.get("partial", False) is True
        )
        names = [task.name for task in tasks]
        if not names or len(set(names)) != len(names):
            raise ValueError(f"{source} must have tasks, each only once")
        return suite


def packaged_suites() -> dict[str, str]:
    """Return the JSON of the packaged suites by name, sorted."""
    folder = files("aq_gym.evaluation") / "suites"
    found = {
        file.name.removesuffix(".json"): file.read_text()
        for file in folder.iterdir()
        if file.name.endswith(".json")
    }
    return dict(sorted(found.items()))


def _rows(record: object, including: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    """Yield the tasks of a suite, or of a bare list, included ones first.

    Args:
        record: The suite or list.
        including: The files that are being read, each of which includes the next.
    """
    if isinstance(record, dict):
        for place in _list(record, "include"):
            yield from _included(place, including)
        rows = _list(record, "tasks")
    elif isinstance(record, list):
        rows = record
    else:
        raise ValueError(f"{record!r:.80} must be an object, or a list of tasks")
    for row in rows:
        if not isinstance(row, dict):
            raise ValueError(f"{row!r:.80} must be a task: an object")
        yield row


def _included(place: object, including: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    if not isinstance(place, str) or place.count(":") != 1:
        raise ValueError(f"include={place!r:.80} must be of the form package:path")
    if place in including:
        raise ValueError(f"{place} includes itself")
    package, _, path = place.partition(":")
    inside = not PurePath(path).is_absolute() and ".." not in PurePath(path).parts
    try:
        found = files(package)
    except (AttributeError, TypeError):
        inside = False
    if not inside:
        raise ValueError(f"include={place!r:.80} is not a file of a package")
    with as_file(found.joinpath(path)) as file:
        text = read_text(file)
    yield from _rows(read_json(text), (*including, place))


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name}={value!r:.80} must be a list")
    return value


def _tasks(row: Mapping[str, Any], source: str) -> Iterator[Task]:
    unknown = sorted(set(row) - _FIELDS)
    if unknown:
        raise ValueError(
            f"{source}: a task has {unknown}; it may have {sorted(_FIELDS)}"
        )
    if "id" not in row or ("seed" in row) == ("seeds" in row):
        raise ValueError(f"{source}: a task must have an id and either seed or seeds")
    seeds = row["seeds"] if "seeds" in row else [row["seed"]]
    if not isinstance(seeds, list) or any(type(seed) is not int for seed in seeds):
        raise ValueError(f"{source}: seeds={seeds!r:.80} must be a list of ints")
    for name in ("max_steps", "max_invalid"):
        most = row.get(name)
        if most is not None and (type(most) is not int or most < 1):
            raise ValueError(f"{source}: {name}={most!r} must be an int above 0")
    if not isinstance(row.get("kwargs", {}), dict):
        raise ValueError(f"{source}: kwargs={row['kwargs']!r:.80} must be an object")
    given = {name: value for name, value in row.items() if name != "seeds"}
    try:
        check_arguments(Task.__init__, given)
    except TypeError as error:
        raise ValueError(f"{source}: {error}") from error
    for seed in seeds:
        yield Task(**{**given, "seed": seed})
