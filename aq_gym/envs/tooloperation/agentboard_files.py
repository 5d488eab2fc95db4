"""AgentBoard's tasks of Tool-Operation, read from the user's files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.core.tasks import UserTasks
from aq_gym.envs.tooloperation.agentboard_sheet import BoardSheet
from aq_gym.envs.tooloperation.agentboard_todo import (
    BoardTodo,
    Todo,
    canonical_subgoal,
)
from aq_gym.envs.tooloperation.agentboard_xlsx import Table, read_workbook
from aq_gym.envs.tooloperation.logic.builder import Step
from aq_gym.envs.tooloperation.logic.session import Session
from aq_gym.papers import agentboard
from aq_gym.support.user_files import check_file, read_text
from aq_gym.tools import Call, Unreadable, read_calls

_MOST_BYTES = 20_000_000
_TASKS = ("tool-operation/test.jsonl", "test.jsonl", "{world}.jsonl")
_SHEET = re.compile(r'"(Sheet\d{1,2})"')
_ACTION = re.compile(r"^Action \d+: (\w+) with Action Input: (\{.*)$", re.MULTILINE)


class BoardTask(NamedTuple):
    """A task of AgentBoard.

    Attributes:
        text: The goal.
        source: The to-do list or the sheets at the start.
        sheet: The name of the sheet; "" for the to-do list.
        golden: The golden table, or the golden results as JSON.
        status: The golden projects and tasks as JSON, "" for a sheet.
        is_change: Whether success needs this status.
        grade: "easy" or "hard".
        route: The reference path, if the file has it.
    """

    text: str
    source: Any
    sheet: str
    golden: tuple[Any, ...]
    status: str
    is_change: bool
    grade: str
    route: tuple[Step, ...] = ()

    def session(self) -> Session:
        """Return a session at the start."""
        if self.sheet:
            return BoardSheet(self.source, self.sheet)
        return BoardTodo(self.source)


def board_tasks(world: str, data_dir: str | None) -> UserTasks[BoardTask]:
    """Return AgentBoard's tasks of a world, in the order of their file.

    Args:
        world: "todo" or "sheet".
        data_dir: A folder with the tasks and the to-do list or workbook, such as a
            checkout of AgentBoard with its data; None for the folder that the
            environment variable ``AGENTBOARD_DATA`` names.

    Raises:
        FileNotFoundError: If a file is missing.
        ValueError: If a file does not have AgentBoard's format.
    """
    folder = agentboard.folder(data_dir)
    names = [name.format(world=world) for name in _TASKS]
    tasks = _find(folder, *names)
    name = "utils/todo/projects.json" if world == "todo" else "utils/sheet/*.xlsx"
    data = _find(folder, name, name.rpartition("/")[2])
    source = _read_json(read_text(data, _MOST_BYTES), data) if world == "todo" else None
    tables = read_workbook(data) if world == "sheet" else {}
    found: dict[str, BoardTask] = {}
    try:
        for row in _rows(tasks):
            if row["additional_info"]["tool"] == world:
                made = _sheet(row, tables) if tables else _todo(row, source)
                found[f"agentboard-{world}-{len(found)}"] = made
    except (KeyError, TypeError, AttributeError) as error:
        problem = f"{tasks} is not as AgentBoard writes it: {error!r}"
        raise ValueError(problem) from error
    if not found:
        raise ValueError(f"{tasks} has no task of world={world!r}")
    return UserTasks(found, f"AgentBoard's tasks of world={world!r}")


def _find(folder: Path, *names: str) -> Path:
    for name in names:
        for path in sorted(folder.glob(f"**/{name}")) if folder.is_dir() else ():
            check_file(path, _MOST_BYTES, folder)
            return path
    raise FileNotFoundError(
        f"data_dir={str(folder)!r} has no {' or '.join(names)}: get AgentBoard "
        "(https://github.com/hkust-nlp/AgentBoard) with its data, and give its path as "
        f"data_dir=, or in {agentboard.VARIABLE}; generated tasks need no data"
    )


def _rows(path: Path) -> Iterator[Any]:
    for line in read_text(path, _MOST_BYTES).splitlines():
        if line.strip():
            yield _read_json(line, path)


def _read_json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from error


def _sheet(row: Mapping[str, Any], tables: Mapping[str, Table]) -> BoardTask:
    goal, named = row["goal"], _SHEET.search(row["goal"])
    if named is None or named[1] not in tables:
        raise ValueError(f"the goal {goal!r:.80} names no sheet of the workbook")
    golden = json.loads(row["additional_info"]["answer"])
    lines = tuple(tuple(map(str, line)) for line in golden)
    route = tuple(_steps(str(row["subgoals"])))
    return BoardTask(goal, tables, named[1], lines, "", False, row["difficulty"], route)


def _steps(path: str) -> Iterator[Step]:
    """Yield the calls of a reference path, whose lists are written as texts."""
    for name, text in _ACTION.findall(path):
        arguments = _literal(text)
        if not isinstance(arguments, dict):
            raise ValueError(f"the reference path has an invalid call {text!r:.80}")
        yield Step(name, {key: _literal(one) for key, one in arguments.items()})


def _literal(value: Any) -> Any:
    """Return a value that is written as a text; it is read, never evaluated."""
    if not (isinstance(value, str) and value[:1] in ("[", "{")):
        return value
    calls = read_calls(f"read(value={value})")
    call = None if isinstance(calls, Unreadable) else calls[0]
    return call.arguments["value"] if isinstance(call, Call) else value


def _todo(row: Mapping[str, Any], projects: Any) -> BoardTask:
    info = row["additional_info"]
    start = info["init_config"]
    todo = Todo(projects, start["current_date"], start["current_location"])
    BoardTodo(todo)
    golden = tuple(map(canonical_subgoal, row["subgoals"]))
    return BoardTask(
        row["goal"],
        todo,
        "",
        golden,
        json.dumps(info["answer"], sort_keys=True),
        info["goal_type"] == 1,
        row["difficulty"],
    )
