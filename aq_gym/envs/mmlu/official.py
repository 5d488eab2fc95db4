"""Published questions, read from the user's files: csv or parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.envs.mmlu.question import LETTERS, PUBLISHED, Question
from aq_gym.support.extras import require
from aq_gym.support.user_files import check_file, parquet_rows

# The questions of the split "train" have no subjects.
TRAINING = "auxiliary_train"
# The names of the splits in the published files.
_NAMES = {
    "train": (TRAINING,),
    "dev": ("dev",),
    "validation": ("val", "validation"),
    "test": ("test",),
}
# The limit for a question with its options; five examples then fit in an observation.
_LONGEST = 15_000
_QUESTION = ("question", "input")
_ANSWER = ("answer", "target")
_ANSWERS = {**{letter: k for k, letter in enumerate(LETTERS)},
            **{str(k): k for k in range(4)}}  # fmt: skip


class DataFile(NamedTuple):
    """A file with questions.

    Attributes:
        path: Its path.
        subject: The subject in its name; "" if each row has a subject.
        changed: The time of its last change; a cache reads a changed file again.
    """

    path: Path
    subject: str
    changed: int


def find_files(data_dir: str | Path, split: str) -> tuple[DataFile, ...]:
    """Find the files of a split.

    Args:
        data_dir: The folder with the files, or with the folder ``data`` of the
            published archive.
        split: "train", "dev", "validation" or "test".

    Raises:
        FileNotFoundError: If there are no such files.
        UserFileError: If a file is too large, or a link that leads out of the folder.
    """
    root = Path(data_dir).expanduser()
    for name in _NAMES[split]:
        for pattern in (
            f"{name}/*.csv", f"data/{name}/*.csv", f"*_{name}.csv", f"{name}.csv",
            f"all/{name}-*.parquet", f"data/{name}-*.parquet", f"{name}*.parquet",
            f"*/{name}-*.parquet",
        ):  # fmt: skip
            paths = [one for one in sorted(root.glob(pattern)) if one.name[0] != "."]
            if paths:
                return tuple(_file(root, path, name) for path in paths)
    raise FileNotFoundError(
        f"data_dir={str(data_dir)!r:.200} has neither {_NAMES[split][0]}/*.csv nor "
        f"{_NAMES[split][-1]}-*.parquet: `aq-gym download mmlu` gets the csv files of "
        "https://github.com/hendrycks/test; cais/mmlu has them as parquet"
    )


def _file(root: Path, path: Path, name: str) -> DataFile:
    check_file(path, root)
    stem = path.stem.removesuffix(f"_{name}")
    subject = next((one for one in (stem, path.parent.name) if one in PUBLISHED), "")
    return DataFile(path, TRAINING if name == TRAINING else subject,
                    path.stat().st_mtime_ns)  # fmt: skip


@lru_cache(maxsize=128)
def read_files(files: tuple[DataFile, ...]) -> Mapping[str, tuple[Question, ...]]:
    """Read files; they stay in memory.

    Args:
        files: The files of a split.

    Returns:
        The questions of each subject.

    Raises:
        ValueError: If a row is not a question; the message has the file and the row.
        ImportError: If a parquet file needs pyarrow.
    """
    found: dict[str, list[Question]] = {}
    for file in files:
        for number, row in enumerate(_rows(file.path), 1):
            try:
                one = _question(row, file.subject)
            except ValueError as error:
                raise ValueError(f"question {number} of {file.path}: {error}") from None
            found.setdefault(one.subject, []).append(one)
    return {subject: tuple(questions) for subject, questions in found.items()}


def _rows(path: Path) -> Iterator[Sequence[Any]]:
    """Yield subject, question, options and answer of each row of a file."""
    return _parquet_rows(path) if path.suffix == ".parquet" else _csv_rows(path)


def _csv_rows(path: Path) -> Iterator[Sequence[Any]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            rows = csv.reader(file, strict=True)
            first = next(rows, [])
            header = _places(first)
            places = header or [None, *range(6)]
            width = len(first) if header else 6
            for row in rows if header else chain([first], rows):
                if row:
                    cells = [None if k is None else _cell(row, k) for k in places]
                    more = [one for one in (*cells[6:-1], *row[width:]) if one]
                    yield cells[0], cells[1], cells[2:6] + more, cells[-1]
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f"{path} cannot be read as csv: {error}") from error


def _cell(row: list[str], place: int) -> str | None:
    return row[place] if place < len(row) else None


def _places(header: list[str]) -> list[int | None] | None:
    """Return the positions of the columns; None if a row is not a header."""
    names = [name.strip().lower() for name in header]
    question = [name for name in _QUESTION if name in names]
    answer = [name for name in _ANSWER if name in names]
    if not (question and answer and {*"abcd"} <= {*names}):
        return None
    subject = names.index("subject") if "subject" in names else None
    # A fifth option is included, so that the row is refused.
    options = [name for name in "abcdefghij" if name in names]
    return [subject, *map(names.index, (question[0], *options, answer[0]))]


def _parquet_rows(path: Path) -> Iterator[Sequence[Any]]:
    require("pyarrow", f"{path.name} of data_dir", "mmlu")
    columns = ("subject", "question", "choices", "answer")
    for row in parquet_rows(path, columns):
        yield tuple(map(row.get, columns))


def _question(row: Sequence[Any], named: str) -> Question:
    """Return the question of a row.

    Raises:
        ValueError: If the row is not a question.
    """
    given, text, options, answer = row
    subject = named or str(given or "").strip()
    if subject not in PUBLISHED and subject != TRAINING:
        raise ValueError(
            f"its subject is {subject!r:.80}: name the file SUBJECT_test.csv, or give "
            "it a column subject, with one of the 57 subjects"
        )
    listed = options if isinstance(options, list) else []
    if len(listed) > 4:
        raise ValueError(
            f"it has {len(listed) - 4} more than a question, four options and an "
            "answer: put a text that has a comma in double quotes, and leave out "
            "questions with more options"
        )
    if len(listed) != 4 or not all(isinstance(one, str) for one in (text, *listed)):
        raise ValueError(
            "it needs the columns question, A, B, C, D and answer, as text; in parquet "
            "question, choices (four) and answer"
        )
    right = _ANSWERS.get(str(answer).strip().upper())
    if right is None:
        raise ValueError(f"its answer is {answer!r:.80}: A to D, or 0 to 3, is needed")
    length = len(text) + sum(map(len, listed))
    if length > _LONGEST:
        raise ValueError(f"its {length} characters are more than {_LONGEST}")
    return Question(subject, text.strip(), tuple(map(str.strip, listed)), right)
