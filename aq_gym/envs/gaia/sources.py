"""Questions of GAIA's published folder, or of the packaged example."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.gaia.desk import Question
from aq_gym.envs.gaia.files import (
    MODULES,
    UnreadableFileError,
    kind_of,
    names_of,
)
from aq_gym.envs.gaia.milestones import milestones_of
from aq_gym.support.data import Download, data_folder
from aq_gym.support.extras import pip_command
from aq_gym.support.user_files import check_file, parquet_rows, read_text

_PAGE = "https://huggingface.co/datasets/gaia-benchmark/GAIA"
_GET = (
    "GAIA is given by its owners to those who accept its conditions: log in at "
    f"{_PAGE}, accept them, and `hf download gaia-benchmark/GAIA --repo-type dataset "
    "--local-dir FOLDER`; then data_dir=FOLDER"
)
DOWNLOAD = Download(
    name="gaia",
    url=_PAGE,
    example="*metadata*",
    variable="AQ_GYM_GAIA",
    note="GAIA's questions and files (not to be shared, by its conditions)",
    gated=_GET,
)
_DOWNLOADED = "downloaded"
_EXAMPLE = Path(__file__).parent / "data"
# A row that only tests the data set's web page; it is not a question.
_PLACEHOLDER = "0-0-0-0-0"
_PRIVATE = "?"
# The example in the prompt, which is only played if its id is given.
_PROMPTED = "53b0554c-5120-555d-b162-14642bb40180"
_TEXTS = frozenset(
    f".{end}"
    for end in (
        *("txt", "md", "csv", "tsv", "json", "jsonl", "jsonld", "xml", "html", "yaml"),
        *("py", "c", "js", "pdb", "log", "tex"),
    )
)
_LONGEST = 50_000


def task_source(
    data_dir: str | None, split: str, level: int | None, files: str, problem: str | None
) -> UserTasks[Question]:
    """Return the questions that a constructor's arguments select.

    Args:
        data_dir: The folder of the published files, "downloaded" for the folder that
            ``AQ_GYM_GAIA`` names, or None for the example.
        split: "example", "validation", "test", "train" or "all".
        level: 1 to 3, or None for all.
        files: "all", "text" for questions without a file or with a file whose name is
            that of a text, "none" for questions without a file.
        problem: The id of the only question, None for all.

    Raises:
        FileNotFoundError: If the folder has no metadata, or lacks a file.
        ValueError: If the source lacks the split, or no question is selected.
        gymnasium.error.DependencyNotInstalled: If a file needs a missing library.
    """
    kinds = _TEXTS if files == "text" else frozenset()
    found = [
        one
        for one in _questions(data_dir, split)
        if (level is None or one.level == level)
        and (one.task_id != _PROMPTED if problem is None else one.task_id == problem)
        and (one.file is None or kind_of(one.file.name) in kinds or files == "all")
    ]
    if not found and problem is not None:
        raise ValueError(f"problem={problem!r:.200} is not in split={split!r}")
    if not found:
        raise ValueError(
            f"split={split!r} has no question with level={level} and files={files!r}"
        )
    _check_files(found)
    label = f"the questions of split={split!r}"
    return UserTasks({one.task_id: one for one in found}, label)


def _questions(data_dir: str | None, split: str) -> Iterable[Question]:
    if data_dir is None:
        if split == "validation":
            raise ValueError(f"split={split!r} needs data_dir. {_GET}")
        example = _rows(_EXAMPLE / "metadata.jsonl")
        if split in ("train", "test"):
            return [one for one in example if in_split(one.task_id, split)]
        return example
    if split in ("example", "train"):
        raise ValueError(
            f"split={split!r}: with data_dir choose 'validation', 'test' or 'all'"
        )
    folder = data_folder(DOWNLOAD) if data_dir == _DOWNLOADED else Path(data_dir)
    names = ("validation", "test") if split == "all" else (split,)
    # A relative path must not change its meaning with the working directory.
    folder = folder.expanduser().absolute()
    return [one for name in names for one in _rows(_find(folder, name))]


def _find(folder: Path, split: str) -> Path:
    """Return the metadata of a split, in a copy of the repository or a part of it."""
    places = [folder / "2023" / split, folder / split]
    places += [folder] if folder.name == split else []
    for place in places:
        for name in ("metadata.jsonl", "metadata.parquet"):
            if (place / name).is_file():
                check_file(place / name, folder)
                return place / name
    raise FileNotFoundError(
        f"data_dir={str(folder)!r:.200} has no 2023/{split}/metadata.parquet or "
        f".jsonl. {_GET}"
    )


def _rows(path: Path) -> tuple[Question, ...]:
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> tuple[Question, ...]:
    rows = _table(path) if path.suffix == ".parquet" else _lines(path)
    found: dict[str, Question] = {}
    for number, row in enumerate(rows, start=1):
        try:
            one = _question(row, path.parent)
        except ValueError as error:
            raise ValueError(f"question {number} of {path}: {error}") from error
        if one.task_id in found:
            raise ValueError(f"{path} has the task_id {one.task_id!r:.60} twice")
        if one.task_id != _PLACEHOLDER:
            found[one.task_id] = one
    return tuple(found.values())


def _lines(path: Path) -> Iterator[Any]:
    lines = read_text(path).split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"line {number} of {path}: {error}") from error


def _table(path: Path) -> Iterator[Any]:
    try:
        yield from parquet_rows(path)
    except ImportError as error:
        raise DependencyNotInstalled(
            f"{path} needs pyarrow: {pip_command('gaia')}"
        ) from error


def _question(row: Any, folder: Path) -> Question:
    if not isinstance(row, Mapping):
        raise ValueError(f"{row!r:.60} is not an object")
    texts = {}
    for key in ("task_id", "Question", "Final answer", "file_name"):
        value = row.get(key)
        # Some answers are numbers, and a missing file is null.
        text = "" if value is None else str(value).strip()
        required = key in ("task_id", "Question")
        if (
            isinstance(value, dict | list)
            or len(text) > _LONGEST
            or required > bool(text)
        ):
            raise ValueError(f"{key} is {value!r:.60}")
        texts[key] = text
    level = str(row.get("Level")).strip()
    if level not in ("1", "2", "3"):
        raise ValueError(f"Level is {row.get('Level')!r:.60}, not 1, 2 or 3")
    notes = row.get("Annotator Metadata")
    notes = notes if isinstance(notes, Mapping) else {}
    answer = "" if texts["Final answer"] == _PRIVATE else texts["Final answer"]
    steps = str(notes.get("Steps") or "")[:_LONGEST] if answer else ""
    return Question(
        texts["task_id"],
        texts["Question"],
        int(level),
        answer,
        _path(folder, texts["file_name"]),
        milestones_of(steps, texts["Question"], answer),
        _count(notes.get("Number of steps"), steps),
    )


def _count(given: Any, steps: str) -> int:
    """Return the annotated number of steps, or else the number of lines."""
    text = str(given or "").strip()
    if text.isascii() and text.isdecimal() and len(text) <= 4:
        return int(text)
    return sum(bool(line.strip()) for line in steps.split("\n"))


def _path(folder: Path, name: str) -> Path | None:
    """Return the path of a question's file, which must lie in the folder itself."""
    if not name:
        return None
    plain = Path(name).name == name and name not in (".", "..")
    if not plain or "\\" in name or "\0" in name or len(name) > 200:
        raise ValueError(f"file_name is {name!r:.60}: it must be the name of a file")
    return folder / name


def _check_files(questions: Iterable[Question]) -> None:
    """Raise if a file is missing, is a link out of its folder, or needs a library."""
    missing: set[str] = set()
    for one in questions:
        if one.file is None:
            continue
        if not one.file.is_file():
            raise FileNotFoundError(
                f"the file of {one.task_id}, {one.file}, does not exist: get the whole "
                "folder, or choose files='none'"
            )
        if one.file.resolve().parent != one.file.parent.resolve():
            raise ValueError(
                f"{one.file} is a link that leads out of its folder: copy the files, "
                "as `hf download --local-dir FOLDER` does"
            )
        missing |= _missing_modules(one.file)
    if missing:
        names = ", ".join(sorted(missing))
        raise DependencyNotInstalled(
            f"files of these questions need {names}: {pip_command('gaia')}, or choose "
            "files='text'"
        )


def _missing_modules(file: Path) -> set[str]:
    try:
        kinds = {kind_of(name) for name in names_of(file)}
    except UnreadableFileError:
        return set()  # The agent is told that the file cannot be read.
    modules = {MODULES[kind] for kind in kinds & MODULES.keys()}
    return {module for module in modules if find_spec(module) is None}
