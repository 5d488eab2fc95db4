"""The problems that a constructor's arguments select: our own, or the user's files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.error import Error

from aq_gym.answers import read_number
from aq_gym.core.tasks import GeneratedTasks, NumberedTasks, TaskSource
from aq_gym.envs.gsm8k.problem import Problem, Step, exact_value
from aq_gym.envs.gsm8k.templates import VARIANTS, draw_id, make
from aq_gym.envs.gsm8k.twins import twin_of
from aq_gym.support.data import Download, data_folder
from aq_gym.support.user_files import check_file, read_text

_COMMIT = "3101c7d5072418e28b9008a6636bde82a006892c"
DOWNLOAD = Download(
    name="gsm8k",
    url=f"https://github.com/openai/grade-school-math/archive/{_COMMIT}.zip",
    example="*/grade_school_math/data/test.jsonl",
    variable="AQ_GYM_GSM8K",
    # GitHub makes this archive; its files are known, but the archive's bytes may
    # change.
    known=("aq_gym.envs.gsm8k", "data/official.sha256"),
    note="GSM8K's train, test and socratic files (OpenAI, MIT)",
)
_DOWNLOADED = "downloaded"
_TRIES = 1000
# The folder of the files in the repository.
_IN_REPOSITORY = Path("grade_school_math", "data")
_ANNOTATION = re.compile(r"<<([^<>=]*)=([^<>]*)>>")
_END = "####"
_SUBQUESTION = " ** "
# Other names of the columns in files of the same form, for an error message; the first
# ones are the likeliest.
_OTHER_NAMES = {
    "question": "question problem instruction prompt query input text body",
    "answer": "answer target label gold result output solution response",
}


def task_source(
    data_dir: str | None,
    split: str,
    socratic: bool,
    perturb: bool,
    problem: int | None,
    columns: Mapping[str, str] | None = None,
) -> TaskSource[Problem]:
    """Return the problems of a split.

    Args:
        data_dir: The folder of the published files, "downloaded" for the folder of
            ``aq-gym download gsm8k``, or None for problems of our own.
        split: "all", "train" or "test".
        socratic: Whether to read the files with sub-questions.
        perturb: Whether to play twins of the problems.
        problem: The number of the only problem, None for all.
        columns: The names that the columns "question" and "answer" have in the files.

    Raises:
        FileNotFoundError: If a file is missing.
        ValueError: If an argument needs ``data_dir``, or a file cannot be read.
    """
    if columns is not None and not (
        isinstance(columns, Mapping)
        and {*columns} <= {*_OTHER_NAMES}
        and all(isinstance(name, str) for name in columns.values())
    ):
        raise ValueError(
            f"columns={columns!r:.200} must give the names of columns, such as "
            '{"question": "input", "answer": "target"}'
        )
    if data_dir is None:
        given = {"socratic": socratic, "perturb": perturb, "problem": problem}
        for name, value in {**given, "columns": columns}.items():
            if value is not None and value is not False:
                raise ValueError(f"{name}={value!r} needs data_dir: published files")
        form = f"TEMPLATE-VARIANT with a packaged template, VARIANT below {VARIANTS}"
        return GeneratedTasks(draw_id, make, form, split, attrgetter("content"))
    files = split_files(data_dir, split, socratic)
    names = tuple(files)
    groups = {one: range(_count(files[one], columns or {})) for one in names}
    make_published = partial(_published, files, columns or {})
    published = NumberedTasks(groups, make_published, split)
    if problem is not None:
        if len(names) != 1:
            raise ValueError(f"problem={problem!r} needs split='train' or 'test'")
        published.get(f"{split}-{problem}", "problem")
        only = {split: range(problem, problem + 1)}
        published = NumberedTasks(only, make_published, split)
    if not perturb:
        return published
    form = "SPLIT-NUMBER-VARIANT of a problem that has twins"
    return GeneratedTasks(
        partial(_draw_twin, published), partial(_twin, published), form
    )


def split_files(data_dir: str, split: str, socratic: bool) -> dict[str, Path]:
    """Return the files of the splits that are played; for "all", both."""
    folder = data_folder(DOWNLOAD) if data_dir == _DOWNLOADED else Path(data_dir)
    names = ("train", "test") if split == "all" else (split,)
    return {one: _find_file(folder, one, socratic) for one in names}


def _count(path: Path, columns: Mapping[str, str]) -> int:
    """Count the problems of a file, and warn if no solution has steps."""
    lines = _read_lines(path)
    problem_of(path, 0, columns)
    if not any(_ANNOTATION.search(line) for line in lines):
        logger.warn(
            f"no solution in {path} has steps, such as <<16-3=13>>: the only subgoal "
            "of each problem is the right answer, and progress is 0 or 1"
        )
    return len(lines)


def _published(
    files: Mapping[str, Path],
    columns: Mapping[str, str],
    task_id: str,
    split: str,
    number: int,
) -> Problem:
    return problem_of(files[split], number, columns)


def _twin(published: NumberedTasks[Problem], task_id: str) -> Problem | None:
    """Return the twin of an id, None if there is none."""
    name, _, variant = task_id.rpartition("-")
    if re.fullmatch(r"0|[1-9]\d{0,5}", variant, re.ASCII) is None:
        return None
    rng = np.random.default_rng([int(variant), *name.encode()])
    return twin_of(published.get(name), rng)


def _draw_twin(published: NumberedTasks[Problem], rng: np.random.Generator) -> str:
    for _ in range(_TRIES):
        task_id = f"{published.draw(rng)}-{int(rng.integers(VARIANTS))}"
        if _twin(published, task_id) is not None:
            return task_id
    raise Error(f"perturb=True: none of {_TRIES} problems drawn has a twin")


def _find_file(folder: str | Path, split: str, socratic: bool) -> Path:
    """Find the file of a split.

    Args:
        folder: The folder of the files, or of a copy of the repository.
        split: "train" or "test".
        socratic: Whether solutions have sub-questions.

    Raises:
        FileNotFoundError: If there is no such file.
        UserFileError: If it is too large, or a link that leads out of the folder.
    """
    stem = f"{split}{'_socratic' if socratic else ''}"
    root = Path(folder).expanduser()
    # The files in the repository's archive are in a subfolder.
    places = [root, root / _IN_REPOSITORY]
    places += sorted(root.glob(f"grade-school-math-*/{_IN_REPOSITORY}"))
    for place in places:
        for name in (f"{stem}.jsonl", f"{stem}.json"):
            if (place / name).is_file():
                check_file(place / name, root)
                return place / name
    raise FileNotFoundError(
        f"data_dir={str(folder)!r:.200} has no {stem}.jsonl: `aq-gym download gsm8k` "
        "gets it from https://github.com/openai/grade-school-math"
    )


def _read_lines(path: Path) -> tuple[str, ...]:
    """Read a file; it is kept as text, one problem a line, until it changes.

    Args:
        path: A file of JSON Lines, or with a JSON array.

    Raises:
        ValueError: If it is too large, is not text, or has no line.
    """
    return _lines_of(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _lines_of(path: Path, changed: int) -> tuple[str, ...]:
    text = read_text(path)
    lines = [line for line in text.split("\n") if line.strip()]
    if text.lstrip().startswith("["):
        try:
            lines = [json.dumps(row) for row in json.loads(text)]
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path} is not a JSON array: {error}") from error
    if not lines:
        raise ValueError(f"{path} has no problem")
    return tuple(lines)


def problem_of(path: Path, number: int, columns: Mapping[str, str]) -> Problem:
    """Return a problem of a file.

    Args:
        path: The file.
        number: The number of the problem, from 0.
        columns: The names that the columns "question" and "answer" have in the file.

    Raises:
        ValueError: If its line is not a problem, or the file has become shorter.
    """
    try:
        return _problem(_read_lines(path)[number], columns)
    except (ValueError, IndexError, RecursionError) as error:
        raise ValueError(f"problem {number + 1} of {path}: {error}") from error


def _problem(line: str, columns: Mapping[str, str]) -> Problem:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{error}: a file has an object in each line, or one array of objects"
        ) from error
    question, solution = (_text(row, key, columns) for key in _OTHER_NAMES)
    solved, _, answer = solution.rpartition(_END)
    number = read_number(answer)
    if number is None:
        raise ValueError(
            f"the answer must be a number, or end with {_END} and one{_advice(row)}"
        )
    steps = [step for part in solved.split("\n") for step in _steps(part)]
    return Problem(question, steps, number.value)


def _text(row: Any, key: str, columns: Mapping[str, str]) -> str:
    value = row.get(columns.get(key, key)) if isinstance(row, dict) else None
    if key == "answer" and isinstance(value, int | float):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(
            'it needs the columns "question" and "answer", but '
            f"{columns.get(key, key)} is {value!r:.60}{_advice(row)}"
        )
    return value


def _advice(row: Any) -> str:
    """Return which columns to name, if a row has others."""
    likely = {}
    for key, parts in _OTHER_NAMES.items() if isinstance(row, dict) else ():
        usable = [name for name in row if _usable(row[name], key)]
        named = (
            name for part in parts.split() for name in usable if part in name.lower()
        )
        found = next(named, "" if key in row else "NAME")
        if found and key not in usable:
            likely[key] = found
    if not likely:
        return ""
    return f". It has {[*row]!s:.200}: name them, such as columns={json.dumps(likely)}"


def _usable(value: object, key: str) -> bool:
    """Return whether a value can be a question or an answer."""
    if key == "question":
        return isinstance(value, str) and bool(value.strip())
    return read_number(str(value).rpartition(_END)[2]) is not None


def _steps(part: str) -> list[Step]:
    """Return the annotated steps of a line; only the last step of a sub-question."""
    steps = []
    name, separator, rest = part.partition(_SUBQUESTION)
    for expression, written in _ANNOTATION.findall(rest if separator else part):
        value = exact_value(written)
        if value is not None:
            steps.append(Step(_readable(expression), value))
    if separator and steps:
        return [steps[-1]._replace(name=name.strip()[:200])]
    return steps


def _readable(expression: str) -> str:
    return "" if exact_value(expression) is None else expression.strip()
