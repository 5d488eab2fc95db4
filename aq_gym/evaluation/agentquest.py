"""AgentQuest's own instances as a suite, read from a checkout that the user names.

They are for non-commercial use, and not part of this package.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.task import Task
from aq_gym.support.user_files import UserFileError, read_text

VARIABLE = "AGENTQUEST_DATA"
_MOST_BYTES = 4_000_000
_CAP = 60
_GRADES = {"easy": "easy", "medium": "", "hard": "hard"}


def official_suite() -> Suite:
    """Return AgentQuest's codes, boards and words, 60 steps each.

    The kinds take turns, so that a part of the suite has as many of each.

    Raises:
        ValueError: If ``AGENTQUEST_DATA`` names no checkout, or a file is not of its
            form.
    """
    given = os.environ.get(VARIABLE)
    root = Path(given).expanduser() if given else None
    if root is None or not (root / "agentquest" / "benchmarks").is_dir():
        raise ValueError(
            f"suite='agentquest-official': let {VARIABLE} name a checkout of "
            "https://github.com/nec-research/agentquest, whose instances are for "
            "non-commercial use; the suite agentquest has instances of our own"
        )
    try:
        kinds = [*_codes(root), *_boards(root), *_words(root)]
    except (KeyError, TypeError, ValueError) as error:
        raise UserFileError(f"{root} is not AgentQuest's: {error!r:.200}") from error
    turns = zip_longest(*kinds)
    tasks = tuple(task for turn in turns for task in turn if task is not None)
    return Suite(
        "agentquest-official",
        tasks,
        "AgentQuest's own codes of Mastermind, boards of Sudoku, and words of Hangman "
        "and Wordle, 60 steps each.",
        "Its texts of Cipher and games of ALFWorld are not here; answers are in our "
        "words (docs/reproducing.md).",
    )


def _codes(root: Path) -> Iterator[list[Task]]:
    """Yield the codes of each length."""
    for name, codes in _data(root, "mastermind").items():
        length = int(name.partition(" ")[0])
        yield [
            Task(
                "aq/Mastermind-v0",
                0,
                {"code": _text(code), "code_length": length},
                _CAP,
                raw_repetition=True,
            )
            for code in codes
        ]


def _boards(root: Path) -> Iterator[list[Task]]:
    """Yield the boards of each difficulty."""
    for name, boards in _data(root, "sudoku").items():
        yield [
            Task(
                "aq/Sudoku-v0",
                0,
                {"puzzle": _puzzle(board)},
                _CAP,
                _GRADES[name],
                "agentquest_progress",
                raw_repetition=True,
            )
            for board in boards
        ]


def _words(root: Path) -> Iterator[list[Task]]:
    """Yield the words of Hangman, and those of Wordle."""
    wordle = {"protocol": "agentquest"}
    for name, kwargs, progress in (
        ("hangman", {}, "progress"),
        ("wordle", wordle, "agentquest_progress"),
    ):
        words = dict.fromkeys(w for one in _data(root, name).values() for w in one)
        yield [
            Task(
                f"aq/{name.capitalize()}-v0",
                0,
                {"word": _text(word), **kwargs},
                _CAP,
                progress=progress,
                raw_repetition=True,
            )
            for word in words
        ]


def _puzzle(board: Any) -> str:
    lines = _text(board["board"]).splitlines()
    return "".join("".join(line.split("|")) for line in lines).replace("*", ".")


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{given!r:.80} must be a text")
    return given


def _data(root: Path, name: str) -> dict[str, list[Any]]:
    file = root / "agentquest" / "benchmarks" / name / "data.json"
    try:
        data = json.loads(read_text(file, _MOST_BYTES, root))
        if not isinstance(data, dict) or not all(map(_is_list, data.values())):
            raise ValueError("it must be an object of lists")
    except (FileNotFoundError, ValueError, RecursionError) as error:
        raise UserFileError(f"{file} is not AgentQuest's: {error!r:.200}") from None
    return data


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value)
