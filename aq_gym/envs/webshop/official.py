"""The tasks of WebShop's files: goals written by people, and synthetic goals."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.webshop.logic.goals import Task
from aq_gym.envs.webshop.logic.product import Goal
from aq_gym.envs.webshop.logic.shop import Shop
from aq_gym.envs.webshop.official_files import (
    DataError,
    combination,
    combinations,
    goal_of,
    options_of,
    texts_of,
)
from aq_gym.envs.webshop.official_shop import (
    entries,
    find_files,
    find_human,
    official_shop,
)

_MOST_GOALS = 10**9
# WebShop shuffles its goals with this seed. The first 500 are its test split, the next
# 1,000 its split "eval", and the rest its train split.
_SEED = 233
_SPLITS = {"all": slice(None), "test": slice(500), "train": slice(1500, None)}


class HumanTasks(UserTasks[Task]):
    """The goals that people wrote, in WebShop's order; an id is ``ASIN-NUMBER``.

    Args:
        folder: A folder with WebShop's files.
        products: The number of products, 0 for all.
        split: "all", "train" or "test", as WebShop divides them.
        number: The number of a goal in WebShop's order, from 0; None for all.

    Raises:
        DataError: If the files are not WebShop's, or have no such goal.
        ValueError: If there is no goal with this number.
    """

    def __init__(
        self,
        folder: str,
        products: int,
        split: str,
        number: int | None = None,
    ) -> None:
        self._arguments = folder, products, split, number
        files, human = find_files(folder, products), find_human(folder, products)
        self._shop = official_shop(files, products)
        self._entries = entries(human)
        order = _order(self._shop, self._entries)
        if number is not None and not 0 <= number < len(order):
            raise ValueError(f"goal={number} must be 0 to {len(order) - 1}")
        chosen = order[_SPLITS[split]] if number is None else [order[number]]
        tasks = {f"{asin}-{index}": (asin, index) for asin, index in chosen}
        if not tasks:
            raise DataError(
                f"data_dir={folder!r} has no human goal of its products in "
                f"split={split!r}: it has {len(order):,} goals; WebShop tests with the "
                "first 500 and trains with those from 1,500 on"
            )
        super().__init__(tasks, "WebShop's goals of people", self._task)

    def __deepcopy__(self, memo: object) -> HumanTasks:
        return self

    def __reduce__(self) -> tuple[type[HumanTasks], tuple[Any, ...]]:
        return HumanTasks, self._arguments

    def _task(self, place: tuple[str, int]) -> Task:
        return Task(self._shop, self._goal(*place))

    def _goal(self, asin: str, index: int) -> Goal:
        one = self._entries[asin][index]
        instruction = "".join(texts_of([one.get("instruction")])).strip(".")
        wanted = texts_of(one["instruction_attributes"])
        options = options_of(one.get("instruction_options"))
        return goal_of(self._shop.product(asin), index, instruction, wanted, options)


class SyntheticTasks:
    """The goals that WebShop makes from its products; an id is ``ASIN-NUMBER``.

    Args:
        folder: A folder with WebShop's files.
        products: The number of products, 0 for all.
        split: "all", "train" or "test"; all goals of a product are in the same split.

    Raises:
        DataError: If the files are not WebShop's, or have no such goal.
    """

    def __init__(self, folder: str, products: int, split: str) -> None:
        self._arguments = folder, products, split
        files = find_files(folder, products)
        self._shop = official_shop(files, products)
        self._entries = entries(files.attributes)
        self._split = split
        self._asins = [
            asin
            for asin in self._shop.numbers
            if in_split(f"webshop {asin}", split) and self._count(asin)
        ]
        if not self._asins:
            raise DataError(
                f"data_dir={folder!r} has no synthetic goal of its products in "
                f"split={split!r}"
            )

    def __deepcopy__(self, memo: object) -> SyntheticTasks:
        return self

    def __reduce__(self) -> tuple[type[SyntheticTasks], tuple[Any, ...]]:
        return SyntheticTasks, self._arguments

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a product and one of its goals."""
        asin = self._asins[int(rng.integers(len(self._asins)))]
        return f"{asin}-{int(rng.integers(self._count(asin)))}"

    def get(self, task_id: object) -> Task:
        """Return the task of an id.

        Raises:
            ValueError: If there is no such task.
        """
        made = self._make(task_id) if isinstance(task_id, str) else None
        if made is None:
            raise ValueError(
                f"task_id={task_id!r:.200}: give ASIN-NUMBER, as info['task_id'] has "
                f"it, such as {self._asins[0]}-0"
            )
        return made

    def _count(self, asin: str) -> int:
        """Return the number of goals of a product."""
        has = self._entries.get(asin)
        if not isinstance(has, dict) or not texts_of(has.get("instruction_attributes")):
            return 0
        if not isinstance(has.get("instruction"), str):
            return 0
        return min(combinations(self._shop.product(asin)), _MOST_GOALS)

    def _make(self, task_id: str) -> Task | None:
        asin, _, number = task_id.rpartition("-")
        if not (number.isascii() and number.isdecimal() and len(number) <= 9):
            return None
        index = int(number)
        known = asin in self._shop.numbers and in_split(f"webshop {asin}", self._split)
        if not known or f"{asin}-{index}" != task_id or index >= self._count(asin):
            return None
        product, has = self._shop.product(asin), self._entries[asin]
        pairs = combination(product, index)
        listed = ", and ".join(f"{name}: {value}" for name, value in pairs)
        instruction = has["instruction"] + (f" with {listed}" if listed else "")
        wanted = texts_of(has["instruction_attributes"])
        goal = goal_of(product, index, instruction, wanted, list(pairs))
        return Task(self._shop, goal)


def _order(shop: Shop, given: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the asin and index of each goal, in the order of WebShop's shuffle.

    As in WebShop, goals without attributes are left out before shuffling.
    """
    found = [
        (asin, index)
        for asin in shop.numbers
        if isinstance(given.get(asin), list)
        for index, one in enumerate(given[asin])
        if isinstance(one, Mapping) and texts_of(one.get("instruction_attributes"))
    ]
    random.Random(_SEED).shuffle(found)
    return found
