"""Compare pages, rewards and speed with those of WebShop's own text environment.

    python benchmarks/webshop_pages.py CHECKOUT --python VENV/bin/python --walks 200

CHECKOUT is one of WebShop's repository; the interpreter needs ``beautifulsoup4``,
``flask``, ``numpy``, ``rich``, ``thefuzz`` and ``tqdm``. Both play the same walks in
the same generated shop, with our search and our nouns: of the expert, of random clicks
and searches, of both in turn, with invalid actions, and with actions that only we read.
The processor time of each step is measured in both; in theirs a search is a look-up.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop.logic.goals import goal_of
from aq_gym.envs.webshop.logic.product import Product
from aq_gym.envs.webshop.logic.reward import nouns

_ODD = (
    "click[buy now]",
    "click[Search]",
    "click[nothing]",
    "search[]",
    "search[ red  hat ]",
    "click[Next >]",
    "click[< prev]",
    "buy it",
    "",
    "click[Back to Search]",
    "click[FEATURES]",
    "think[what now]",
)
# Read as they were meant, where WebShop does nothing.
_TOLERATED = (
    "CLICK[Buy Now]",
    "click [description]",
    " click[features]",
    "search[hat].",
)
MIXES = ("expert", "random", "noisy expert", "invalid", "spelling")
KINDS = ("page", "validity", "reward", "end")


def item_of(product: Product) -> dict[str, Any]:
    """Return a product as WebShop's code has it once it is loaded."""
    reviews = [
        {"title": one.title, "score": one.score, "body": one.body}
        for one in product.reviews
    ]
    return {
        "asin": product.asin,
        "query": product.query,
        "category": "",
        "product_category": product.product_category,
        "name": product.title,
        "Title": product.title,
        "Description": product.description,
        "BulletPoints": list(product.bullets),
        "Reviews": reviews,
        "Rating": product.rating,
        "pricing": [product.price],
        "Price": product.price_tag,
        "options": {name: list(values) for name, values in product.options},
        "option_to_image": {},
        "Attributes": list(product.attributes),
        "MainImage": "",
    }


def walk(env: Any, mix: str, rng: random.Random, found: dict[str, list[str]]) -> Any:
    """Play a walk; return its actions, and our pages, rewards and ends."""
    drawing = np.random.default_rng(rng.randrange(1 << 30))
    pages: list[list[Any]] = []
    actions: list[str] = []
    over = False
    while not over and len(actions) < 25:
        kind = mix if mix != "noisy expert" else rng.choice(("expert", "random"))
        action = env.sample_action(drawing)
        if kind == "expert":
            action = env.expert_action()
        elif kind in ("invalid", "spelling") and rng.random() < 0.5:
            action = rng.choice(_ODD if kind == "invalid" else _TOLERATED)
        before = time.process_time()
        page, _, over, _, info = env.step(action)
        spent = time.process_time() - before
        actions.append(action)
        session = env._session
        if session.view.query:
            ranked = session.shop.search(session.view.query)
            found[session.view.query] = [session.shop.products[k].asin for k in ranked]
        valid = info["action_valid"]
        pages.append([page, info["score"], over, valid, spent])
    return actions, pages


def main() -> None:
    """Print the number of different pages, rewards and ends of each mix."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--python", required=True, help="the judge's interpreter")
    parser.add_argument("--walks", type=int, default=200, help="(%(default)s)")
    parser.add_argument("--products", type=int, default=200, help="(%(default)s)")
    parser.add_argument("--mode", choices=("text_rich", "text"), default="text_rich")
    given = parser.parse_args()
    arguments: dict[str, Any] = {
        "products": given.products, "catalogue": 0, "instructions": False,
    }  # fmt: skip
    env: Any = gym.make(
        "aq/WebShop-v0", observation_mode=given.mode, **arguments
    ).unwrapped
    rng = random.Random(0)
    found: dict[str, list[str]] = {}
    goals, walks, ours = [], [], []
    for number in range(given.walks):
        first, info = env.reset(seed=number)
        goal = env._task.goal
        shop = env._task.shop
        target = shop.product(goal.asin)
        assert goal == goal_of(target, info["task_id"], len(shop.products))
        goals.append(
            {
                **{name: getattr(goal, name) for name in ("asin", "query", "name")},
                "category": "",
                "product_category": goal.product_category,
                "attributes": goal.attributes,
                "price_upper": goal.price_upper,
                "goal_options": goal.options,
                "instruction_text": goal.instruction,
                "weight": 1,
            }
        )
        actions, pages = walk(env, MIXES[number % len(MIXES)], rng, found)
        walks.append((number, actions))
        ours.append([[first, 0.0, False, True], *pages])
    products = env._task.shop.products
    sent = {
        "products": list(map(item_of, products)),
        "nouns": {one.title: sorted(nouns(one.title)) for one in products},
        "goals": goals,
        "found": found,
        "walks": walks,
        "mode": given.mode,
    }
    server = Path(__file__).with_name("webshop_pages_server.py")
    done = subprocess.run(
        [given.python, server, given.checkout],
        input=json.dumps(sent), stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    theirs = json.loads(done.stdout)
    counts = compare(walks, ours, theirs)
    print("| mix | steps | " + " | ".join(KINDS) + " |\n|" + "---|" * (2 + len(KINDS)))
    for mix, count in counts.items():
        shown = " | ".join(str(count[kind]) for kind in ("steps", *KINDS))
        print(f"| {mix} | {shown} |")
    for name, played in (("ours", ours), ("theirs", theirs)):
        spent = [1e3 * page[-1] for pages in played for page in pages[1:]]
        print(
            f"{name}: {len(spent)} steps, processor time of one in ms: mean "
            f"{np.mean(spent):.2f}, median {np.median(spent):.2f}, "
            f"p95 {np.quantile(spent, 0.95):.2f}"
        )


def compare(walks: Any, ours: Any, theirs: Any) -> dict[str, Counter[str]]:
    """Count steps and differences of each mix, and print the first of each."""
    counts: dict[str, Counter[str]] = {mix: Counter() for mix in MIXES}
    for (number, actions), mine, judged in zip(walks, ours, theirs, strict=True):
        count = counts[MIXES[number % len(MIXES)]]
        before: Any = None
        for action, one, other in zip(["", *actions], mine, judged, strict=True):
            count["steps"] += 1
            ended = bool(other[2])
            problem = ""
            if ended != one[2]:
                problem = "end"
            elif ended and abs(other[1] - one[1]) > 1e-9:
                problem = "reward"
            elif not ended and one[3] and other[0].strip() != one[0].strip():
                problem = "page"
            elif not one[3] and other[0] != before:
                problem = "validity"
            if problem:
                count[problem] += 1
                if count[problem] == 1 and MIXES[number % len(MIXES)] != "spelling":
                    print(f"--- {problem} after {action!r}\n{one[0]}\n---\n{other[0]}")
            before = other[0]
    return counts


if __name__ == "__main__":
    main()
