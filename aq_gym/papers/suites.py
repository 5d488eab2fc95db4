"""Suites of the papers, as far as their data are present.

The data come from the user; AgentQuest's data are for non-commercial use and not in
this package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import Any

from gymnasium.error import Error

from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.manifest import run_notes
from aq_gym.evaluation.play import POOL
from aq_gym.evaluation.preflight import prompt_source
from aq_gym.papers import agentboard, agentquest
from aq_gym.papers.agentquest import data_file, read_json
from aq_gym.support.data import cache_folder
from aq_gym.support.user_files import UserFileError

_CAP = 60
_PROTOCOL = {"protocol": "agentquest"}
_PROGRESS = "agentquest_progress"
_GRADES = {"easy": "easy", "medium": "", "hard": "hard"}
_CIPHERS = ("caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx")
# The default of AgentQuest's driver.
_SIMILAR = 0.95
_GAMES = "legacy/agentquest/data/alfworld/games.json"
_UNPLAYABLE = (ValueError, OSError, Error)
_GITHUB = "https://github.com"
_PAPERS = (
    ("AgentBoard", agentboard.has_prompts, agentboard.VARIABLE,
     f"{_GITHUB}/hkust-nlp/AgentBoard"),
    ("AgentQuest", agentquest.checkout, agentquest.VARIABLE,
     f"{_GITHUB}/nec-research/agentquest"),
)  # fmt: skip


def playable(suite: Suite) -> tuple[Suite, dict[str, str]]:
    """Return the part of a suite whose data are present, and the missing data by kind.

    Args:
        suite: A suite that may be played in part; others are returned as they are.

    Raises:
        ValueError: If nothing of it can be played.
        FileNotFoundError: If a variable does not name a paper's code or data.
    """
    for paper, find, *_ in _PAPERS:
        if any(task.kwargs.get("protocol") == paper.lower() for task in suite.tasks):
            find()
    if not suite.partial:
        return suite, {}
    kinds = {_kind(task): task for task in reversed(suite.tasks)}
    missing = {kind: why for kind in kinds if (why := _problem(kinds[kind]))}
    # In the order of the suite.
    missing = {k: missing[k] for k in dict(map(_named, suite.tasks)) if k in missing}
    if not missing:
        return suite, {}
    tasks = tuple(task for task in suite.tasks if _kind(task) not in missing)
    if not tasks:
        why = "; ".join(f"{kind}: {said}" for kind, said in missing.items())
        raise ValueError(f"suite={suite.name!r} lacks all its data: {why}")
    name = f"{suite.name} (without {', '.join(missing)})"
    return replace(suite, name=name, tasks=tasks), missing


def _named(task: Task) -> tuple[str, Task]:
    return _kind(task), task


def _kind(task: Task) -> str:
    """Return the benchmark of a task, with its world if it has several."""
    world = task.kwargs.get("world")
    return f"{task.id}?world={world}" if world else task.id


def _problem(task: Task) -> str:
    try:
        env = POOL.lend(task)
        env.reset(seed=task.seed)
    except _UNPLAYABLE as error:
        return str(error)
    POOL.give_back(task, env)
    return ""


def prompt_lines(suite: Suite, params: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about the source of a model's prompts in the papers' protocols.

    Args:
        suite: The suite. One task of each kind in it is begun.
        params: The parameters of the agent.
    """
    for paper, has_prompts, variable, address in _PAPERS:
        protocol = paper.lower()
        tasks = [t for t in suite.tasks if t.kwargs.get("protocol") == protocol]
        sources: dict[str, list[str]] = {}
        for kind, task in {_kind(task): task for task in reversed(tasks)}.items():
            sources.setdefault(_prompt_of(task, params), []).append(kind)
        sources.pop("", None)
        for source, kinds in sorted(sources.items()):
            line = f"prompts of {source}: {', '.join(sorted(kinds))}"
            if source != paper and not has_prompts():
                line += f"; {paper}'s need {variable}, a checkout of {address}"
            yield line


def _prompt_of(task: Task, params: Mapping[str, Any]) -> str:
    try:
        env = POOL.lend(task)
        env.reset(seed=task.seed)
        source = prompt_source(env, params)
    except _UNPLAYABLE:
        # The error message of the run, or of its estimate, gives the reason.
        return ""
    POOL.give_back(task, env)
    return "this package" if source == "ours" else source


def subgoal_lines(suite: Suite) -> Iterator[str]:
    """Yield lines about the source of the subgoals in AgentBoard's protocol."""
    judged = run_notes(suite, 1, {}).get("subgoals", {})
    for env, whose in judged.items():
        if whose == "ours":
            yield (
                f"{env}: the subgoals are ours; AgentBoard's are in its data "
                f"({agentboard.VARIABLE})"
            )
        else:
            yield f"{env}: AgentBoard's annotated subgoals"


def official_suite() -> Suite:
    """Return AgentQuest's instances in its protocol, 60 steps each.

    The kinds alternate, so that a part of the suite has equally many tasks of each
    kind.

    Raises:
        ValueError: If ``AGENTQUEST_DATA`` is not set, or a file is not in AgentQuest's
            format.
        FileNotFoundError: If it names no checkout.
    """
    root = agentquest.checkout()
    if root is None:
        raise ValueError(
            f"suite='agentquest-official': set {agentquest.VARIABLE} to a checkout of "
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
        f"aq/{name}-v0", 0, kwargs, _CAP, difficulty, progress, raw_repetition=True,
        source="published",
    )  # fmt: skip


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

    ADFGVX has only letters and digits. AgentQuest's example writes them in upper case,
    but solutions are converted to lower case, so upper case would never be right.
    """
    if cipher != "adfgvx":
        return text
    return "".join(one for one in text if one.isalnum()).lower()


def _households(root: Path) -> Iterator[list[Task]]:
    """Yield the games of ALFWorld that are present, by kind of task."""
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
