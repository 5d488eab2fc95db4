"""A suite: an ordered list of tasks under a name and a hash."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from aq_gym.evaluation.task import Task

__all__ = ["Suite", "packaged_suites"]

_NEEDED = ("progress", "best_progress", "success")
_FIELDS = {"id", "kwargs", "seed", "seeds", "max_steps", "difficulty"}


@dataclass(frozen=True)
class Suite:
    """An ordered list of different tasks.

    Args:
        name: What it is called.
        tasks: What is played.
        description: What it is for, in a sentence.
    """

    name: str
    tasks: tuple[Task, ...]
    description: str = ""

    @property
    def hash(self) -> str:
        """Twelve characters that only the same tasks in the same order have."""
        records = [task.to_record() for task in self.tasks]
        text = json.dumps(records, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Suite:
        """Load a suite that ships with the package, or a JSON file.

        The file has ``name``, ``description`` and ``tasks``, a list of objects with
        ``id``, ``seed`` or a list of ``seeds``, and if need be ``kwargs``,
        ``max_steps`` and ``difficulty``. What ``include`` lists comes first: the tasks
        in files that packages hold, each as ``package:path``.

        Args:
            name: The name of a packaged suite, or the path of a file.

        Raises:
            ValueError: If there is no such suite, or the file is not of that form.
        """
        packaged = packaged_suites()
        if name in packaged:
            return cls.from_json(packaged[str(name)], str(name))
        path = Path(name)
        if not path.is_file():
            raise ValueError(
                f"suite={os.fspath(name)!r}: give the path of a JSON file or one of "
                f"{', '.join(packaged)}"
            )
        return cls.from_json(path.read_text(), str(path))

    @classmethod
    def from_json(cls, text: str, source: str) -> Suite:
        """Read a suite's JSON.

        Args:
            text: The JSON.
            source: Where it is from, for error messages.

        Raises:
            ValueError: If it is not of the form that :meth:`load` names.
        """
        try:
            record = json.loads(text)
            if not isinstance(record, dict) or "name" not in record:
                raise ValueError(f"{source} is no suite: it has no name")
            tasks = tuple(task for row in _rows(record) for task in _tasks(row, source))
            suite = cls(record["name"], tasks, record.get("description", ""))
        except (KeyError, TypeError, OSError, ImportError) as error:
            raise ValueError(f"{source} is no suite: {error!r}") from error
        except json.JSONDecodeError as error:
            raise ValueError(f"{source} is no JSON: {error}") from error
        names = [task.name for task in tasks]
        if not names or len(set(names)) != len(names):
            raise ValueError(f"{source} must have tasks, each once")
        return suite

    def check(self) -> None:
        """Reset each environment once, so that what is missing is said at the start.

        Raises:
            ValueError: If an environment does not report progress.
            gymnasium.error.Error: If an environment or its extra is not there.
            FileNotFoundError: If its data is not there.
        """
        for task in {task.setting: task for task in self.tasks}.values():
            env = task.make()
            _, info = env.reset(seed=task.seed)
            env.close()
            absent = [key for key in _NEEDED if key not in info]
            if absent:
                raise ValueError(
                    f"{task.setting} has no {', '.join(absent)} in info: wrap it with "
                    "aq_gym.wrappers.SubgoalProgress and register it so wrapped"
                )


def packaged_suites() -> dict[str, str]:
    """Return the JSON of the suites that ship with the package, by name, sorted."""
    folder = files("aq_gym.evaluation") / "suites"
    found = {
        file.name.removesuffix(".json"): file.read_text()
        for file in folder.iterdir()
        if file.name.endswith(".json")
    }
    return dict(sorted(found.items()))


def _rows(record: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the tasks of a suite, or of a bare list, included ones first."""
    if isinstance(record, list):
        yield from record
        return
    for place in record.get("include", []):
        package, _, path = place.partition(":")
        yield from _rows(json.loads(files(package).joinpath(path).read_text()))
    yield from record.get("tasks", [])


def _tasks(row: Mapping[str, Any], source: str) -> Iterator[Task]:
    unknown = sorted(set(row) - _FIELDS)
    if unknown:
        raise ValueError(
            f"{source}: a task has {unknown}; it may have {sorted(_FIELDS)}"
        )
    if "id" not in row or ("seed" in row) == ("seeds" in row):
        raise ValueError(f"{source}: a task has an id, and a seed or a list of seeds")
    seeds = row["seeds"] if "seeds" in row else [row["seed"]]
    if not isinstance(seeds, list) or any(type(seed) is not int for seed in seeds):
        raise ValueError(f"{source}: seeds={seeds!r:.80} must be a list of int")
    cap, kwargs = row.get("max_steps"), row.get("kwargs", {})
    if cap is not None and (type(cap) is not int or cap < 1):
        raise ValueError(f"{source}: max_steps={cap!r} must be an int above 0")
    if not isinstance(row["id"], str) or not isinstance(kwargs, Mapping):
        raise ValueError(f"{source}: a task's id is a text, its kwargs an object")
    for seed in seeds:
        yield Task(
            id=row["id"],
            seed=seed,
            kwargs=kwargs,
            max_steps=cap,
            difficulty=row.get("difficulty", ""),
        )
