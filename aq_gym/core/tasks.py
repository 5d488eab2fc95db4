"""Sources of tasks: generated, banked, or given by the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from aq_gym.core.splits import all_in_split, draw, in_split

__all__ = ["BankedTasks", "GeneratedTasks", "TaskSource", "UserTasks", "task_of"]

Instance = TypeVar("Instance")
Instance_co = TypeVar("Instance_co", covariant=True)


class TaskSource(Protocol[Instance_co]):
    """The tasks that an environment can play, each with an id.

    A source is made for one split: it draws and accepts ids of that split alone.
    """

    def draw(self, rng: np.random.Generator) -> str:
        """Draw the id of a task.

        Args:
            rng: The environment's ``np_random``.
        """

    def get(self, task_id: object) -> Instance_co:
        """Return the task that an id names.

        Args:
            task_id: The id, as ``reset(options={"task_id": ...})`` received it.

        Raises:
            ValueError: If this source has no task of that id.
        """


class GeneratedTasks(Generic[Instance]):
    """Endless tasks, each made from its id.

    Args:
        draw_id: Draws an id of any split.
        make: Makes the task of an id; None where the id names none.
        form: The form of an id, for the error message: "give " and this.
        split: "all", "train" or "test".
        content: The text of a task whose hash decides its split; equal tasks with
            different ids share it. A task of several texts belongs to the split that
            all of them belong to, if there is one.
    """

    def __init__(
        self,
        draw_id: Callable[[np.random.Generator], str],
        make: Callable[[str], Instance | None],
        form: str,
        split: str = "all",
        content: Callable[[Instance], str | tuple[str, ...]] = str,
    ) -> None:
        self._draw_id = draw_id
        self._make = make
        self._form = form
        self._split = split
        self._content = content
        self._last: tuple[str, Instance] | None = None

    def draw(self, rng: np.random.Generator) -> str:
        """Draw ids until one belongs to the split.

        Raises:
            gymnasium.error.Error: If 10,000 in a row belong to the other split.
        """
        if self._split == "all":
            return self._draw_id(rng)
        return draw(
            lambda: self._draw_id(rng),
            lambda task_id: self._content(self._made(task_id)),
            self._split,
        )

    def get(self, task_id: object, argument: str = "task_id") -> Instance:
        """Make the task that an id names.

        Args:
            task_id: The id.
            argument: The argument that holds it, for the error message.

        Raises:
            ValueError: If the id names no task, or one of another split.
        """
        instance = self._made(task_id, argument)
        # The content can take longer to compute than the task itself.
        if not self._belongs(instance):
            raise ValueError(f"{argument}={task_id!r} is not in split={self._split!r}")
        return instance

    def _belongs(self, instance: Instance) -> bool:
        if self._split == "all":
            return True
        return all_in_split(self._content(instance), self._split)

    def _made(self, task_id: object, argument: str = "task_id") -> Instance:
        # What draw() made to learn its split need not be made again.
        # Read once: copies of an env in other threads share this source.
        last = self._last
        if last is not None and last[0] == task_id:
            return last[1]
        instance = self._make(task_id) if isinstance(task_id, str) else None
        if instance is None:
            raise ValueError(f"{argument}={task_id!r:.200}: give {self._form}")
        self._last = (str(task_id), instance)
        return instance


class BankedTasks(Generic[Instance]):
    """Tasks made from the rows of a packaged file, each in many variants.

    A row belongs to a split with all its variants.

    Args:
        rows: The rows; the text of each decides its split.
        variants: The number of variants of each row.
        make: Makes the task of an id, a row's number and a variant.
        prefix: The beginning of each id: ``PREFIX-ROW-VARIANT``.
        split: "all", "train" or "test".
    """

    def __init__(
        self,
        rows: Sequence[str],
        variants: int,
        make: Callable[[str, int, int], Instance],
        prefix: str,
        split: str = "all",
    ) -> None:
        self._in_split = [i for i, row in enumerate(rows) if in_split(row, split)]
        self._rows = rows
        self._variants = variants
        self._make = make
        self._prefix = prefix
        self._split = split

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a row and a variant, each with the same probability."""
        row = self._in_split[int(rng.integers(len(self._in_split)))]
        return f"{self._prefix}-{row}-{int(rng.integers(self._variants))}"

    def get(self, task_id: object) -> Instance:
        """Make the task that an id names.

        Raises:
            ValueError: If the bank has no such row or variant, or has it in another
                split.
        """
        numbers = str(task_id).removeprefix(f"{self._prefix}-").split("-")
        if len(numbers) == 2 and all(map(_is_number, numbers)):
            row, variant = map(int, numbers)
            named = f"{self._prefix}-{row}-{variant}" == task_id
            known = row < len(self._rows) and variant < self._variants
            if named and known and in_split(self._rows[row], self._split):
                return self._make(str(task_id), row, variant)
        raise ValueError(
            f"task_id={task_id!r:.200}: give {self._prefix}-ROW-VARIANT, where ROW is "
            f"below {len(self._rows)} and belongs to split={self._split!r}, and "
            f"VARIANT is below {self._variants}"
        )


class UserTasks(Generic[Instance]):
    """Tasks that the user gives: files, or one in an argument.

    Args:
        tasks: Each task by its id, or what it is loaded from.
        label: The name of these tasks in error messages.
        load: Loads a task each time it is played; None where ``tasks`` holds them.

    Attributes:
        ids: The ids, in order.
    """

    def __init__(
        self,
        tasks: Mapping[str, Any],
        label: str,
        load: Callable[[Any], Instance] | None = None,
    ) -> None:
        self.ids = tuple(tasks)
        self._tasks = tasks
        self._label = label
        self._load = load

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a task, each with the same probability."""
        return self.ids[int(rng.integers(len(self.ids)))]

    def get(self, task_id: object) -> Instance:
        """Return the task that an id names.

        Raises:
            ValueError: If none has that id.
        """
        if not isinstance(task_id, str) or task_id not in self._tasks:
            raise ValueError(
                f"task_id={task_id!r:.200} is not one of {self._label} "
                f"({len(self.ids)}, such as {self.ids[0]!r})"
            )
        task = self._tasks[task_id]
        return task if self._load is None else self._load(task)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18


def task_of(
    source: TaskSource[Instance],
    options: Mapping[str, Any],
    rng: np.random.Generator,
) -> tuple[str, Instance]:
    """Return the id and task that ``reset`` asks for, or draw one.

    Args:
        source: The tasks.
        options: The options of ``reset``.
        rng: The environment's ``np_random``.

    Raises:
        ValueError: If the options name a task that the source does not have.
    """
    if "task_id" in options:
        task_id = options["task_id"]
        return task_id, source.get(task_id)
    drawn = source.draw(rng)
    return drawn, source.get(drawn)
