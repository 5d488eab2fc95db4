"""The instances that a constructor's arguments select."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from aq_gym.core.tasks import NumberedTasks
from aq_gym.envs.scienceworld.logic.instances import (
    SIMPLIFICATIONS,
    TASKS,
    Instance,
    task_name,
    variations,
)


def task_source(
    tasks: tuple[str, ...], variation: int | None, simplifications: str, split: str
) -> NumberedTasks[Instance]:
    """Return variations of tasks: each task is drawn with the same probability.

    Args:
        tasks: The names of the tasks.
        variation: The only variation, or None for all of the split.
        simplifications: Simplifications, separated by commas.
        split: "all", "train", "dev" or "test".

    Raises:
        ValueError: If the variation is not one of the task and split.
    """
    make = partial(_instance, simplifications)
    groups = {task: variations(task, split) for task in tasks}
    if variation is not None:
        if len(tasks) != 1:
            raise ValueError(f"variation={variation!r} needs one task")
        NumberedTasks(groups, make, split).get(f"{tasks[0]}-{variation}", "variation")
        groups = {tasks[0]: range(variation, variation + 1)}
    return NumberedTasks(groups, make, split, evenly=True)


def _instance(simplifications: str, task_id: str, task: str, number: int) -> Instance:
    return Instance(task, number, simplifications)


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
                f"simplifications={name!r:.100}: choose from "
                f"{', '.join(SIMPLIFICATIONS)}"
            )
    if "easy" in names and len(names) > 1:
        raise ValueError("simplifications: give 'easy' alone, as it means all")
    return ",".join(names)


def _electrical(task: str) -> bool:
    return Instance(task, 0, "").electrical
