"""The protocols: generated tasks, and AgentBoard's with its tools, reward and ends."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.splits import Split, in_split
from aq_gym.core.tasks import GeneratedTasks, TaskSource
from aq_gym.envs.tooloperation import expert, text
from aq_gym.envs.tooloperation.actions import (
    draw_call,
    values_of_route,
    values_of_world,
)
from aq_gym.envs.tooloperation.agentboard_files import BoardTask, board_tasks
from aq_gym.envs.tooloperation.agentboard_sheet import SHEET_TOOLS, BoardSheet
from aq_gym.envs.tooloperation.agentboard_todo import TODO_TOOLS, BoardTodo
from aq_gym.envs.tooloperation.logic.builder import Operation, Step
from aq_gym.envs.tooloperation.logic.score import score
from aq_gym.envs.tooloperation.logic.session import Session
from aq_gym.envs.tooloperation.logic.worlds import (
    STARTS,
    WORLDS,
    operation,
    start,
)
from aq_gym.papers.agentboard import opened_sheet, tools_prompt
from aq_gym.tools import Call
from aq_gym.tools.tasks import TaskName, check_unanswerable

# AgentBoard's cutoff for tools: tasks with more calls are hard.
_EASY = 4
_NUMBERS = 1_000_000
_TRIES = 10_000
_RECORDS = (10, 10_000)
# Only success is 1.0.
_ALMOST = 0.999


class Measure(NamedTuple):
    """The measure of a state.

    Attributes:
        progress: The progress, 0.0 to 1.0; 1.0 only with success.
        subgoals: Whether each subgoal holds.
        success: Whether the task is solved.
    """

    progress: float
    subgoals: dict[str, bool]
    success: bool


class Protocol:
    """The default protocol: generated tasks, and how they are played and measured.

    Args:
        world: The world.
        difficulty: "any", "easy" or "hard".
        records: The size of the start.
        unanswerable: The share of tasks that cannot be done.
        split: "all", "train" or "test".

    Raises:
        ValueError: If a number is out of its range.

    Attributes:
        tools: The tools, before they are renamed.
        tasks: The tasks.
        ending: When to call ``finish``, in words.
        has_example: Whether the example of the prompt has the same tools.
    """

    tasks: TaskSource[Any]
    ending = text.ENDING
    has_example = True

    def __init__(
        self,
        world: str,
        difficulty: str,
        records: int,
        unanswerable: float,
        split: Split,
    ) -> None:
        if records and not _RECORDS[0] <= records <= _RECORDS[1]:
            raise ValueError(
                f"records={records} must be 0, or {_RECORDS[0]} to {_RECORDS[1]}"
            )
        check_unanswerable(unanswerable, difficulty)
        self._world = world
        self._difficulty = difficulty
        self._records = records or WORLDS[world].records
        self._unanswerable = unanswerable
        self._split = split
        self.tools = WORLDS[world].tools
        self.tasks = GeneratedTasks(
            self._draw_id,
            self._task,
            f"{world}-START-TEMPLATE-NUMBER, as info['task_id'] has it",
            split,
            _split_key,
        )

    def session(self, task: Any) -> Session:
        """Return a session at the start of a task."""
        data = start(self._world, task[0].start, self._records)
        return WORLDS[self._world].session(data)

    def goal(self, task: Any) -> str:
        """Return a task in words."""
        wanted: Operation = task[1]
        return wanted.text

    def grade(self, task: Any) -> str:
        """Return "easy" for at most four calls, else "hard"."""
        return "easy" if len(task[1].route) <= _EASY else "hard"

    def measure(self, session: Session, task: Any) -> Measure:
        """Measure the needed changes that hold, minus the damage."""
        wanted = task[1]
        found = score(session, wanted.target)
        success = session.answer == wanted.answer and found.exact
        held = found.subgoals(wanted.target)
        progress = 1.0 if success else found.progress
        return Measure(progress, {**held, "right end state": success}, success)

    def next_step(self, session: Session, task: Any, made: int) -> Step | None:
        """Return the next call of the route."""
        return expert.next_step(task[1], session, lambda: self.session(task), made)

    def route(self, task: Any) -> tuple[Step, ...]:
        """Return the calls of the reference route."""
        wanted: Operation = task[1]
        return wanted.route

    def draw(self, session: Session, task: Any, rng: np.random.Generator) -> Step:
        """Draw a call, with arguments of the world and words of the task."""
        values = values_of_world(session, self.goal(task), rng)
        return Step(*draw_call(self.tools, values, rng))

    def after(self, session: Session, task: Any, action: str) -> None:
        """Handle an action whose calls were parsed; by default, do nothing."""

    def published_prompt(self, task: Any) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None

    def extra_info(self, session: Session) -> dict[str, Any]:
        """Return the keys that the protocol adds to info."""
        return {}

    def _draw_id(self, rng: np.random.Generator) -> str:
        templates = WORLDS[self._world].templates
        for _ in range(_TRIES):
            name = TaskName(
                self._world,
                int(rng.integers(STARTS)),
                templates[int(rng.integers(len(templates)))].name,
                int(rng.integers(_NUMBERS)),
                float(rng.random()) >= self._unanswerable,
            )
            # Checked before the start is made, which takes longer.
            if in_split(_part(name), self._split) and self._task(str(name)):
                return str(name)
        raise AssertionError("no task was found")

    def _task(self, task_id: str) -> tuple[TaskName, Operation] | None:
        """Make a task; return None if there is none, or this env cannot draw it."""
        name = TaskName.parse(task_id, WORLDS, STARTS)
        if name is None or name.world != self._world:
            return None
        if self._unanswerable == float(name.possible):
            return None
        task = operation(name, self._records)
        if task is None or self._difficulty not in ("any", self.grade((name, task))):
            return None
        return name, task


def _split_key(task: tuple[TaskName, Operation]) -> str:
    return _part(task[0])


def _part(name: TaskName) -> str:
    """Return what decides the split: a start and a template."""
    return f"{name.world} {name.start} {name.template}"


class AgentBoardProtocol(Protocol):
    """AgentBoard's tasks, from the user's files.

    The reward is the highest so far: for the to-do list the share of the golden
    results that calls have returned, for a sheet the share of equal cells in the part
    that the table and the golden one have in common, deleted rows included. The
    episode ends by the word "finish" in an action, whatever the call. Success needs
    the full reward then, and for tasks that change the list the golden end state.

    Args:
        world: "todo" or "sheet".
        data_dir: The folder with the files.
        problem: The number of a task; None for all.
    """

    has_example = False

    def __init__(
        self, world: str, data_dir: str | None, problem: int | None = None
    ) -> None:
        self.ending = text.PUBLISHED[world]
        self.tools = TODO_TOOLS if world == "todo" else SHEET_TOOLS
        self.tasks = board_tasks(world, data_dir).only(problem)
        self._routes: dict[Any, tuple[Step, ...]] = {}

    def session(self, task: BoardTask) -> Session:
        """Return a session at the start of a task."""
        return task.session()

    def goal(self, task: BoardTask) -> str:
        """Return AgentBoard's goal."""
        return task.text

    def grade(self, task: BoardTask) -> str:
        """Return AgentBoard's difficulty."""
        return task.grade

    def after(self, session: Session, task: BoardTask, action: str) -> None:
        """Update the reward; end the episode by the word "finish"."""
        session.best = max(session.best, _reward(session, task))
        if "finish" in action.lower():
            session.answer = "done"

    def measure(self, session: Session, task: BoardTask) -> Measure:
        """Return the reward so far as progress."""
        full = session.best == 1.0
        right = not task.is_change or _status(session) == task.status
        success = bool(session.answer) and full and right
        progress = 1.0 if success else min(_ALMOST, session.best)
        return Measure(progress, {"golden": full, "finished": success}, success)

    def extra_info(self, session: Session) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": session.best}

    def published_prompt(self, task: BoardTask) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there.

        That of the sheets begins with an action of its own, which opens one.
        """
        if not task.sheet:
            return tools_prompt("todo", task.text)
        table = cast(BoardSheet, task.session()).table()
        return tools_prompt("sheet", task.text, opened=opened_sheet(task.sheet, table))

    def next_step(self, session: Session, task: BoardTask, made: int) -> Step | None:
        """Return the next call of the reference path, and then finish."""
        route = self.route(task)
        if made < len(route):
            return route[made]
        if task.sheet:
            return Step("finish", {})
        return Step("finish", {"answer": json.loads(task.golden[-1])})

    def route(self, task: BoardTask) -> tuple[Step, ...]:
        """Return the reference path; for the to-do list, calls with its results."""
        if task.sheet:
            return task.route
        key = task.text, task.golden, task.source.date
        if key not in self._routes:
            self._routes[key] = _found_route(task)
        return self._routes[key]

    def draw(self, session: Session, task: Any, rng: np.random.Generator) -> Step:
        """Draw a call, with arguments like those of the route."""
        return Step(*draw_call(self.tools, values_of_route(self.route(task)), rng))


def make_protocol(
    published: tuple[str, int | None, str | None],
    world: str,
    difficulty: str,
    records: int,
    unanswerable: float,
    split: Split,
) -> Protocol:
    """Return a protocol.

    Args:
        published: "aq" or "agentboard", the number of a task of AgentBoard's, and the
            folder with its files.
        world: The world.
        difficulty: "any", "easy" or "hard".
        records: The size of the start.
        unanswerable: The share of tasks that cannot be done.
        split: "all", "train" or "test".

    Raises:
        ValueError: If a number is out of its range, or the protocol does not have
            this choice.
        FileNotFoundError: If a file of AgentBoard is missing.
    """
    protocol, problem, data_dir = published
    if protocol == "aq":
        if problem is not None:
            raise ValueError(f"problem={problem} needs protocol='agentboard'")
        return Protocol(world, difficulty, records, unanswerable, split)
    if (difficulty, records, unanswerable, split) != ("any", 0, 0.0, "all"):
        raise ValueError(
            'protocol="agentboard" has fixed tasks: omit difficulty, records, '
            "unanswerable and split"
        )
    return AgentBoardProtocol(world, data_dir, problem)


def _found_route(task: BoardTask) -> tuple[Step, ...]:
    """Return calls for the golden results except the last, as far as found."""
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
    """Yield calls that may return a result."""
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
        # Both calls return the same result if the date does not change.
        if due:
            yield Step("update_task", {"task_id": task, "due_date": due})
        yield Step("delete_task", {"task_id": task})


def _has_task(golden: Any) -> bool:
    return isinstance(golden, dict) and isinstance(golden.get("task"), dict)


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
