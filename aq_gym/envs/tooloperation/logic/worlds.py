"""The worlds, and the tasks that are made from their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.tooloperation.logic import todo, todo_tasks
from aq_gym.envs.tooloperation.logic.builder import Builder, Operation, Template
from aq_gym.envs.tooloperation.logic.names import Names
from aq_gym.envs.tooloperation.logic.session import WorldSession
from aq_gym.envs.tooloperation.logic.sheet import tasks as sheet_tasks
from aq_gym.envs.tooloperation.logic.sheet import tools as sheet
from aq_gym.tools import Toolbox
from aq_gym.tools.tasks import RejectedError, TaskName

# The number of starts from which tasks are drawn, for each world and size.
STARTS = 100_000
SMALL = 100
_ATTEMPTS = 200


class World(NamedTuple):
    """A world.

    Attributes:
        build: Builds its start from a seed, a size, and the function that can build it
            again.
        session: The class whose methods are its tools.
        tools: The tools.
        templates: The templates of its tasks.
        records: The default size.
    """

    build: Callable[[int, int, Any], Any]
    session: Callable[[Any], WorldSession]
    tools: Toolbox
    templates: tuple[Template, ...]
    records: int


WORLDS: Mapping[str, World] = {
    "todo": World(
        todo_tasks.build, todo.TodoSession, todo.TOOLS, todo_tasks.TEMPLATES, 40
    ),
    "sheet": World(
        sheet_tasks.build, sheet.SheetSession, sheet.TOOLS, sheet_tasks.TEMPLATES, 12
    ),
}


@lru_cache(maxsize=32)
def start(world: str, seed: int, records: int) -> Any:
    """Return a seed's initial data; environments in one process share it."""
    return WORLDS[world].build(seed, records, (start, (world, seed, records)))


@lru_cache(maxsize=1024)
def operation(name: TaskName, records: int) -> Operation | None:
    """Make a task; return None if no task has this name."""
    world = WORLDS[name.world]
    templates = {one.name: one for one in world.templates}
    template = templates.get(name.template)
    if template is None or (template.small and records > SMALL):
        return None
    place = list(templates).index(name.template)
    rng = np.random.default_rng([name.start, place, name.number, 5])
    missing = "" if name.possible else " ".join(_words(rng, 3))
    data = start(name.world, name.start, records)
    for _ in range(_ATTEMPTS if name.possible else 20):
        try:
            builder = Builder(world.session(data), rng, missing)
            return builder.write(template)
        except RejectedError:
            continue
    return None


def _words(rng: np.random.Generator, count: int) -> list[str]:
    names = Names(rng)
    return [names.word() for _ in range(count)]
