"""The tasks of WebShop's files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from aq_gym.core.splits import in_split
from aq_gym.envs.webshop.json_array import DataError
from aq_gym.envs.webshop.logic.shop import Shop
from aq_gym.envs.webshop.official_product import (
    combination,
    combinations,
    goal_of,
    options_of,
    texts_of,
)
from aq_gym.envs.webshop.official_shop import entries, find_files, official_shop
from aq_gym.envs.webshop.tasks import Task, grade

__all__ = ["OfficialTasks", "official_tasks"]

_TRIES = 10_000
_MOST_GOALS = 10**9


class OfficialTasks:
    """The goals of a folder with WebShop's files; an id is ``ASIN-NUMBER``.

    Args:
        folder: The folder.
        products: The number of products, 0 for all.
        kind: "human" or "synthetic".
        difficulty: "any", "easy" or "hard".
        split: "all", "train" or "test".

    Raises:
        DataError: If the files are not WebShop's, or have no such goal.
    """

    def __init__(
        self, folder: str, products: int, kind: str, difficulty: str, split: str
    ) -> None:
        files = find_files(folder, products)
        self._arguments = folder, products, kind, difficulty, split
        self._shop: Shop = official_shop(files, products)
        self._human = kind == "human"
        self._entries = entries(files.human if self._human else files.attributes)
        self._difficulty, self._split = difficulty, split
        self._asins = [
            asin
            for asin in self._shop.numbers
            if in_split(f"webshop {asin}", split) and self._count(asin)
        ]
        if not self._asins:
            raise DataError(
                f"data_dir={folder!r} has no {kind} goal of its products in "
                f"split={split!r}"
            )

    def __deepcopy__(self, memo: object) -> OfficialTasks:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return official_tasks, self._arguments

    def draw(self, rng: np.random.Generator) -> str:
        """Draw a product and one of its goals."""
        for _ in range(_TRIES):
            asin = self._asins[int(rng.integers(len(self._asins)))]
            task_id = f"{asin}-{int(rng.integers(self._count(asin)))}"
            if self._make(task_id):
                return task_id
        raise DataError(f"no goal has difficulty={self._difficulty!r}")

    def get(self, task_id: object) -> Task:
        """Return the task of an id.

        Raises:
            ValueError: If there is none.
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
        if self._human:
            return len(has) if isinstance(has, list) and any(_humans(has)) else 0
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
        if self._human:
            if not isinstance(has[index], dict) or not any(_humans([has[index]])):
                return None
            one = has[index]
            said = "".join(texts_of([one.get("instruction")])).strip(".")
            wanted = texts_of(one["instruction_attributes"])
            options = options_of(one.get("instruction_options"))
        else:
            wanted = texts_of(has["instruction_attributes"])
            pairs = combination(product, index)
            options = list(pairs)
            listed = ", and ".join(f"{name}: {value}" for name, value in pairs)
            said = has["instruction"] + (f" with {listed}" if listed else "")
        goal = goal_of(product, index, said, wanted, options)
        if self._difficulty not in ("any", grade(goal)):
            return None
        return Task(self._shop, goal, asin)


def official_tasks(
    folder: str, products: int, kind: str, difficulty: str, split: str
) -> OfficialTasks:
    """Return the tasks of WebShop's files; the arguments are those of the class."""
    return OfficialTasks(folder, products, kind, difficulty, split)


def _humans(given: list[Any]) -> Iterator[bool]:
    """Yield for each instruction whether it has attributes; others are skipped."""
    for one in given:
        yield isinstance(one, Mapping) and bool(
            texts_of(one.get("instruction_attributes"))
        )
