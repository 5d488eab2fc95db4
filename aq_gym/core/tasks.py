"""Sources of tasks: generated, numbered, or given by the user."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from aq_gym.core.splits import all_in_split, draw

Instance = TypeVar("Instance")
Instance_co = TypeVar("Instance_co", covariant=True)


class TaskSource(Protocol[Instance_co]):
    """The tasks that an environment can play, each with an id.

    A source is made for one split: it draws and accepts only ids of that split.
    """

    def draw(self, rng: np.random.Generator) -> str:
        """Draw the id of a task."""

    def get(self, task_id: object) -> Instance_co:
        """Return the task that an id names.

        Raises:
            ValueError: If this source has no task with that id.
        """


class GeneratedTasks(Generic[Instance]):
    """Endless tasks, each made from its id.

    Args:
        draw_id: Draws an id of any split.
        make: Makes the task of an id; None if there is no such task.
        form: The form of an id, which follows "give " in the error message.
        split: "all", "train" or "test".
        content: The text of a task whose hash decides its split; equal tasks with
            different ids share it. A task with several texts belongs to a split only if
            all of them do.
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

        Raises:
            ValueError: If the id names no task, or a task of another split.
        """
        instance = self._made(task_id, argument)
        # The content can take longer to compute than the task itself.
        whole = self._split == "all"
        if not whole and not all_in_split(self._content(instance), self._split):
            raise ValueError(f"{argument}={task_id!r} is not in split={self._split!r}")
        return instance

    def _made(self, task_id: object, argument: str = "task_id") -> Instance:
        # A task that draw() made to learn its split need not be made again.
        # Read self._last once: a copy of the env in another thread may replace it.
        last = self._last
        if last is not None and last[0] == task_id:
            return last[1]
        instance = self._make(task_id) if isinstance(task_id, str) else None
        if instance is None:
            raise ValueError(f"{argument}={task_id!r:.200}: give {self._form}")
        self._last = (str(task_id), instance)
        return instance


class NumberedTasks(Generic[Instance]):
    """The numbered tasks of one or more groups, each with the id ``GROUP-NUMBER``.

    A published split gives the numbers of each group. A split by hash gives the groups
    that belong to it, so that a row of a file stays in one split with all its variants.

    Args:
        groups: The numbers of each group.
        make: Makes the task of an id, a group and a number.
        split: The name of the split, for error messages.
        evenly: Whether each group is drawn with the same probability, however many
            tasks it has. Otherwise each task has the same probability.

    Raises:
        ValueError: If there is no task.
    """

    def __init__(
        self,
        groups: Mapping[str, range],
        make: Callable[[str, str, int], Instance],
        split: str = "all",
        evenly: bool = False,
    ) -> None:
        self._groups = {name: numbers for name, numbers in groups.items() if numbers}
        if not self._groups:
            raise ValueError(f"split={split!r} has no tasks")
        self._names = tuple(self._groups)
        self._make = make
        self._split = split
        # In a list of all tasks, the position at which each group ends.
        self._ends = () if evenly else (*accumulate(map(len, self._groups.values())),)

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a task."""
        if self._ends:
            at = int(rng.integers(self._ends[-1]))
            group = bisect_right(self._ends, at)
            name = self._names[group]
            # A negative index, counted from the end of the group.
            return f"{name}-{self._groups[name][at - self._ends[group]]}"
        name = self._names[int(rng.integers(len(self._names)))]
        numbers = self._groups[name]
        return f"{name}-{numbers[int(rng.integers(len(numbers)))]}"

    def get(self, task_id: object, argument: str = "task_id") -> Instance:
        """Make the task that an id names.

        Raises:
            ValueError: If the split has no such task.
        """
        name, _, digits = str(task_id).rpartition("-")
        numbers = self._groups.get(name)
        if numbers and _is_number(digits) and f"{name}-{int(digits)}" == task_id:
            if int(digits) in numbers:
                return self._make(task_id, name, int(digits))
            such = f"{name}-{numbers[0]} to {name}-{numbers[-1]}"
        else:
            first = self._names[0]
            such = f"GROUP-NUMBER, such as {first}-{self._groups[first][0]}"
        raise ValueError(
            f"{argument}={task_id!r:.200} is not in split={self._split!r}: give {such}"
        )


class UserTasks(Generic[Instance]):
    """A list of tasks, such as a user's files or a list of words.

    Args:
        tasks: Each task, or the argument of ``load``, by the task's id.
        label: The name of these tasks in error messages.
        load: Loads a task each time it is played; None if ``tasks`` has the tasks.

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
            ValueError: If no task has that id.
        """
        if not isinstance(task_id, str) or task_id not in self._tasks:
            raise ValueError(
                f"task_id={task_id!r:.200} is not one of {self._label} "
                f"({len(self.ids)}, such as {self.ids[0]!r})"
            )
        task = self._tasks[task_id]
        return task if self._load is None else self._load(task)

    def only(self, problem: int | None) -> UserTasks[Instance]:
        """Return a source of one task, by its number from 0; for None, this source.

        Raises:
            ValueError: If there is no task with that number.
        """
        if problem is None:
            return self
        if not 0 <= problem < len(self.ids):
            raise ValueError(
                f"problem={problem} must be 0 to {len(self.ids) - 1}: {self._label}"
            )
        chosen = self.ids[problem]
        return UserTasks({chosen: self._tasks[chosen]}, self._label, self._load)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18


def task_of(
    source: TaskSource[Instance],
    options: Mapping[str, Any],
    rng: np.random.Generator,
) -> tuple[str, Instance]:
    """Return the id and task that ``reset`` asks for, or draw one.

    Raises:
        ValueError: If the options name a task that the source does not have.
    """
    if "task_id" in options:
        task_id = options["task_id"]
        return task_id, source.get(task_id)
    drawn = source.draw(rng)
    return drawn, source.get(drawn)


def separate(rng: np.random.Generator) -> np.random.Generator:
    """Return a generator for ``sample_action``, independent of the draws of ``reset``.

    If the caller's generator has the seed of the episode, its next draws are those that
    made the instance, such as its secret.
    """
    return np.random.default_rng(rng.integers(2**63, size=2))
