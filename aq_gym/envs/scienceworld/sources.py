"""The instances that a constructor's arguments select."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aq_gym.envs.scienceworld.logic.instances import (
    SIMPLIFICATIONS,
    TASKS,
    Instance,
    task_name,
    variations,
)

__all__ = ["Variations", "checked_simplifications", "checked_tasks"]


class Variations:
    """Variations of tasks: each task is drawn with the same probability.

    Args:
        tasks: The names of the tasks.
        variation: The only variation, or None for all of the split.
        simplifications: Simplifications, separated by commas.
        split: "all", "train", "dev" or "test".

    Raises:
        ValueError: If the variation is not one of the task and split.
    """

    def __init__(
        self,
        tasks: tuple[str, ...],
        variation: int | None,
        simplifications: str,
        split: str,
    ) -> None:
        self._tasks = tasks
        self._variation = variation
        self._simplifications = simplifications
        self._split = split
        if variation is not None:
            if len(tasks) != 1:
                raise ValueError(f"variation={variation!r} needs one task")
            self.get(f"{tasks[0]}-{variation}", "variation")

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a task, and a variation of it.

        Args:
            rng: The environment's ``np_random``.
        """
        task = self._tasks[int(rng.integers(len(self._tasks)))]
        numbers = variations(task, self._split)
        variation = self._variation
        if variation is None:
            variation = numbers[int(rng.integers(len(numbers)))]
        return f"{task}-{variation}"

    def get(self, task_id: object, argument: str = "task_id") -> Instance:
        """Return the instance that an id names.

        Args:
            task_id: ``TASK-VARIATION``, such as "boil-3".
            argument: The name of the argument, for the error message.

        Raises:
            ValueError: If it names none of these.
        """
        task, _, number = str(task_id).rpartition("-")
        if task in self._tasks and number.isascii() and number.isdecimal():
            variation = int(number) if len(number) <= 4 else -1
            exact = str(variation) == number
            wanted = self._variation in (None, variation)
            if exact and wanted and variation in variations(task, self._split):
                return Instance(task, variation, self._simplifications)
        example = self._tasks[0]
        numbers = variations(example, self._split)
        raise ValueError(
            f"{argument}={task_id!r:.200}: give TASK-VARIATION of the tasks and of "
            f"split={self._split!r}, such as {example}-{numbers[0]} to "
            f"{example}-{numbers[-1]}"
        )


def checked_tasks(
    task: str | Sequence[str] | None, simplifications: str
) -> tuple[str, ...]:
    """Return the names of the tasks that an argument names, all for None.

    Args:
        task: A name or number, or several.
        simplifications: Simplifications; without electrical actions, None stands for
            the tasks that need none.

    Raises:
        ValueError: If there is no such task, or the simplifications exclude it.
    """
    without = "noElectricalAction" in simplifications
    if task is None:
        return tuple(t for t in TASKS if not (without and _electrical(t)))
    names = []
    for given in [task] if isinstance(task, str) else task:
        name = task_name(given)
        if name is None:
            raise ValueError(f"task={given!r:.100}: choose one of {', '.join(TASKS)}")
        if without and _electrical(name):
            raise ValueError(
                f"task={given!r} needs electrical actions, which "
                f"simplifications={simplifications!r} excludes"
            )
        names.append(name)
    if not names:
        raise ValueError("task must name at least one task, or be None for all")
    return tuple(dict.fromkeys(names))


def checked_simplifications(simplifications: str | Sequence[str]) -> str:
    """Return simplifications as ScienceWorld reads them, separated by commas.

    Args:
        simplifications: Names, in one text or several.

    Raises:
        ValueError: If there is no such simplification.
    """
    if isinstance(simplifications, str):
        simplifications = simplifications.split(",") if simplifications else []
    names = list(dict.fromkeys(name.strip() for name in simplifications))
    for name in names:
        if name not in SIMPLIFICATIONS:
            raise ValueError(
                f"simplifications={name!r:.100}: choose of {', '.join(SIMPLIFICATIONS)}"
            )
    if "easy" in names and len(names) > 1:
        raise ValueError("simplifications: 'easy' stands for all of them")
    return ",".join(names)


def _electrical(task: str) -> bool:
    return Instance(task, 0, "").electrical
