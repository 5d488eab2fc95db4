"""AgentQuest's own instances as a suite, read from a checkout that the user names.

They are for non-commercial use, and not part of this package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import Any

from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.task import Task
from aq_gym.papers.agentquest import VARIABLE, checkout, data_file, read_json
from aq_gym.support.data import cache_folder
from aq_gym.support.user_files import UserFileError

_CAP = 60
_PROTOCOL = {"protocol": "agentquest"}
_PROGRESS = "agentquest_progress"
_GRADES = {"easy": "easy", "medium": "", "hard": "hard"}
_CIPHERS = ("caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx")
# The default of its driver.
_SIMILAR = 0.95
_GAMES = "legacy/agentquest/data/alfworld/games.json"


def official_suite() -> Suite:
    """Return AgentQuest's instances in its protocol, 60 steps each.

    The kinds take turns, so that a part of the suite has as many of each.

    Raises:
        ValueError: If ``AGENTQUEST_DATA`` is not set, or a file is not of its form.
        FileNotFoundError: If it names no checkout.
    """
    root = checkout()
    if root is None:
        raise ValueError(
            f"suite='agentquest-official': set {VARIABLE} to a checkout of "
            "https://github.com/nec-research/agentquest, whose instances are for "
            "non-commercial use; the suite agentquest has instances of our own"
        )
    try:
        households = [*_households(root)]
        own = (_codes(), _boards(), _words(), _texts())
        kinds = [*(kind for kinds in own for kind in kinds), *households]
    except UserFileError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise UserFileError(f"{root} is not AgentQuest's: {error!r:.200}") from error
    turns = zip_longest(*kinds)
    tasks = tuple(task for turn in turns for task in turn if task is not None)
    found = sum(map(len, households))
    return Suite(
        "agentquest-official",
        tasks,
        "AgentQuest's own codes of Mastermind, boards of Sudoku, words of Hangman and "
        "Wordle, texts of Cipher, and games of ALFWorld, 60 steps each.",
        f"{found} games of ALFWorld are there: its 1,584 need `aq-gym download "
        "alfworld`. Keys of Cipher are drawn here (docs/reproducing.md).",
    )


def _task(
    name: str, kwargs: dict[str, Any], difficulty: str = "", progress: str = _PROGRESS
) -> Task:
    kwargs = {**kwargs, **_PROTOCOL}
    return Task(
        f"aq/{name}-v0", 0, kwargs, _CAP, difficulty, progress, raw_repetition=True
    )


def _codes() -> Iterator[list[Task]]:
    """Yield the codes of each length."""
    for name, codes in _data("mastermind").items():
        length = int(name.partition(" ")[0])
        yield [
            _task("Mastermind", {"code": _text(code), "code_length": length})
            for code in codes
        ]


def _boards() -> Iterator[list[Task]]:
    """Yield the boards of each difficulty."""
    for name, boards in _data("sudoku").items():
        yield [
            _task("Sudoku", {"puzzle": _puzzle(board)}, _GRADES[name])
            for board in boards
        ]


def _words() -> Iterator[list[Task]]:
    """Yield the words of Hangman, and those of Wordle."""
    for name, progress in (("hangman", "progress"), ("wordle", _PROGRESS)):
        words = dict.fromkeys(w for one in _data(name).values() for w in one)
        yield [
            _task(name.capitalize(), {"word": _text(word)}, progress=progress)
            for word in words
        ]


def _texts() -> Iterator[list[Task]]:
    """Yield the texts of Cipher in each cipher."""
    texts = [_text(text) for text in read_json(data_file("cipher"))]
    for cipher in _CIPHERS:
        kwargs = {"cipher": cipher, "difficulty": "hard", "threshold": _SIMILAR}
        yield [
            _task("Cipher", {**kwargs, "plaintext": _plaintext(cipher, text)})
            for text in texts
        ]


def _plaintext(cipher: str, text: str) -> str:
    """Convert a text for a cipher.

    ADFGVX has letters and digits alone. Its example writes them in upper case, but
    solutions are read in lower case, so that none would be right.
    """
    if cipher != "adfgvx":
        return text
    return "".join(one for one in text if one.isalnum()).lower()


def _households(root: Path) -> Iterator[list[Task]]:
    """Yield the games of ALFWorld that are there, of each kind of task."""
    if not (root / _GAMES).is_file():
        return
    given = os.environ.get("ALFWORLD_DATA")
    folder = Path(given).expanduser() if given else cache_folder("alfworld")
    for games in read_json(_GAMES, dict).values():
        names = ["/".join(PurePosixPath(_text(game)).parts[-3:]) for game in games]
        yield [
            _task("ALFWorld", {"game": name}, progress="plan_progress")
            for name in names
            if any(
                (base / name / "game.tw-pddl").is_file()
                for base in (folder / "json_2.1.1", folder)
            )
        ]


def _puzzle(board: Any) -> str:
    lines = _text(board["board"]).splitlines()
    return "".join("".join(line.split("|")) for line in lines).replace("*", ".")


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{given!r:.80} must be a text")
    return given


def _data(name: str) -> dict[str, list[Any]]:
    data: dict[str, list[Any]] = read_json(data_file(name), dict)
    return data
