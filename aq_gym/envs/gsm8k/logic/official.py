"""Problems in the published files of GSM8K, which the user provides."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from aq_gym.answers import read_number
from aq_gym.envs.gsm8k.logic.problem import Problem, Step, exact_value
from aq_gym.support.user_files import check_file, read_text

_LARGEST_FILE = 64 * 2**20
_MOST_LINES = 1_000_000
_LONGEST_LINE = 20_000
# Where they are in the repository.
_IN_REPOSITORY = Path("grade_school_math", "data")
_ANNOTATION = re.compile(r"<<([^<>=]*)=([^<>]*)>>")
_END = "####"
_SUBQUESTION = " ** "


def find_file(folder: str | Path, split: str, socratic: bool) -> Path:
    """Find the file of a split.

    Args:
        folder: The folder of the files, or of a copy of the repository.
        split: "train" or "test".
        socratic: Whether solutions have sub-questions.

    Raises:
        FileNotFoundError: If there is none.
        UserFileError: If it is too large, or a link that leads out of the folder.
    """
    name = f"{split}{'_socratic' if socratic else ''}.jsonl"
    root = Path(folder).expanduser()
    # The repository's archive has a folder of its own.
    places = [root, root / _IN_REPOSITORY]
    places += sorted(root.glob(f"grade-school-math-*/{_IN_REPOSITORY}"))
    for place in places:
        if (place / name).is_file():
            check_file(place / name, _LARGEST_FILE, root)
            return place / name
    raise FileNotFoundError(
        f"data_dir={str(folder)!r:.200} has no {name}: `aq-gym download gsm8k` gets it "
        "from https://github.com/openai/grade-school-math"
    )


def read_lines(path: Path) -> tuple[str, ...]:
    """Read a file; it is kept as text, one problem a line, until it changes.

    Args:
        path: A file of JSON Lines.

    Raises:
        ValueError: If it is too large, is not text, or has no line.
    """
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> tuple[str, ...]:
    lines = read_text(path, _LARGEST_FILE).split("\n")
    lines = [line for line in lines if line.strip()]
    if not 1 <= len(lines) <= _MOST_LINES:
        raise ValueError(f"{path} has {len(lines)} problems, not 1 to {_MOST_LINES}")
    return tuple(lines)


def problem_of(path: Path, number: int) -> Problem:
    """Return a problem of a file.

    Args:
        path: The file.
        number: The number of the problem, from 0.

    Raises:
        ValueError: If its line is not a problem, or the file has become shorter.
    """
    try:
        return _problem(read_lines(path)[number])
    except (ValueError, IndexError, RecursionError) as error:
        raise ValueError(f"line {number + 1} of {path}: {error}") from error


def _problem(line: str) -> Problem:
    if len(line) > _LONGEST_LINE:
        raise ValueError(f"{len(line)} characters are more than {_LONGEST_LINE}")
    row = json.loads(line)
    question, solution = (_text(row, key) for key in ("question", "answer"))
    solved, end, answer = solution.rpartition(_END)
    number = read_number(answer)
    if not end or number is None:
        raise ValueError(f"the answer must end with {_END} and a number")
    steps = [step for part in solved.split("\n") for step in _steps(part)]
    return Problem(question, steps, number.value)


def _text(row: Any, key: str) -> str:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, str) or not value.strip():
        raise ValueError(
            f'it needs "question" and "answer", but {key} is {value!r:.60}'
        )
    return value


def _steps(part: str) -> list[Step]:
    """Return the annotated steps of a line; the last one of a sub-question."""
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
