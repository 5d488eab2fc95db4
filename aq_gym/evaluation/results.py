"""The reader of runs: their files are checked as they are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

from aq_gym import trajectory
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.support.json_files import read_object
from aq_gym.trajectory import Trajectory, jsonl
from aq_gym.trajectory.codec import shown
from aq_gym.trajectory.reader import find, missing_part

_Fits: TypeAlias = Callable[[Any], bool]

# The limit for numbers; sums of larger ones could overflow.
_LARGEST = 1e300
_LARGEST_COUNT = 2**63


@dataclass(frozen=True)
class LoadedRun:
    """The contents of a run's directory.

    Attributes:
        path: The directory.
        manifest: The contents of ``run.json``: suite, agent, versions.
        episodes: The finished episodes, sorted by task; the last of several attempts.
        summary: The contents of ``summary.json``; empty while the run is played, and
            after it was killed. After a limit or Ctrl-C it summarizes the finished
            episodes; ``"tasks"`` has the numbers of finished and of all tasks.
    """

    path: Path
    manifest: dict[str, Any]
    episodes: list[EpisodeResult]
    summary: dict[str, Any]

    def table(self) -> Any:
        """Return the episodes as a pandas DataFrame, or as dicts without pandas."""
        rows = [episode.to_record() for episode in self.episodes]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)


def load_run(path: str | os.PathLike[str]) -> LoadedRun:
    """Read a run.

    Args:
        path: The run's directory.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If one of its files is damaged.
    """
    folder = Path(path)
    if not (folder / "run.json").is_file():
        raise FileNotFoundError(f"{folder} is not a run: it has no run.json")
    manifest = read_object(folder / "run.json")
    suite = manifest.get("suite")
    if not isinstance(suite, dict) or not {"name", "hash"} <= suite.keys():
        raise ValueError(f"{folder / 'run.json'} is damaged: it has no 'suite'")
    if not isinstance(manifest.get("agent"), str):
        raise ValueError(f"{folder / 'run.json'} is damaged: 'agent' must be a text")
    for name in ("agent_params", "notes", "versions"):
        if not isinstance(manifest.get(name, {}), dict):
            raise ValueError(
                f"{folder / 'run.json'} is damaged: its {name!r} must be an object"
            )
    notes = manifest.get("notes", {})
    maps = [notes.get(name, {}) for name in ("protocol", "prompts", "subgoals")]
    if not all(isinstance(one, dict) for one in maps) or not all(
        isinstance(names, list | str) for names in maps[0].values()
    ):
        raise ValueError(
            f"{folder / 'run.json'} is damaged: its notes on protocols, prompts or "
            "subgoals are not keyed by environment"
        )
    rows = read_episodes(folder)
    newest = {row.task: row for row in rows if not row.unfinished}
    summary: dict[str, Any] = {}
    if (folder / "summary.json").exists():
        try:
            summary = read_object(folder / "summary.json")
        except ValueError as error:
            raise ValueError(
                f"{error}; the command that began the run writes it again"
            ) from error
    return LoadedRun(
        folder, manifest, [newest[task] for task in sorted(newest)], summary
    )


def run_names(runs: Sequence[LoadedRun]) -> list[str]:
    """Return a name for each run, different from those of the others.

    It is the model, or else the agent. Runs with equal names are distinguished by the
    agents' parameters that differ, or else by their folders.
    """
    agents = list(map(_agent, runs))
    names = list(agents)
    for shared in {name for name in names if names.count(name) > 1}:
        same = [n for n, name in enumerate(agents) if name == shared]
        params = [runs[n].manifest.get("agent_params", {}) for n in same]
        keys = sorted({key for one in params for key in one})
        differing = [
            key for key in keys if len({repr(one.get(key)) for one in params}) > 1
        ]
        for n, own in zip(same, params, strict=True):
            given = [f"{key}={own[key]!s:.40}" for key in differing if key in own]
            names[n] = f"{shared} ({', '.join(given)})" if given else shared
    folders = [run.path.resolve().name for run in runs]
    if len(set(folders)) < len(folders):
        folders = [f"{folder} ({n})" for n, folder in enumerate(folders, 1)]
    return [
        name if names.count(name) == 1 else f"{name} in {folder}"
        for name, folder in zip(names, folders, strict=True)
    ]


def _agent(run: LoadedRun) -> str:
    model = run.manifest.get("agent_params", {}).get("model")
    name = str(run.manifest.get("agent", "agent"))
    return str(model) if model and name == "llm" else f"{name} {model or ''}".strip()


def read_episodes(path: Path) -> list[EpisodeResult]:
    """Read a run's rows in the order in which the episodes ended.

    If a task has several rows, the last one counts.

    Raises:
        ValueError: If a row is damaged, or of another version.
    """
    file = path / "episodes.jsonl"
    if not file.exists():
        return []
    episodes = []
    for number, line in enumerate(jsonl.read_lines(file), 1):
        if line.damaged:
            raise ValueError(
                f"{file} is damaged: line {number} has a wrong checksum or over 16 "
                "MiB; delete it, and the command that began the run writes it again"
            )
        if line.record is None:
            continue
        # Rows can also have the writer's note on shortened texts.
        line.record.pop("shortened", None)
        try:
            episodes.append(_episode(line.record))
        except ValueError as error:
            raise ValueError(
                f"{file} is damaged, or of another version: line {number}: {error}"
            ) from error
    return episodes


def read_trajectory(run: str | os.PathLike[str], task: str) -> Trajectory:
    """Read the complete trajectory of an episode without an error.

    Raises:
        FileNotFoundError: If the run has no trajectory of the task.
        ValueError: If the file is damaged, not complete, or not of an evaluation; the
            message has the file, the step and the key.
    """
    read = trajectory.read(find(Path(run, "trajectories"), task))
    check_complete(read)
    for step in read.steps:
        notes = step.get("notes", {})
        found = {"reward": step["reward"], "notes": notes, **step["info"]}
        for key, (fits, expected) in _EXPECTED_OF_STEP.items():
            if key not in found or not fits(found[key]):
                value = shown(found.get(key, "nothing"), 80)
                raise ValueError(
                    f"{read.path} is damaged: step {step['t']}: {key} is {value}, and "
                    f"must be {expected}"
                )
    return read


def check_complete(read: Trajectory) -> None:
    """Raise if the trajectory of an episode of a run is not complete.

    Raises:
        ValueError: If it is not; the message has the line and what to do.
    """
    if not read.complete or not read.steps:
        raise ValueError(
            f"{read.path} is not complete: {missing_part(read.path)}; delete the row "
            "of its episode in episodes.jsonl, and the command that began the run "
            "plays it again"
        )


def _episode(row: Mapping[str, Any]) -> EpisodeResult:
    """Return the episode of a row.

    Raises:
        ValueError: If a field is missing or unknown, or a value has another type or is
            out of its range.
    """
    missing, unknown = _REQUIRED - row.keys(), row.keys() - _EXPECTED.keys()
    if missing or unknown:
        raise ValueError(
            f"{', '.join(sorted(missing)) or 'nothing'} missing, and "
            f"{', '.join(sorted(unknown)) or 'nothing':.200} unknown"
        )
    for name, value in row.items():
        fits, expected = _EXPECTED[name]
        if not fits(value):
            raise ValueError(f"{name}={value!r:.80} must be {expected}")
    episode = EpisodeResult(**row)
    for name in ("progress", "repeated"):
        count = len(getattr(episode, name))
        if count != episode.steps and not episode.error:
            raise ValueError(f"{name} has {count} values, but steps={episode.steps}")
    return episode


def _is_number(value: object) -> bool:
    if type(value) not in (int, float):
        return False
    return -_LARGEST < value < _LARGEST  # type: ignore[operator]


def _are(fits: _Fits, kind: type[list[Any] | dict[str, Any]]) -> _Fits:
    def all_fit(value: Any) -> bool:
        items = value.values() if isinstance(value, dict) else value
        return isinstance(value, kind) and all(map(fits, items))

    return all_fit


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


# The check of a value for each annotation of EpisodeResult.
_KINDS: Mapping[str, tuple[_Fits, str]] = {
    "str": (lambda value: isinstance(value, str), "a string"),
    "bool": (_is_bool, "a bool"),
    "int": (lambda v: type(v) is int and 0 <= v < _LARGEST_COUNT, "an int from 0"),
    "float": (_is_number, "a finite number"),
    "float | None": (
        lambda value: value is None or _is_number(value),
        "a finite number or null",
    ),
    "list[bool]": (_are(_is_bool, list), "a list of bools"),
    "list[float]": (_are(_is_number, list), "a list of finite numbers"),
    "dict[str, str]": (
        _are(lambda value: isinstance(value, str), dict),
        "an object of strings",
    ),
    "dict[str, float]": (_are(_is_number, dict), "an object of finite numbers"),
}
_EXPECTED = {one.name: _KINDS[str(one.type)] for one in fields(EpisodeResult)} | {
    # Any seed that an environment accepts is allowed.
    "seed": (lambda value: type(value) is int, "an int"),
}
_REQUIRED = {
    one.name
    for one in fields(EpisodeResult)
    if one.default is MISSING and one.default_factory is MISSING
}
_EXPECTED_OF_STEP: Mapping[str, tuple[_Fits, str]] = {
    "reward": _KINDS["float"],
    "notes": (lambda value: isinstance(value, dict), "an object"),
    "progress": _KINDS["float"],
    "best_progress": _KINDS["float"],
    "success": _KINDS["bool"],
    "action_repeated": _KINDS["bool"],
}
