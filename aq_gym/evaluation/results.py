"""The reader of runs: their files are checked as they are read."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from aq_gym import trajectory
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.manifest import agent_label
from aq_gym.support.json_files import read_object
from aq_gym.trajectory import Trajectory, jsonl
from aq_gym.trajectory.codec import shown
from aq_gym.trajectory.reader import find, missing_part

_Fits: TypeAlias = Callable[[Any], bool]

# The limit for numbers; sums of larger ones could overflow.
_LARGEST = 1e300
_LARGEST_COUNT = 2**63
# The number of damaged rows that are named.
_NAMED = 3


@dataclass(frozen=True)
class LoadedRun:
    """The contents of a run's directory.

    Attributes:
        path: The directory.
        manifest: The contents of ``run.json``: suite, agent, versions.
        episodes: The finished episodes, sorted by task; the last of several attempts.
        summary: The contents of ``summary.json``; empty while the run is played, after
            it was killed, and if rows are damaged. After a limit or Ctrl-C it
            summarizes the finished episodes; ``"tasks"`` has the numbers of finished
            and of all tasks.
        damaged: A note on the damaged rows, which are left out; "" if there are none.
    """

    path: Path
    manifest: dict[str, Any]
    episodes: list[EpisodeResult]
    summary: dict[str, Any]
    damaged: str = ""

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

    Damaged rows are left out, with a warning that names them.

    Args:
        path: The run's directory.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If another of its files is damaged.
    """
    folder = Path(path)
    if not (folder / "run.json").is_file():
        inside = ", ".join(sorted(str(one.parent) for one in folder.glob("*/run.json")))
        runs = f"; these are runs: {inside:.500}" if inside else ""
        raise FileNotFoundError(f"{folder} is not a run: it has no run.json{runs}")
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
    episodes, problems = read_episodes(folder)
    newest, _ = newest_of(episodes)
    damaged = damaged_rows(problems)
    if damaged:
        warnings.warn(f"{folder}: {damaged}", stacklevel=1)
    summary: dict[str, Any] = {}
    # The summary is of all rows.
    if (folder / "summary.json").exists() and not damaged:
        try:
            summary = read_object(folder / "summary.json")
        except ValueError as error:
            raise ValueError(
                f"{error}; the command that began the run writes it again"
            ) from error
    return LoadedRun(
        folder, manifest, [newest[task] for task in sorted(newest)], summary, damaged
    )


def newest_of(
    rows: Iterable[EpisodeResult],
) -> tuple[dict[str, EpisodeResult], list[EpisodeResult]]:
    """Return the episodes that count, by task, and those that others supersede."""
    newest: dict[str, EpisodeResult] = {}
    superseded = []
    for row in rows:
        if row.unfinished:
            superseded.append(row)
            continue
        if row.task in newest:
            superseded.append(newest[row.task])
        newest[row.task] = row
    return newest, superseded


def run_names(runs: Sequence[LoadedRun]) -> list[str]:
    """Return a name for each run, different from those of the others.

    It is the model, or else the agent; or the folder, if that has words, as in "expert,
    10% noise", or begins the model's name. Runs with equal names are distinguished by
    the agents' parameters that differ, or else by their folders. Of three or more runs
    each is named by its folder, if one of these has words.
    """
    folders = [run.path.resolve().name for run in runs]
    if len(runs) == len(set(folders)) > 2 and " " in "".join(folders):
        return list(map(_folder, runs))
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
    if len(set(folders)) < len(folders):
        folders = [f"{folder} ({n})" for n, folder in enumerate(folders, 1)]
    return [
        name if names.count(name) == 1 else f"{name} in {folder}"
        for name, folder in zip(names, folders, strict=True)
    ]


def _agent(run: LoadedRun) -> str:
    model = str(run.manifest.get("agent_params", {}).get("model") or "")
    folder = _folder(run)
    if " " in run.path.resolve().name or model.lower().startswith(folder.lower()):
        return folder
    name = agent_label(run.manifest)
    return model if model and name == "llm" else f"{name} {model}".strip()


def _folder(run: LoadedRun) -> str:
    seen = " (privileged)" * bool(run.manifest.get("privileged"))
    return f"{run.path.resolve().name}{seen}"


class Row(NamedTuple):
    """A line of ``episodes.jsonl``.

    Attributes:
        raw: Its bytes.
        episode: The episode, or None if the line is torn or damaged.
        problem: What is wrong with a damaged line, "" for others.
    """

    raw: bytes
    episode: EpisodeResult | None
    problem: str


def read_rows(run: Path) -> Iterator[Row]:
    """Yield a run's rows in the order in which the episodes ended.

    If a task has several rows, the last one counts.
    """
    file = run / "episodes.jsonl"
    if not file.exists():
        return
    for number, line in enumerate(jsonl.read_lines(file), 1):
        episode, problem = None, ""
        try:
            if line.damaged:
                raise ValueError("it has a wrong checksum, or over 16 MiB")
            if line.record is not None:
                # Rows can also have the writer's note on shortened texts.
                line.record.pop("shortened", None)
                episode = _episode(line.record)
        except ValueError as error:
            problem = f"line {number}: {error}"
        yield Row(line.raw, episode, problem)


def read_episodes(run: Path) -> tuple[list[EpisodeResult], list[str]]:
    """Return the episodes of a run's rows, and the problems of its damaged rows."""
    episodes, problems = [], []
    for row in read_rows(run):
        episodes += [row.episode] if row.episode else []
        problems += [row.problem] if row.problem else []
    return episodes, problems


def damaged_rows(found: Sequence[str]) -> str:
    """Return a note on damaged rows with these problems, "" if there are none."""
    if not found:
        return ""
    named = [*found[:_NAMED], f"and {len(found) - _NAMED} more"]
    are = "row is" if len(found) == 1 else "rows are"
    return (
        f"{len(found)} damaged {are} left out; the command that began the run restores "
        "the episodes, and then aq-gym score any values that it added (episodes.jsonl, "
        f"{'; '.join(named[: len(found)])})"
    )


def read_trajectory(run: str | os.PathLike[str], task: str) -> Trajectory | None:
    """Read the complete trajectory of an episode without an error.

    Returns:
        The trajectory; None, after a warning that names the line, if the file is
        damaged or not complete.

    Raises:
        FileNotFoundError: If the run has no trajectory of the task.
        ValueError: If the file is not of an evaluation; the message has the file, the
            step and the key.
    """
    read = trajectory.read(find(Path(run, "trajectories"), task))
    if not read.complete or not read.steps:
        warnings.warn(
            f"{read.path} is not complete: {missing_part(read.path)}. Its episode is "
            "left out; without its row in episodes.jsonl, the command that began the "
            "run plays it again",
            stacklevel=1,
        )
        return None
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
    for name in ("steps_to_go", "secrets_left"):
        count = len(getattr(episode, name))
        if count not in (0, episode.steps + 1):
            raise ValueError(f"{name} has {count} values, but steps={episode.steps}")
    return episode


def _are_numbers(values: Collection[Any]) -> bool:
    # Rows have a value for each step, so that Python loops would take longest here.
    known = set(map(type, values)) <= {int, float}
    return known and all(map(_LARGEST.__gt__, map(abs, values)))


def _is_number(value: object) -> bool:
    return _are_numbers((value,))


def _are_bools(values: Collection[Any]) -> bool:
    return set(map(type, values)) <= {bool}


# The check of a value for each annotation of EpisodeResult.
_KINDS: Mapping[str, tuple[_Fits, str]] = {
    "str": (lambda value: isinstance(value, str), "a string"),
    "bool": (lambda value: isinstance(value, bool), "a bool"),
    "int": (lambda v: type(v) is int and 0 <= v < _LARGEST_COUNT, "an int from 0"),
    "float": (_is_number, "a finite number"),
    "float | None": (
        lambda value: value is None or _is_number(value),
        "a finite number or null",
    ),
    "list[int]": (
        lambda v: type(v) is list and all(type(n) is int and n >= -1 for n in v),
        "a list of ints from -1",
    ),
    "list[bool]": (lambda v: type(v) is list and _are_bools(v), "a list of bools"),
    "list[float]": (
        lambda value: type(value) is list and _are_numbers(value),
        "a list of finite numbers",
    ),
    "dict[str, str]": (
        lambda v: type(v) is dict and all(isinstance(one, str) for one in v.values()),
        "an object of strings",
    ),
    "dict[str, float]": (
        lambda value: type(value) is dict and _are_numbers(value.values()),
        "an object of finite numbers",
    ),
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
