"""Draw random calls; ``aq_gym.tools.calls`` parses the calls of an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args, get_origin

import numpy as np

from aq_gym.envs.tooloperation.logic.builder import Step
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.todo.data import Task
from aq_gym.envs.tooloperation.logic.todo.tools import TodoSession
from aq_gym.tools import Toolbox

# The possible values of an argument, by the name of its parameter.
Values: TypeAlias = Mapping[str, Sequence[Any]]

_LETTERS = "ABCDEF"
_ROWS = range(1, 15)


def draw_call(
    toolbox: Toolbox, values: Values, rng: np.random.Generator
) -> tuple[str, dict[str, Any]]:
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
    return name, drawn


def values_of_world(session: object, goal: str, rng: np.random.Generator) -> Values:
    """Return ids, addresses and names in a world, and words of the task."""
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


def values_of_route(route: Sequence[Step]) -> Values:
    """Return the arguments of calls."""
    known: dict[str, list[Any]] = {}
    for step in route:
        for name, value in step.arguments.items():
            known.setdefault(name, []).append(value)
    return known
