"""AgentBoard's annotated tasks and its prompts, read from a folder that the user names.

They are the work of others and not part of this package: the tasks are in the files
``data/<task>/test.jsonl`` of AgentBoard's data, the prompts in a checkout of its code.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.papers.agentquest import texts_of
from aq_gym.support.data import cache_folder
from aq_gym.support.user_files import UserFileError, read_text

VARIABLE = "AGENTBOARD_DATA"
_SOURCE = "AgentBoard"
# The settings of its chat models.
_REQUEST = (("temperature", 0.0), ("stop", "\n"))
_PROMPTS = Path("agentboard", "prompts", "VanillaAgent")
_AGENT = Path("agentboard", "agents", "vanilla_agent.py")
_TOOL_TASK = Path("agentboard", "tasks", "tool.py")
_SHEET = Path("agentboard", "environment", "sheet_env.py")
_WHERE = (
    "get AgentBoard's data (https://huggingface.co/datasets/hkust-nlp/agentboard), "
    f"unpack it, and give the folder as data_dir=, or in {VARIABLE}"
)
# Files by which AgentBoard's code, its data, and parts that an environment reads are
# recognized.
_PARTS = ("agentboard", "pddlgym", *(f"{'*/' * n}*.{e}" for n in range(3)
          for e in ("jsonl", "pddl")))  # fmt: skip
# make_prompt has four sentences; the other texts in it are shorter.
_SHORTEST_SENTENCE = 20
_SENTENCES = 4
_CALL = re.compile(r"\s*(.*?)\s*with\s*Action Input:\s*(.*?)$")


class Annotation(NamedTuple):
    """A line of one of AgentBoard's files of tasks.

    Attributes:
        goal: The goal in AgentBoard's words.
        difficulty: "easy" or "hard".
        subgoals: The annotated subgoals; several lists are alternatives.
        info: The fields that only one benchmark has.
    """

    goal: str
    difficulty: str
    subgoals: tuple[tuple[str, ...], ...]
    info: dict[str, Any]


def annotated(task: str, data_dir: str | None = None) -> tuple[Annotation, ...]:
    """Return AgentBoard's tasks of a benchmark, in the order of their file.

    Args:
        task: Its name there, such as "scienceworld".
        data_dir: A folder with ``data/<task>/test.jsonl``, or the folder of the file
            itself; None for the folder that ``AGENTBOARD_DATA`` names.

    Raises:
        FileNotFoundError: If there is no such file.
        UserFileError: If the file is too large, or not in AgentBoard's format.
    """
    if (file := _file(task, folder(data_dir), data_dir)) is None:
        raise FileNotFoundError(
            f"{folder(data_dir)} has no data/{task}/test.jsonl: {_WHERE}"
        )
    return _annotations(task, file, file.stat().st_mtime_ns)


def annotated_if_there(
    task: str, data_dir: str | None = None
) -> tuple[Annotation, ...]:
    """Return AgentBoard's tasks of a benchmark, or none if its data is not there.

    The arguments and errors are those of :func:`annotated`.
    """
    if data_dir is None and _file(task, folder(), None) is None:
        return ()
    return annotated(task, data_dir)


def folder(data_dir: str | None = None) -> Path:
    """Return the folder of AgentBoard's code or data, which may have neither.

    Args:
        data_dir: The folder; None for the one that ``AGENTBOARD_DATA`` names or, if it
            is not set, the folder of the cache.

    Raises:
        FileNotFoundError: If ``AGENTBOARD_DATA`` names another folder or file.
    """
    if data_dir is not None:
        return Path(data_dir).expanduser()
    if not (given := os.environ.get(VARIABLE)):
        return cache_folder("agentboard")
    root = Path(given).expanduser()
    if any(next(root.glob(part), None) for part in _PARTS):
        return root
    raise FileNotFoundError(
        f"{VARIABLE}={given!r} has neither AgentBoard's code nor its data: give the "
        "path of a checkout of https://github.com/hkust-nlp/AgentBoard, or of the data "
        "(https://huggingface.co/datasets/hkust-nlp/agentboard), or unset it"
    )


def _file(task: str, root: Path, data_dir: str | None) -> Path | None:
    for place in (f"data/{task}", task, "."):
        file = root / place / "test.jsonl"
        # A file in the folder itself may belong to another benchmark.
        if file.is_file() and (place != "." or data_dir is not None):
            return file
    return None


@lru_cache(maxsize=8)
def _annotations(task: str, file: Path, _changed: int) -> tuple[Annotation, ...]:
    found = []
    lines = read_text(file, file.parent).splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(_annotation(task, json.loads(line)))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise UserFileError(f"{file}, line {number}: {error!r:.200}") from None
    if not found:
        raise UserFileError(f"{file} has no task")
    return tuple(found)


def _annotation(task: str, row: Any) -> Annotation:
    if not isinstance(row, dict) or row.get("task", task) != task:
        raise ValueError(f"it is not a task of {task}")
    if row.get("difficulty") not in ("easy", "hard"):
        raise ValueError('difficulty must be "easy" or "hard"')
    info, goal = row.get("additional_info", {}), row.get("goal")
    if not isinstance(info, dict) or not isinstance(goal, str):
        raise ValueError("goal must be a text, and additional_info an object")
    keys = [key for key in row if "subgoals" in key]
    lists = tuple(_texts(row[key]) for key in keys)
    return Annotation(goal, row["difficulty"], lists, info)


def _texts(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise ValueError("subgoals must be a list of texts")
    return tuple(given)


def has_prompts() -> bool:
    """Return whether ``AGENTBOARD_DATA`` names a checkout of AgentBoard's code."""
    return (folder() / _AGENT).is_file()


def prompt(
    name: str,
    goal: str,
    first: Sequence[tuple[str, str]],
    *,
    part: str = "",
    example: str = "",
    check: str = "",
    inventory: bool = False,
    history_text: Callable[[str], str] = str,
) -> PublishedPrompt | None:
    """Return the prompt of AgentBoard's act-only agent for an episode.

    Args:
        name: The file of ``prompts/VanillaAgent``, without ``.json``.
        goal: The goal in AgentBoard's words.
        first: The history at the start: pairs of "Action" or "Observation" and a text.
        part: The part of the file for a kind of task.
        example: The kind of task whose examples are shown.
        check: The help action that the prompt mentions, "" for none.
        inventory: Whether the prompt mentions ``inventory``.
        history_text: Returns the part of an answer that is written in the history.

    Returns:
        None if ``AGENTBOARD_DATA`` names no checkout of its code.

    Raises:
        UserFileError: If a file is not in AgentBoard's format.
    """
    root = folder()
    file = root / _PROMPTS / f"{name}.json"
    if not (has_prompts() and file.is_file()):
        return None
    try:
        record = json.loads(read_text(file, root))
        record = record[part] if part else record
        examples = record["examples"]
        examples = "".join(examples[example]) if example else examples
        examples = [examples] if isinstance(examples, str) else examples
        query, system = record["instruction"], record["system_msg"]
        heading, to_do, checking, holding = _sentences(root / _AGENT, root)
        if examples:
            query += heading + "".join(f"{one}\n" for one in examples)
        query += f"{to_do}{goal}\n"
        query += f"{checking}{check}\n" if check else ""
        query += holding if inventory else ""
    except UserFileError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UserFileError(f"{file} is not AgentBoard's: {error!r:.200}") from None
    return PublishedPrompt(
        _SOURCE,
        (("system", system), ("user", query)),
        tuple(first),
        history_text,
        request=_REQUEST,
    )


def _sentences(file: Path, root: Path) -> list[str]:
    """Return the sentences that AgentBoard's agent puts around goal and examples."""
    nodes = (
        node
        for function in ast.walk(_parsed(file, root))
        if isinstance(function, ast.FunctionDef) and function.name == "make_prompt"
        for line in function.body
        for node in ast.walk(line)
    )
    found = _long_texts(nodes)
    if len(found) != _SENTENCES:
        raise ValueError(f"make_prompt has {len(found)} sentences, not {_SENTENCES}")
    return found


def _parsed(file: Path, root: Path) -> ast.Module:
    """Return the syntax tree of a source file, without running it."""
    try:
        return ast.parse(read_text(file, root))
    except UserFileError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserFileError(f"{file} is not Python: {error!r:.200}") from None


def tools_prompt(
    name: str,
    goal: str,
    opening: int = -1,
    opened: Sequence[tuple[str, str]] = (),
) -> PublishedPrompt | None:
    """Return the prompt for AgentBoard's tools, with its own first observation.

    Args:
        name: The world, such as "academia".
        goal: The goal.
        opening: The number of one of AgentBoard's first observations.
        opened: The history that follows this observation.

    Returns:
        None if ``AGENTBOARD_DATA`` names no checkout of its code.
    """
    openings = _openings()
    if not openings:
        return None
    first = [("Observation", openings[opening]), *opened]
    check = "check_valid_actions"
    return prompt(f"{name}_prompt", goal, first, check=check, history_text=_call)


def opened_sheet(name: str, table: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the action with which AgentBoard opens a sheet, and its observation.

    Args:
        name: The name of the sheet.
        table: The content of the sheet, as AgentBoard shows it.

    Returns:
        An empty list if ``AGENTBOARD_DATA`` names no checkout of its code.

    Raises:
        UserFileError: If the file is not in AgentBoard's format.
    """
    root = folder()
    file = root / _SHEET
    if not file.is_file():
        return []
    found = list(texts_of(_parsed(file, root), "reset_question_env"))
    if [len(one.parts) for one in found[2:]] != [2, 3]:
        raise UserFileError(f"{file} is not AgentBoard's: it opens no sheet")
    action, observation = found[2:]
    shown = observation.fill(name, [list(row) for row in table])
    return [("Action", action.fill(name)), ("Observation", shown)]


def _call(answer: str) -> str:
    found = _CALL.search(answer.strip())
    return " with Action Input: ".join(found.groups()) if found else ""


def _openings() -> list[str]:
    """Return the first observations of AgentBoard's tools, [] without a checkout."""
    root = folder()
    if not (root / _TOOL_TASK).is_file():
        return []
    return _long_texts(
        node.value
        for node in ast.walk(_parsed(root / _TOOL_TASK, root))
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "init_obs" for t in node.targets)
    )


def _long_texts(nodes: Iterator[ast.AST]) -> list[str]:
    """Return the distinct sentences among the constants, in the order of the file."""
    texts = [
        (node.lineno, node.col_offset, node.value)
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) >= _SHORTEST_SENTENCE
    ]
    return list(dict.fromkeys(text for *_, text in sorted(texts)))
