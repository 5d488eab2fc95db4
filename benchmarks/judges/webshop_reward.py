"""Compare rewards with those of WebShop's ``engine/goal.py``.

    python benchmarks/webshop_reward.py CHECKOUT --python VENV/bin/python

CHECKOUT is one of WebShop's repository; the interpreter needs ``rich`` and
``thefuzz``, and for ``--nouns spacy`` spaCy with its model. Purchases are of the goal's
product, of results of its title, and of any product, with the options of the goal, with
others, and none. Goals have official kinds of texts, too: options as a dict, several
colors, upper case, other signs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from aq_gym.envs.webshop.logic.goals import goal_of
from aq_gym.envs.webshop.logic.product import Goal, Product
from aq_gym.envs.webshop.logic.reward import Judge, matched_options, nouns
from aq_gym.envs.webshop.logic.shop import generated_shop

_ODD = (
    "Dark Navy-Blue",
    "2 pack",
    "é",
    "",
    "size 8 | 6",
    "light gray/white",
    "10'x12\"",
)


def case(rng: random.Random, number: int) -> tuple[Product, Goal, list[str]]:
    """Draw a purchase: a product, a goal and the values of the chosen options."""
    shop = generated_shop(number % 3, 1000)
    target = rng.choice(shop.products)
    goal = goal_of(target, f"0-0-{number}", len(shop.products))
    if rng.random() < 0.3:
        pairs = [(name, rng.choice(values)) for name, values in target.options]
        goal = goal._replace(options=tuple(pairs))
    if rng.random() < 0.3:
        goal = goal._replace(attributes=(*goal.attributes, rng.choice(_ODD) or "x"))
    if rng.random() < 0.2:
        # WebShop counts each noun of the goal that its title repeats.
        goal = goal._replace(name=f"{goal.name} {goal.name} {target.query * 9}")
    found = shop.search(target.title)
    bought = rng.choice(
        (target, shop.products[rng.choice(found)], rng.choice(shop.products))
    )
    if rng.random() < 0.2:
        bought = bought._replace(attributes=(*bought.attributes, rng.choice(_ODD)))
    drawn = [rng.choice(values) for _, values in bought.options]
    if rng.random() < 0.3:
        drawn = [rng.choice(_ODD) for _ in drawn]
    return bought, goal, drawn[: rng.randint(0, len(drawn))]


def renamed(
    purchase: tuple[Product, Goal, list[str]], bought: str, wanted: str
) -> tuple[Product, Goal, list[str]]:
    """Return a purchase with other titles."""
    product, goal, values = purchase
    return product._replace(title=bought), goal._replace(name=wanted), values


def as_webshop(product: Product, goal: Goal, values: list[str], own: bool) -> list[Any]:
    """Return a purchase as WebShop's code takes it."""
    bought = {
        "query": product.query,
        "product_category": product.product_category,
        "name": product.title,
        "Title": product.title,
        "Attributes": list(product.attributes),
        "BulletPoints": list(product.bullets),
        "Description": product.description,
    }
    pairs = [one for one in goal.options if not isinstance(one, str)]
    wanted = {
        "query": goal.query,
        "product_category": goal.product_category,
        "name": goal.name,
        "attributes": list(goal.attributes),
        "price_upper": goal.price_upper,
        "goal_options": dict(pairs) or list(goal.options),
    }
    options = {str(number): value for number, value in enumerate(values)}
    names = [
        sorted(nouns(text)) if own else None for text in (product.title, goal.name)
    ]
    return [bought, wanted, product.price, options, *names]


def terms_of(product: Product, goal: Goal, values: list[str]) -> dict[str, float]:
    """Return the terms of our reward."""
    judge = Judge(goal, nouns)
    terms = judge.terms(product)
    return {
        "attributes": sum(terms.attributes),
        "options": sum(matched_options(values, goal.options)),
        "price": terms.price,
        "type": terms.type,
        "reward": round(judge.reward(product, values), 9),
    }


def main() -> None:
    """Print how many purchases differ, by term."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--python", required=True, help="the judge's interpreter")
    parser.add_argument("--cases", type=int, default=3000, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--titles", type=Path, help="titles to compare, one a line")
    parser.add_argument("--nouns", choices=("rule", "spacy"), default="rule")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    cases = [case(rng, number) for number in range(given.cases)]
    if given.titles:
        titles = given.titles.read_text("utf-8").splitlines()
        cases = [renamed(one, *rng.sample(titles, 2)) for one in cases]
    own = given.nouns == "rule"
    sent = json.dumps([as_webshop(*one, own) for one in cases])
    server = Path(__file__).with_name("webshop_server.py")
    done = subprocess.run(
        [given.python, server, given.checkout],
        input=sent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    differing: Counter[str] = Counter()
    for one, theirs in zip(cases, json.loads(done.stdout), strict=True):
        ours = terms_of(*one)
        differing.update(name for name in ours if ours[name] != theirs[name])
    for name in terms_of(*cases[0]):
        print(f"{name}: {differing[name]} of {len(cases)} differ")


if __name__ == "__main__":
    main()
