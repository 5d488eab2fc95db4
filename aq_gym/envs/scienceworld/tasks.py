"""ScienceWorld's tasks, their published splits, and how arguments select them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from aq_gym.core.tasks import NumberedTasks

# The name of each task, its number in the paper, and its number of variations.
_TABLE = """
1-1 boil 30
1-2 melt 30
1-3 freeze 30
1-4 change-the-state-of-matter-of 30
2-1 use-thermometer 540
2-2 measure-melting-point-known-substance 436
2-3 measure-melting-point-unknown-substance 300
3-1 power-component 20
3-2 power-component-renewable-vs-nonrenewable-energy 20
3-3 test-conductivity 900
3-4 test-conductivity-of-unknown-substances 600
4-1 find-living-thing 300
4-2 find-non-living-thing 300
4-3 find-plant 300
4-4 find-animal 300
5-1 grow-plant 126
5-2 grow-fruit 126
6-1 chemistry-mix 32
6-2 chemistry-mix-paint-secondary-color 36
6-3 chemistry-mix-paint-tertiary-color 36
7-1 lifespan-longest-lived 125
7-2 lifespan-shortest-lived 125
7-3 lifespan-longest-lived-then-shortest-lived 125
8-1 identify-life-stages-1 14
8-2 identify-life-stages-2 10
9-1 inclined-plane-determine-angle 168
9-2 inclined-plane-friction-named-surfaces 1386
9-3 inclined-plane-friction-unnamed-surfaces 162
10-1 mendelian-genetics-known-plant 120
10-2 mendelian-genetics-unknown-plant 480
"""
_ROWS = [line.split() for line in _TABLE.split("\n") if line]
TASKS = {name: int(count) for _, name, count in _ROWS}
_NUMBERS = {number: name for number, name, _ in _ROWS}
SIMPLIFICATIONS = (
    "easy",
    "teleportAction",
    "selfWateringFlowerPots",
    "openContainers",
    "openDoors",
    "noElectricalAction",
)
_EASY = ("teleportAction", "noElectricalAction", "openDoors", "selfWateringFlowerPots")


class Instance(NamedTuple):
    """A variation of a task.

    Attributes:
        task: The name of the task.
        variation: The number of the variation, from 0.
        simplifications: Simplifications of ScienceWorld, separated by commas.
    """

    task: str
    variation: int
    simplifications: str

    @property
    def electrical(self) -> bool:
        """Whether the task needs electrical actions."""
        return "power-component" in self.task or "conductivity" in self.task

    @property
    def enabled(self) -> tuple[str, ...]:
        """The enabled simplifications; "easy" is replaced by its parts."""
        if self.simplifications != "easy":
            return tuple(filter(None, self.simplifications.split(",")))
        return tuple(
            name
            for name in _EASY
            if not (self.electrical and name == "noElectricalAction")
        )


def task_name(given: str) -> str | None:
    """Return the name of a task given by name or number, or None.

    Args:
        given: A name such as "boil", or a number in the paper such as "1-1".
    """
    name = _NUMBERS.get(given, given)
    return name if name in TASKS else None


def variations(task: str, split: str) -> range:
    """Return the variations of a task in a split.

    In the published splits, the first half is for training, the third quarter for
    development, and the rest for the test.

    Args:
        task: The name of the task.
        split: "all", "train", "dev" or "test".
    """
    count = TASKS[task]
    quarter = count // 4
    bounds = {
        "all": (0, count),
        "train": (0, 2 * quarter),
        "dev": (2 * quarter, 3 * quarter),
        "test": (3 * quarter, count),
    }
    return range(*bounds[split])


def task_source(
    tasks: tuple[str, ...], variation: int | None, simplifications: str, split: str
) -> NumberedTasks[Instance]:
    """Return variations of tasks; each task is drawn with the same probability.

    Args:
        tasks: The names of the tasks.
        variation: The only variation, or None for all of the split.
        simplifications: Simplifications, separated by commas.
        split: "all", "train", "dev" or "test".

    Raises:
        ValueError: If the variation does not belong to the task and split.
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
        simplifications: Simplifications. If they exclude electrical actions, None
            selects only tasks without these.

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
