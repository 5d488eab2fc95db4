"""Files of puzzles: JSON, or AgentBench's spreadsheets."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gymnasium.error import DependencyNotInstalled

from aq_gym.support.user_files import (
    DAMAGED_ARCHIVE,
    UserFileError,
    check_file,
)

_MOST_COLUMNS = 20
# The exceptions of openpyxl and its XML parser for damaged files; those of the parser
# are SyntaxErrors.
_DAMAGED = (*DAMAGED_ARCHIVE, TypeError, AttributeError, SyntaxError)


class PuzzleFileError(ValueError):
    """A file of puzzles can't be read."""


def read_rows(path: Path) -> list[list[str]]:
    """Return the cells of the first sheet as texts, "" for empty cells.

    A formula is read as its stored value; nothing is computed or run.

    Raises:
        PuzzleFileError: If the file is damaged.
        gymnasium.error.DependencyNotInstalled: Without ``openpyxl``.
    """
    try:
        # openpyxl has no type annotations.
        import openpyxl  # type: ignore[import-untyped]
    except ImportError as error:
        raise DependencyNotInstalled(
            "an .xlsx file of puzzles needs openpyxl: pip install 'openpyxl>=3.1', or "
            "give a JSON file"
        ) from error
    try:
        with path.open("rb") as file, warnings.catch_warnings():
            # openpyxl warns about styles and extensions, which puzzles don't need.
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            rows = book.worksheets[0].iter_rows(max_col=_MOST_COLUMNS, values_only=True)
            cells = [["" if c is None else str(c) for c in row] for row in rows]
    except _DAMAGED as error:
        raise PuzzleFileError(f"{path} is not an .xlsx file: {error!s:.200}") from error
    return cells


_LONGEST_TEXT = 10_000
_LONGEST_KEY = 1_000
_MOST_KEYS = 20
_NUMBERING = re.compile(r"\s*(?:[0-9]{1,2}[.)]|[-*\u2022])\s+")


class Puzzle(NamedTuple):
    """One puzzle.

    Attributes:
        story: The outcome that the agent is told.
        answer: What happened.
        keys: The key facts of the answer.
    """

    story: str
    answer: str
    keys: tuple[str, ...]

    @property
    def puzzle_id(self) -> str:
        """The puzzle's id, derived from its content."""
        content = json.dumps(self, ensure_ascii=True).encode()
        return f"puzzle-{hashlib.sha256(content).hexdigest()[:16]}"


def read_puzzles(path: Path) -> dict[str, Puzzle]:
    """Read a file of puzzles.

    A JSON file is a list of objects with "story", "answer" and "keys", a list of texts.
    An ``.xlsx`` file has the columns of AgentBench in its first sheet: "story",
    "answer" and "answer keys", with one key per line, numbered or not; other columns
    are ignored. The limits are 10 MB, 10,000 puzzles, 10,000 characters per text, and
    20 keys of 1,000 characters each.

    Args:
        path: The file.

    Returns:
        The puzzles by their ids, in the order of the file, without duplicates.

    Raises:
        PuzzleFileError: If the file can't be read or has another content.
        gymnasium.error.DependencyNotInstalled: For ``.xlsx`` without ``openpyxl``.
    """
    try:
        check_file(path)
    except OSError as error:
        raise PuzzleFileError(f"puzzles={str(path)!r}: {error.strerror}") from error
    except UserFileError as error:
        raise PuzzleFileError(str(error)) from error
    if path.suffix.lower() == ".xlsx":
        puzzles = list(_of_rows(read_rows(path), str(path)))
    else:
        puzzles = list(_of_json(path))
    if not puzzles:
        raise PuzzleFileError(f"{path} has no puzzles")
    return {puzzle.puzzle_id: puzzle for puzzle in puzzles}


def checked(record: Any, where: str) -> Puzzle:
    """Return a puzzle from an object with "story", "answer" and "keys".

    Args:
        record: Anything.
        where: The position of the record, for the error message.

    Raises:
        PuzzleFileError: If it is not such an object, or exceeds a limit.
    """
    if not isinstance(record, Mapping):
        raise PuzzleFileError(f"{where} must be an object, not {record!r:.80}")
    story = _text(record, "story", where)
    answer = _text(record, "answer", where)
    keys = record.get("keys")
    if not isinstance(keys, list) or not 1 <= len(keys) <= _MOST_KEYS:
        raise PuzzleFileError(f'{where}: "keys" must be a list of 1 to {_MOST_KEYS}')
    for key in keys:
        if not isinstance(key, str) or not key.strip() or len(key) > _LONGEST_KEY:
            raise PuzzleFileError(
                f"{where}: key {key!r:.80} must be a text of 1 to {_LONGEST_KEY} "
                "characters"
            )
    cleaned = [" ".join(key.split()) for key in keys]
    return Puzzle(story, answer, tuple(dict.fromkeys(map(_utf8, cleaned))))


def _of_json(path: Path) -> Iterable[Puzzle]:
    try:
        record = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise PuzzleFileError(f"{path} is not a JSON file: {error!s:.200}") from error
    if not isinstance(record, list):
        raise PuzzleFileError(f"{path} must be a list of puzzles")
    for i, item in enumerate(record, 1):
        yield checked(item, f"{path}, puzzle {i}")


def _of_rows(rows: list[list[str]], path: str) -> Iterable[Puzzle]:
    heads = [head.strip().lower() for head in rows[0]] if rows else []
    names = {"story": "story", "answer": "answer", "keys": "answer keys"}
    missing = [head for head in names.values() if head not in heads]
    if missing:
        raise PuzzleFileError(f"{path} lacks the columns {', '.join(missing)}")
    for i, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        cells = {name: row[heads.index(head)] for name, head in names.items()}
        lines = [_NUMBERING.sub("", x, count=1) for x in cells["keys"].splitlines()]
        keys = [line for line in lines if line.strip()]
        yield checked({**cells, "keys": keys}, f"{path}, row {i}")


def _text(record: Mapping[Any, Any], name: str, where: str) -> str:
    text = record.get(name)
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_TEXT:
        raise PuzzleFileError(
            f'{where}: "{name}" must be a text of 1 to {_LONGEST_TEXT} characters'
        )
    return _utf8(text.strip())


def _utf8(text: str) -> str:
    """Replace lone surrogates, which JSON can contain but UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()
