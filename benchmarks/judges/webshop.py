"""Pages, rewards and ends of WebShop's own environment, and of AgentBoard's.

WebShop's code gets a generated shop in the form that it has after loading its files.
For AgentBoard's code the shop is written as the official files, some products with odd
values, and its goals as AgentBoard's file; both sides read these files.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness import Facts, Judge, Task

from aq_gym.envs.webshop.logic.goals import goal_of
from aq_gym.envs.webshop.logic.product import Goal, Product
from aq_gym.envs.webshop.logic.reward import nouns
from aq_gym.envs.webshop.logic.shop import generated_shop

COUNT = 200
NAMES = ("items_shuffle", "items_ins_v2", "items_human_ins")
# Products without options are left out: AgentBoard's server fails on their pages.
ODD: tuple[dict[str, Any], ...] = (
    {"pricing": "$10.00$25.50"},
    {"pricing": "", "full_description": ""},
    {"pricing": None, "small_description": "One line only"},
    {"pricing": "$1,299.99"},
    {"customization_options": {"Size": [{"value": " 10/12 W "}, {"value": "XL"}]}},
    {"customization_options": {"Color": None, "Style": [{"value": "A"}]}},
    {"product_category": "One \u203a Two", "query": " Odd Things "},
)


def _found(env: Any) -> dict[str, list[str]]:
    """Return what our search finds for the query of the open page."""
    session = env.unwrapped._game
    query = " ".join(session.view.query.replace("+", " ").lower().split())
    if not query:
        return {}
    ranked = session.shop.search(session.view.query)
    return {query: [session.shop.products[place].asin for place in ranked]}


class Shop(Judge):
    """Visits of a generated shop."""

    id, child = "aq/WebShop-v0", "webshop_child.py"
    steps = 25
    check = ("look around", "check valid actions")
    invalid = ("look around", "", "search", "click", "click[nothing]", "buy it",
               "click[Next >]", "click[< Prev]", "think[what now]")  # fmt: skip

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.products = generated_shop(0, COUNT).products
        self._nouns = {one.title: sorted(nouns(one.title)) for one in self.products}

    def begin(self, kind: str, shop: dict[str, Any], request: Facts) -> Facts:
        """Return a request with the shop, which is loaded the first time."""
        return {"kind": kind, "shop": {**shop, "nouns": self._nouns}, **request}

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Also send the results of our search."""
        return {"act": info["extracted_action"], "found": _found(env)}


class WebShop(Shop):
    """WebShop's own environment; its reward is that of a purchase."""

    paper, progress = "WebShop", "score"
    diverges = frozenset({"read as intended"})

    def tasks(self) -> Iterator[Task]:
        """Yield visits with both kinds of pages."""
        for seed in range(40):
            mode = ("text_rich", "text")[seed % 2]
            kwargs = {"products": COUNT, "catalogue": 0, "observation_mode": mode}
            yield Task({**kwargs, "instructions": False}, seed, about=mode)

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin a visit with our goal."""
        goal = env.unwrapped._task.goal
        same = ("asin", "query", "name", "product_category", "attributes")
        made = {
            **{name: getattr(goal, name) for name in (*same, "price_upper")},
            **{"category": "", "goal_options": goal.options, "weight": 1},
            "instruction_text": goal.instruction,
        }
        shop = {"products": list(map(_loaded, self.products))}
        return self.begin("own", shop, {"goal": made, "mode": task.about})

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the first page."""
        return {"text": observation.strip()}

    def stepped(self, result: Any) -> Facts:
        """Return the page."""
        facts = super().stepped(result)
        return {**facts, "text": facts["text"].strip()}

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Ignore the words of help, refusals and ends, and name tolerated spellings."""
        if not paper["changed"] and ours["valid"]:
            helps = action in self.check and fact in ("text", "valid")
            return "" if helps else "read as intended"
        refused = not ours["valid"] and not paper["changed"]
        return "" if fact == "text" and (refused or ours["end"]) else fact


def _loaded(product: Product) -> dict[str, Any]:
    """Return a product in the form that WebShop's code has after loading it."""
    reviews = [{"title": r.title, "score": r.score, "body": r.body}
               for r in product.reviews]  # fmt: skip
    return {
        "asin": product.asin, "query": product.query, "category": "",
        "product_category": product.product_category, "name": product.title,
        "Title": product.title, "Description": product.description,
        "BulletPoints": list(product.bullets), "Reviews": reviews,
        "Rating": product.rating, "pricing": [product.price],
        "Price": product.price_tag, "option_to_image": {}, "MainImage": "",
        "options": {name: list(values) for name, values in product.options},
        "Attributes": list(product.attributes),
    }  # fmt: skip


class AgentBoard(Shop):
    """AgentBoard's environment and progress, on official files."""

    paper, progress = "AgentBoard", "best_progress"
    diverges = frozenset({"read as intended"})

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self._folder = tempfile.mkdtemp()
        self._files = _write(self._folder, self.products)

    def tasks(self) -> Iterator[Task]:
        """Yield visits with the goals of the file."""
        kwargs = {"data_dir": self._folder, "products": COUNT, "goals": "agentboard"}
        for goal in range(0, COUNT, 5):
            more = {"protocol": "agentboard", "goal": goal, "instructions": False}
            yield Task({**kwargs, **more}, about=goal)

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin a visit with a goal of the file."""
        prices = {one.asin: one.price for one in env.unwrapped._task.shop.products}
        shop = {**self._files, "prices": prices}
        return self.begin("agentboard", shop, {"goal": task.about})

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Send what AgentBoard's loop takes of the text."""
        request = super().act(env, action, info)
        found = re.search(r"(?:click|search)\[.*", request["act"])
        self._played = found[0] if found else request["act"]
        return {**request, "act": self._played}

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the first page without the goal."""
        return {"text": observation.removeprefix(f"Goal: {info['goal']}\n")}

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Normalize whitespace, and remove what the runner adds to its refusals."""
        # AgentBoard takes what follows the bracket for a part of the label or query.
        followed = "]" in self._played[:-1]
        if ours["valid"] and (followed or not paper["valid"]):
            helps = action in self.check and fact in ("text", "valid")
            return "" if helps else "read as intended"
        if paper["valid"] and not ours["valid"]:
            # It accepts the id of any product, and shows the page that was open.
            return "product that is not on the page"
        if fact != "text":
            return fact
        one, other = (
            "\n".join(map(str.rstrip, facts["text"].strip().splitlines()))
            for facts in (ours, paper)
        )
        refused = other.startswith(("You can only click", "The page number"))
        same = one.startswith(other) if refused else one == other
        return "" if same else fact


def _write(folder: str, products: Any) -> dict[str, Any]:
    """Write WebShop's three files and AgentBoard's; return what is in them."""
    goals = [goal_of(p, f"0-{n}-0", len(products)) for n, p in enumerate(products)]
    human = {
        goal.asin: [{"instruction": goal.instruction,
                     "instruction_attributes": list(goal.attributes),
                     "instruction_options": list(goal.options)}]
        for goal in goals
    }  # fmt: skip
    attributes = {one.asin: {"attributes": list(one.attributes)} for one in products}
    items = [_official(one, number) for number, one in enumerate(products)]
    for name, content in zip(NAMES, (items, attributes, human), strict=True):
        Path(folder, f"{name}_{COUNT}.json").write_text(json.dumps(content), "utf-8")
    tasks = "".join(f"{json.dumps(_goal(goal))}\n" for goal in goals)
    Path(folder, "test.jsonl").write_text(tasks, "utf-8")
    return {"items": items, "attributes": attributes, "human": human, "tasks": tasks}


def _official(product: Product, number: int) -> dict[str, Any]:
    """Return a product in the official format; every ninth has an odd value."""
    options = {name.title(): [{"value": value} for value in values]
               for name, values in product.options}  # fmt: skip
    return {
        "asin": product.asin, "name": product.title, "query": product.query,
        "category": "generated", "product_category": product.product_category,
        "pricing": product.price_tag, "full_description": product.description,
        "small_description": list(product.bullets),
        "customization_options": options, "images": ["none"],
        **({} if number % 9 else ODD[number // 9 % len(ODD)]),
    }  # fmt: skip


def _goal(goal: Goal) -> dict[str, Any]:
    """Return a goal as a line of AgentBoard's file."""
    same = ("category", "query", "product_category", "attributes", "price_upper")
    info = {
        **{name: getattr(goal, name, "generated") for name in same},
        **{"product_id": goal.asin, "product_name": goal.name, "weight": 1},
        "product_options": goal.options,
    }
    return {"goal": goal.instruction, "difficulty": "hard", "additional_info": info}
