"""AgentBoard's protocol of ToolOperation: its tasks, tools, reward and ends."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from aq_gym.core import Prompt
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.tooloperation.agentboard_sheet import SHEET_TOOLS, BoardSheet
from aq_gym.envs.tooloperation.agentboard_table import Table, read_workbook
from aq_gym.envs.tooloperation.agentboard_todo import (
    TODO_TOOLS,
    BoardTodo,
    Todo,
    canonical_subgoal,
)
from aq_gym.envs.tooloperation.logic.builder import Step
from aq_gym.envs.tooloperation.logic.session import Session
from aq_gym.envs.tooloperation.protocol import ABOUT, ToolOperationProtocol, draw_call
from aq_gym.papers import agentboard
from aq_gym.papers.agentboard import opened_sheet, tools_prompt
from aq_gym.support.user_files import check_file, read_text
from aq_gym.tools import Call, Toolbox, Unreadable, read_calls
from aq_gym.tools.env import Calls
from aq_gym.tools.world_env import Episode, Measure, WorldArguments

# The highest progress before success.
_ALMOST = 0.999
_ENDING = {
    "todo": 'Call {finish} with the answer to a question, or "done" after a change.',
    "sheet": "The sheet that the task names is open. Call {finish}() at the end.",
}
_TASKS = ("tool-operation/test.jsonl", "test.jsonl", "{world}.jsonl")
_SHEET = re.compile(r'"(Sheet\d{1,2})"')
_ACTION = re.compile(r"^Action \d+: (\w+) with Action Input: (\{.*)$", re.MULTILINE)


class AgentBoardProtocol(ToolOperationProtocol):
    """AgentBoard's tasks, from the user's files.

    The reward is the highest so far. For the to-do list it is the share of the golden
    results that calls have returned. For a sheet it is the share of equal cells in the
    part that the table and the golden table have in common, including deleted rows. The
    episode ends when an action contains the word "finish", in any call. Success needs
    the full reward at that time and, for tasks that change the list, the golden end
    state.

    Args:
        given: The arguments of the environment; ``data_dir`` is the folder with the
            files.

    Raises:
        ValueError: If an argument has no meaning in this protocol.
        FileNotFoundError: If a file is missing.
    """

    def __init__(self, given: WorldArguments) -> None:
        if given[1:5] != ("any", 0, 0.0, "all"):
            raise ValueError(
                'protocol="agentboard" has fixed tasks: omit difficulty, records, '
                "unanswerable and split"
            )
        self.about = f"Do a task with tools that change {ABOUT[given.world]}."
        self.ending = _ENDING[given.world]
        self.tools = TODO_TOOLS if given.world == "todo" else SHEET_TOOLS
        self.tasks = board_tasks(given.world, given.data_dir).only(given.problem)
        self._routes: dict[Any, tuple[Step, ...]] = {}

    def task_prompt(self, packaged: Prompt) -> Prompt:
        """Return the prompt without its example, which uses other tools."""
        return packaged._replace(example=None)

    def session(self, task: Any) -> Session:
        """Return a session at the start of a task."""
        started: Session = task.session()
        return started

    def after(self, game: Episode, action: Calls, valid: bool, tools: Toolbox) -> None:
        """Update the reward; end the episode at the word "finish"."""
        if not any(_is_carried_out(one, tools) for one in action.calls):
            return
        session = game.session
        session.best = max(session.best, _reward(session, game.task))
        if "finish" in action.text.lower():
            session.answer = "done"

    def measure(self, game: Episode) -> Measure:
        """Return the reward so far as progress."""
        session, task = game.session, game.task
        full = session.best == 1.0
        right = not task.is_change or _status(session) == task.status
        success = bool(session.answer) and full and right
        progress = 1.0 if success else min(_ALMOST, session.best)
        return Measure(progress, {"golden": full, "finished": success}, success)

    def extra_info(self, game: Episode) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": game.session.best}

    def prompt(self, game: Episode) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout.

        The prompt for sheets begins with an action that opens the sheet.
        """
        task: BoardTask = game.task
        if not task.sheet:
            return tools_prompt("todo", task.goal)
        table = cast(BoardSheet, task.session()).table()
        return tools_prompt("sheet", task.goal, opened=opened_sheet(task.sheet, table))

    def next_call(self, game: Episode) -> Step:
        """Return the next call of the reference path, and then finish."""
        route, task = self.route(game), game.task
        if game.made < len(route):
            return route[game.made]
        if task.sheet:
            return Step("finish", {})
        return Step("finish", {"answer": json.loads(task.golden[-1])})

    def route(self, game: Episode) -> Sequence[Step]:
        """Return the reference path; for the to-do list, calls with its results."""
        task: BoardTask = game.task
        if task.sheet:
            return task.route
        key = task.goal, task.golden, task.source.date
        if key not in self._routes:
            self._routes[key] = _found_route(task)
        return self._routes[key]

    def draw(self, game: Episode, rng: np.random.Generator) -> Step:
        """Draw a call, with arguments like the ones in the route."""
        known: dict[str, list[Any]] = {}
        for step in self.route(game):
            for name, value in step.arguments.items():
                known.setdefault(name, []).append(value)
        return draw_call(self.tools, known, rng)


class BoardTask(NamedTuple):
    """A task of AgentBoard.

    Attributes:
        goal: The goal.
        source: The to-do list or the sheets at the start.
        sheet: The name of the sheet; "" for the to-do list.
        golden: The golden table, or the golden results as JSON.
        status: The golden projects and tasks as JSON; "" for a sheet.
        is_change: Whether success needs this status.
        difficulty: "easy" or "hard".
        route: The reference path; empty if the file has none.
    """

    goal: str
    source: Any
    sheet: str
    golden: tuple[Any, ...]
    status: str
    is_change: bool
    difficulty: str
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
    source = _read_json(read_text(data), data) if world == "todo" else None
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
            check_file(path, folder)
            return path
    raise FileNotFoundError(
        f"data_dir={str(folder)!r} has no {' or '.join(names)}: get AgentBoard "
        "(https://github.com/hkust-nlp/AgentBoard) with its data, and give its path as "
        f"data_dir=, or in {agentboard.VARIABLE}; generated tasks need no data"
    )


def _rows(path: Path) -> Iterator[Any]:
    for line in read_text(path).splitlines():
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
    """Yield the calls of a reference path; lists in it are written as texts."""
    for name, text in _ACTION.findall(path):
        arguments = _literal(text)
        if not isinstance(arguments, dict):
            raise ValueError(f"the reference path has an invalid call {text!r:.80}")
        yield Step(name, {key: _literal(one) for key, one in arguments.items()})


def _literal(value: Any) -> Any:
    """Return the value that a text stands for; it is parsed, never evaluated."""
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


def _found_route(task: BoardTask) -> tuple[Step, ...]:
    """Return calls for the golden results except the last; some may not be found."""
    session, route = task.session(), []
    for golden in task.golden[:-1]:
        for step in _candidates(session, json.loads(golden)):
            tried = copy.deepcopy(session)
            result = TODO_TOOLS.run(tried, Call(step.tool, step.arguments))
            if result.valid and tried.results[-1] == golden:  # type: ignore[attr-defined]
                session = tried
                route.append(step)
                break
    return tuple(route)


def _candidates(session: Session, golden: Any) -> Iterator[Step]:
    """Yield calls that could return a golden result."""
    names = ("get_user_current_date", "get_user_current_location", "get_projects")
    yield from (Step(name, {}) for name in names)
    assert isinstance(session, BoardTodo)
    for project in session.project_ids:
        yield Step("get_tasks", {"project_id": project})
        for favorite in ("True", "False"):
            arguments = {"project_id": project, "is_favorite": favorite}
            yield Step("update_project", arguments)
    due = golden["task"].get("due_date", "") if _has_task(golden) else ""
    for task in session.task_ids:
        for name in ("get_task_description", "get_task_duration"):
            yield Step(name, {"task_id": task})
        yield Step("complete_task", {"task_id": task})
        # Completing a task and setting its present date return the same result.
        if due:
            yield Step("update_task", {"task_id": task, "due_date": due})
        yield Step("delete_task", {"task_id": task})


def _has_task(golden: Any) -> bool:
    return isinstance(golden, dict) and isinstance(golden.get("task"), dict)


def _is_carried_out(call: Call | Unreadable, tools: Toolbox) -> bool:
    """Return whether AgentBoard's environment would try a call."""
    if isinstance(call, Unreadable):
        return False
    return tools.find(call.name) is None or not isinstance(tools.bind(call), str)


def _reward(session: Session, task: BoardTask) -> float:
    if isinstance(session, BoardTodo):
        both = Counter(session.results) & Counter(task.golden)
        return both.total() / len(task.golden)
    assert isinstance(session, BoardSheet)
    pairs = [
        (one, other)
        for line, golden in zip(session.table(), task.golden, strict=False)
        for one, other in zip(line, golden, strict=False)
    ]
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else 0.0


def _status(session: Session) -> str:
    return str(session.changes()["status",])
