"""Goals made from generated products, and the tasks with these goals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from aq_gym.core.splits import all_in_split
from aq_gym.core.tasks import GeneratedTasks
from aq_gym.envs.webshop.logic.catalogue import kind_of
from aq_gym.envs.webshop.logic.product import Goal, Product
from aq_gym.envs.webshop.logic.shop import KEPT, Shop, generated_shop
from aq_gym.support.data import packaged_text

_ROUND = 5
# Up to this many products, only few meet a goal with one attribute and one option.
_SMALL = 2000
# The share of other words; without them, a copy of the instruction would be a good
# query.
_OTHER_WORDS = 0.6


@lru_cache(maxsize=1)
def forms() -> tuple[str, ...]:
    """Return the sentence forms of instructions."""
    return tuple(packaged_text("aq_gym.envs.webshop", "data/forms.txt").splitlines())


def extra_requirements(products: int) -> int:
    """Return the number of additional attributes in goals of a catalogue: 0 to 2."""
    return (products > _SMALL) + (products > 10 * _SMALL)


def goal_of(product: Product, name: str, products: int) -> Goal:
    """Make a goal that a product meets.

    Args:
        product: A generated product.
        name: The seed for the choice of requirements and wording.
        products: The number of products of the catalogue. In a large catalogue goals
            have more requirements, because more products would meet a short goal.
    """
    rng = random.Random(f"webshop goal {name}")
    more = extra_requirements(products)
    least, most = (min(n + more, len(product.attributes)) for n in (1, 3))
    attributes = tuple(rng.sample(product.attributes, rng.randint(least, most)))
    fewest = len(product.options) if more else 1
    asked = rng.sample(product.options, rng.randint(fewest, len(product.options)))
    options = [(option, rng.choice(values)) for option, values in asked]
    upper = _ROUND * (int(product.price / _ROUND) + rng.randint(1, 4))
    return Goal(
        product.asin,
        product.query,
        product.title,
        product.product_category,
        attributes,
        tuple(value for _, value in options),
        float(upper),
        _instruction(rng, product, attributes, options, upper),
    )


def structures(product: Product, goal: Goal | None = None) -> tuple[str, ...]:
    """Return the texts that decide the split of a product, and of a goal.

    They do not depend on the catalogue: the kind with the attributes of the product,
    and the kind with the attributes and options of the goal.

    Args:
        product: The product from which the goal was made.
        goal: The goal, if it is known.
    """
    own = f"webshop product {product.query} {sorted(product.attributes)}"
    if goal is None:
        return (own,)
    asked = f"{sorted(goal.attributes)} {sorted(map(str, goal.options))}"
    return own, f"webshop goal {goal.query} {asked}"


def _instruction(
    rng: random.Random,
    product: Product,
    attributes: tuple[str, ...],
    options: list[tuple[str, str]],
    upper: int,
) -> str:
    kind = kind_of(product)
    wordings = ((one, *kind.attributes[one]) for one in attributes)
    words = [_other_words(rng, product, some) for some in wordings]
    noun = _other_words(rng, product, kind.nouns)
    text = rng.choice(forms()).format(
        kind=noun if noun.endswith("s") else f"{_article(noun)} {noun}",
        attributes=_joined(words),
        options=_joined([f"{name} {value}" for name, value in options]),
        price=f"${upper:.2f}",
    )
    return text[0].upper() + text[1:] if rng.random() < 0.9 else text


def _other_words(rng: random.Random, product: Product, wordings: Sequence[str]) -> str:
    """Draw a wording, often one that the product's indexed texts lack."""
    texts = f"{product.title} {product.description} {product.bullets[0]}".lower()
    other = [one for one in wordings if one not in texts]
    return rng.choice(other if other and rng.random() < _OTHER_WORDS else wordings)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _joined(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


_MOST_CATALOGUES = 10
_GOALS = 100


class Task(NamedTuple):
    """A goal, and the shop that has a product for it.

    Attributes:
        shop: The shop.
        goal: The goal.
        split: The texts that decide its split.
        difficulty: AgentBoard's label; "" for all other goals.
    """

    shop: Shop
    goal: Goal
    split: tuple[str, ...] = ()
    difficulty: str = ""


def catalogues(products: int) -> int:
    """Return the number of catalogues of a size that one process can keep at once."""
    return max(1, min(_MOST_CATALOGUES, KEPT // products))


def generated_tasks(
    catalogue: int | None, products: int, split: str
) -> GeneratedTasks[Task]:
    """Return the tasks of generated catalogues.

    Args:
        catalogue: The catalogue; None for any of them.
        products: The number of its products.
        split: "all", "train" or "test".
    """
    made = _Generated(catalogue, products, split)
    form = "CATALOGUE-PRODUCT-NUMBER, as info['task_id'] has it"
    return GeneratedTasks(made.draw_id, made.make, form, split, _split_of)


class _Generated(NamedTuple):
    """The arguments that determine the tasks."""

    catalogue: int | None
    products: int
    split: str

    def draw_id(self, rng: np.random.Generator) -> str:
        """Draw the id of a task."""
        # The catalogue is drawn only once, because another one would have to be made.
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
        """Make a task; return None if there is no such task."""
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
        return Task(shop, goal, structures(product, goal))


def _split_of(task: Task) -> tuple[str, ...]:
    return task.split


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9
