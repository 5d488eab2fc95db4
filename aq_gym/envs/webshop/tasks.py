"""The tasks: goals of generated catalogues."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aq_gym.core.splits import all_in_split
from aq_gym.core.tasks import GeneratedTasks
from aq_gym.envs.webshop.logic.goals import (
    extra_requirements,
    goal_of,
    structures,
)
from aq_gym.envs.webshop.logic.product import Goal
from aq_gym.envs.webshop.logic.shop import KEPT, Shop, generated_shop

_MOST_CATALOGUES = 10
_GOALS = 100
# The requirements of an easy goal besides its price, at most.
_EASY = 3


class Task(NamedTuple):
    """A goal and the shop in which it is met.

    Attributes:
        shop: The shop.
        goal: The goal.
        split: The texts that decide its split.
        label: "easy" or "hard"; "" if only the goal decides.
    """

    shop: Shop
    goal: Goal
    split: tuple[str, ...] = ()
    label: str = ""


def catalogues(products: int) -> int:
    """Return how many catalogues of a size one process can keep at once."""
    return max(1, min(_MOST_CATALOGUES, KEPT // products))


def grade(goal: Goal, extra: int = 0) -> str:
    """Return "easy" or "hard": by the number of attributes and options.

    Args:
        goal: The goal.
        extra: How many attributes more each goal of its catalogue has.
    """
    easy = len(goal.attributes) + len(goal.options) <= _EASY + extra
    return "easy" if easy else "hard"


def generated_tasks(
    catalogue: int | None, products: int, difficulty: str, split: str
) -> GeneratedTasks[Task]:
    """Return the tasks of generated catalogues.

    Args:
        catalogue: The catalogue; None for any of them.
        products: The number of its products.
        difficulty: "any", "easy" or "hard".
        split: "all", "train" or "test".
    """
    made = _Generated(catalogue, products, difficulty, split)
    form = "CATALOGUE-PRODUCT-NUMBER, as info['task_id'] has it"
    return GeneratedTasks(made.draw_id, made.make, form, split, _split_of)


class _Generated(NamedTuple):
    """The arguments that determine the tasks."""

    catalogue: int | None
    products: int
    difficulty: str
    split: str

    def draw_id(self, rng: np.random.Generator) -> str:
        """Draw the id of a task."""
        # Drawn once: each other catalogue would have to be made.
        seed = self.catalogue
        if seed is None:
            seed = int(rng.integers(catalogues(self.products)))
        shop = generated_shop(seed, self.products)
        while True:
            place = int(rng.integers(self.products))
            number = int(rng.integers(_GOALS))
            if all_in_split(structures(shop.products[place]), self.split):
                task = self.make(task_id := f"{seed}-{place}-{number}")
                if task and all_in_split(task.split, self.split):
                    return task_id

    def make(self, task_id: str) -> Task | None:
        """Make a task; return None if there is none of this id."""
        numbers = task_id.split("-")
        if len(numbers) != 3 or not all(map(_is_number, numbers)):
            return None
        seed, place, number = map(int, numbers)
        known = place < self.products and number < _GOALS
        if seed >= catalogues(self.products) or not known:
            return None
        if f"{seed}-{place}-{number}" != task_id:
            return None
        if self.catalogue not in (None, seed):
            return None
        shop = generated_shop(seed, self.products)
        product = shop.products[place]
        goal = goal_of(product, task_id, self.products)
        label = grade(goal, extra_requirements(self.products))
        if self.difficulty not in ("any", label):
            return None
        return Task(shop, goal, structures(product, goal), label)


def _split_of(task: Task) -> tuple[str, ...]:
    return task.split


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9
