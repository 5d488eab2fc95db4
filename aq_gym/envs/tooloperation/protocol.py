"""Our own protocol of ToolOperation: generated tasks about generated worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

import numpy as np

from aq_gym.core.drawing import Drawing
from aq_gym.envs.tooloperation import picture
from aq_gym.envs.tooloperation.expert import next_step
from aq_gym.envs.tooloperation.logic.builder import Operation, Step
from aq_gym.envs.tooloperation.logic.session import score
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.todo import Task, TodoSession
from aq_gym.envs.tooloperation.logic.worlds import STARTS, WORLDS, operation, start
from aq_gym.tools import Toolbox
from aq_gym.tools.picture import Looked, Seen
from aq_gym.tools.tasks import TaskName
from aq_gym.tools.world_env import (
    Episode,
    GeneratedProtocol,
    Measure,
    WorldArguments,
)

# AgentBoard's cutoff for tools; tasks with more calls are hard.
_EASY = 4
_RECORDS = (10, 10_000)
ABOUT = {
    "todo": "a to-do list of projects, sections and tasks. Write dates as YYYY-MM-DD",
    "sheet": "a workbook of sheets. Rows have numbers and columns letters; row 1 of a "
    "table has the names of its columns",
}
# The possible values of an argument, by the name of its parameter.
Values: TypeAlias = Mapping[str, Sequence[Any]]
_LETTERS = "ABCDEF"
_ROWS = range(1, 15)


class Planned(NamedTuple):
    """A generated task, with the parts of its id."""

    name: TaskName
    wanted: Operation

    @property
    def goal(self) -> str:
        """The task in words."""
        return self.wanted.text

    @property
    def difficulty(self) -> str:
        """Return "easy" for at most four calls, else "hard"."""
        return "easy" if len(self.wanted.route) <= _EASY else "hard"


class ToolOperationProtocol(GeneratedProtocol):
    """Tasks that change generated to-do lists and workbooks.

    Args:
        given: The arguments of the environment.

    Raises:
        ValueError: If an argument is out of its range, or needs another protocol.
    """

    worlds = WORLDS
    starts = STARTS
    start_name = "START"
    label = "Task"
    ending = (
        "Change what the task asks for and nothing else, and then call {finish}(), "
        "which ends the episode. If the task is about something that does not exist, "
        'change nothing and give {finish} the answer "unknown".'
    )
    outcomes = "\nThe task is not done as asked.", "\nThe task is done."

    def __init__(self, given: WorldArguments) -> None:
        if given.problem is not None:
            raise ValueError(f"problem={given.problem} needs protocol='agentboard'")
        low, high = _RECORDS
        if given.records and not low <= given.records <= high:
            raise ValueError(f"records={given.records} must be 0, or {low} to {high}")
        world = WORLDS[given.world]
        self.tools = world.tools
        self.about = f"Do a task with tools that change {ABOUT[given.world]}."
        templates = [one.name for one in world.templates]
        super().__init__(given, templates, given.records or world.records)

    def make(self, name: TaskName) -> Planned | None:
        """Return the task with a name, or None."""
        wanted = operation(name, self._records)
        return None if wanted is None else Planned(name, wanted)

    def session(self, task: Any) -> Any:
        """Return a session at the start of a task."""
        data = start(self._given.world, task.name.start, self._records)
        return WORLDS[self._given.world].session(data)

    def measure(self, game: Episode) -> Measure:
        """Measure the needed changes that hold, minus the damage."""
        wanted: Operation = game.task.wanted
        found = score(game.session, wanted.target)
        success = game.session.answer == wanted.answer and found.exact
        held = found.subgoals(wanted.target)
        progress = 1.0 if success else found.progress
        return Measure(progress, {**held, "right end state": success}, success)

    def next_call(self, game: Episode) -> Step | None:
        """Return the next call of the route, or one that undoes another call."""
        task: Planned = game.task
        return next_step(
            task.wanted, game.session, lambda: self.session(task), game.made
        )

    def route(self, game: Episode) -> Sequence[Step]:
        """Return the calls of the reference route."""
        wanted: Operation = game.task.wanted
        return wanted.route

    def draw(self, game: Episode, rng: np.random.Generator) -> Step:
        """Draw a call, with arguments from the world and words of the task."""
        values = _values_of_world(game.session, game.task.goal, rng)
        return draw_call(self.tools, values, rng)

    def picture(self, game: Episode, seen: Seen, looked: Sequence[Looked]) -> Drawing:
        """Return the list or the sheet, as far as the agent has seen it."""
        # A distractor can return any text, also one that names records.
        own = [one for one in looked if one.tool in self.tools]
        if isinstance(game.session, TodoSession):
            return picture.draw_list(seen, own, game.session)
        if isinstance(game.session, SheetSession):
            return picture.draw_book(seen, own, game.session)
        return super().picture(game, seen, looked)


def draw_call(toolbox: Toolbox, values: Values, rng: np.random.Generator) -> Step:
    """Draw a tool other than ``finish``, and its required arguments.

    Args:
        toolbox: The tools.
        values: The possible values of arguments, except those of a ``Literal``.
        rng: A generator.
    """
    choices: dict[str, dict[str, Sequence[Any]]] = {
        tool.name: {
            one.name: get_args(one.type)
            if get_origin(one.type) is Literal
            else values.get(one.name, ())
            for one in tool.parameters
            if one.required
        }
        for tool in toolbox
        if tool.name != "finish"
    }
    names = [name for name, needed in choices.items() if all(needed.values())]
    name = names[int(rng.integers(len(names)))]
    drawn = {
        parameter: several[int(rng.integers(len(several)))]
        for parameter, several in choices[name].items()
    }
    return Step(name, drawn)


def _values_of_world(session: object, goal: str, rng: np.random.Generator) -> Values:
    """Return ids, addresses and names from a world, and words of the task."""
    words = (*goal.split('"')[1::2], *goal.split())
    if isinstance(session, TodoSession):
        data = session.data
        project = data.projects[int(rng.integers(len(data.projects)))]
        inside = data.children[project]
        tasks = [key for key in inside if isinstance(data.records[key], Task)]
        ids = {"project_id": data.projects, "task_id": tasks}
        return {**ids, "name": words, "content": words}
    assert isinstance(session, SheetSession)
    cells = [f"{letter}{row}" for letter in _LETTERS for row in _ROWS]
    return {
        "sheet": [grid.name for grid in session.book.grids.values()],
        **dict.fromkeys(("name", "text", "value", "note"), words),
        **{"cell": cells, "start": cells, "cells": [f"A1:{one}" for one in cells]},
        **{"column": _LETTERS, "columns": [[one] for one in _LETTERS]},
        **{"row": _ROWS, "rows": [[one] for one in _ROWS]},
        "values": [[[one]] for one in words],
        "formula": [f"=SUM({one}2:{one}9)" for one in _LETTERS],
    }
