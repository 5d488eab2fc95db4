"""The worlds, and tasks made from their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.tooloperation.logic.builder import (
    Builder,
    Operation,
    RejectedError,
    Template,
)
from aq_gym.envs.tooloperation.logic.names import Names
from aq_gym.envs.tooloperation.logic.session import Session
from aq_gym.envs.tooloperation.logic.sheet import data as sheet_data
from aq_gym.envs.tooloperation.logic.sheet import templates as sheet_templates
from aq_gym.envs.tooloperation.logic.sheet import tools as sheet_tools
from aq_gym.envs.tooloperation.logic.todo import data as todo_data
from aq_gym.envs.tooloperation.logic.todo import templates as todo_templates
from aq_gym.envs.tooloperation.logic.todo import tools as todo_tools
from aq_gym.tools import Toolbox

__all__ = ["STARTS", "WORLDS", "TaskName", "World", "operation", "start"]

# The number of starts that tasks are drawn from, for each world and size.
STARTS = 100_000
SMALL = 100
_ATTEMPTS = 200


class World(NamedTuple):
    """A world.

    Attributes:
        build: Builds its start from a seed, a size and how to restore it.
        session: The class whose methods are its tools.
        tools: The tools.
        templates: The kinds of its tasks.
        records: The size by default.
    """

    build: Callable[[int, int, Any], Any]
    session: Callable[[Any], Session]
    tools: Toolbox
    templates: tuple[Template, ...]
    records: int


WORLDS: Mapping[str, World] = {
    "todo": World(
        todo_data.build,
        todo_tools.TodoSession,
        todo_tools.TOOLS,
        todo_templates.TEMPLATES,
        40,
    ),
    "sheet": World(
        sheet_data.build,
        sheet_tools.SheetSession,
        sheet_tools.TOOLS,
        sheet_templates.TEMPLATES,
        12,
    ),
}


class TaskName(NamedTuple):
    """The parts of a task's id.

    Attributes:
        world: The world.
        start: The seed of the start.
        template: The name of the template.
        number: The number of the task.
        possible: Whether it can be done.
    """

    world: str
    start: int
    template: str
    number: int
    possible: bool = True

    def __str__(self) -> str:
        end = "" if self.possible else "-unknown"
        return f"{self.world}-{self.start}-{self.template}-{self.number}{end}"

    @classmethod
    def parse(cls, text: str) -> TaskName | None:
        """Parse the id of a task; return None if it is not one."""
        bare = text.removesuffix("-unknown")
        parts = bare.split("-")
        if len(parts) < 4 or not all(map(_is_number, (parts[1], parts[-1]))):
            return None
        template = "-".join(parts[2:-1])
        name = cls(parts[0], int(parts[1]), template, int(parts[-1]), bare == text)
        known = name.world in WORLDS and name.start < STARTS
        return name if known and str(name) == text else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9


@lru_cache(maxsize=32)
def start(world: str, seed: int, records: int) -> Any:
    """Return the start of a seed; environments in one process share it."""
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
