"""The 30 tasks of ScienceWorld, their 7,207 variations and the published splits."""

from __future__ import annotations

from typing import NamedTuple

# The name of each task, its number in the paper, and how many variations it has.
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
SPLITS = ("all", "train", "dev", "test")
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
        """The simplifications that are enabled, with those that "easy" stands for."""
        if self.simplifications != "easy":
            return tuple(filter(None, self.simplifications.split(",")))
        return tuple(
            name
            for name in _EASY
            if not (self.electrical and name == "noElectricalAction")
        )


def task_name(given: str) -> str | None:
    """Return the name of a task given by name or number; None if there is none.

    Args:
        given: Such as "boil", or "1-1", its number in the paper.
    """
    name = _NUMBERS.get(given, given)
    return name if name in TASKS else None


def variations(task: str, split: str) -> range:
    """Return the variations of a task in a split.

    The published splits: the first two quarters are for training, the third is for
    development, and the fourth, with what the division left over, is for the test.

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
