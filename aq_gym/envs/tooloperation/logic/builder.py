"""The builder with which templates write tasks; it makes the calls of the route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.tooloperation.logic.session import Session, Target
from aq_gym.tools.tasks import TaskBuilder


class Step(NamedTuple):
    """A call of the reference route."""

    tool: str
    arguments: Mapping[str, Any]


class Operation(NamedTuple):
    """A task: a wanted end state, and calls that lead to it.

    Attributes:
        text: The task in words.
        target: The wanted end state.
        answer: The right argument of ``finish``.
        route: Calls that lead to the end state.
    """

    text: str
    target: Target
    answer: str
    route: tuple[Step, ...]


class Template(NamedTuple):
    """A kind of task.

    Attributes:
        name: Its name, a part of task ids.
        write: Makes the calls with a builder, and returns the text of the task.
        small: Whether it needs calls for every row; large sheets have no such tasks.
    """

    name: str
    write: Callable[[Any], str]
    small: bool = False


class Builder(TaskBuilder):
    """Draws values, makes calls and records them.

    Args:
        session: A session at the start.
        rng: The generator of the task.
        missing: A name that does not exist, or "". If given, the first lookup is for
            this name, and the task cannot be done.
    """

    def __init__(
        self, session: Session, rng: np.random.Generator, missing: str = ""
    ) -> None:
        super().__init__(rng)
        self.session = session
        self.missing = missing
        self._replaced = ""
        self._lookup = Step("", {})
        self._route: list[Step] = []

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to below a limit."""
        return int(self.rng.integers(limit))

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Make a call, add it to the route, and return its result."""
        self._route.append(Step(tool, arguments))
        return getattr(self.session, tool)(**arguments)

    def look_up(self, name: str, tool: str, /, **arguments: Any) -> Any:
        """Make the call that looks for a name, or for the missing name instead."""
        if self.missing and not self._replaced:
            self._replaced = name
            changed = {
                k: self.missing if v == name else v for k, v in arguments.items()
            }
            self._lookup = Step(tool, changed)
        return self.call(tool, **arguments)

    def write(self, template: Template) -> Operation:
        """Write a task of a template.

        Args:
            template: The template.

        Raises:
            RejectedError: If the draw cannot become a task.
        """
        before = self.session.keeps()
        text = template.write(self)
        if self.missing:
            self.require(self._replaced and self._replaced in text)
            text = text.replace(self._replaced, self.missing)
            return Operation(text, Target({}, {}), "unknown", (self._lookup,))
        changes = self.session.changes()
        self.require(changes)
        after = self.session.keeps()
        kept = {key: before[key] & after[key] for key in before.keys() & after.keys()}
        target = Target(dict(changes), kept)
        return Operation(text, target, "done", tuple(self._route))
