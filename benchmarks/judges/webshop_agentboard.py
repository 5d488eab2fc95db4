"""Is ``protocol="agentboard"`` the same as AgentBoard's own code, step by step?

    python benchmarks/webshop_agentboard.py CHECKOUT --python VENV/bin/python

CHECKOUT is one of AgentBoard's repository; the interpreter needs ``beautifulsoup4``,
``flask``, ``numpy``, ``rich``, ``thefuzz`` and ``tqdm``. A generated shop is written as
WebShop's files, some products with odd values, and its goals as AgentBoard's; both read
those. Compared are the products as they are read, and walks of several mixes until the
first difference, or until the purchase, at which AgentBoard's runner stops. Prices that
are a range are ours, since theirs are drawn without a seed. ``--progress`` plays walks
of our own instead, and says by how much the progress of AgentBoard's code and of its
paper differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop.actions import read
from aq_gym.envs.webshop.logic.goals import goal_of
from aq_gym.envs.webshop.logic.product import Goal, Product
from aq_gym.envs.webshop.logic.reward import nouns
from aq_gym.envs.webshop.logic.shop import generated_shop

MIXES = ("random", "expert", "half expert", "invalid", "spelling")
STEPS = 20
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
INVALID = (
    "look around", "", "search", "click", "search[cup]", "click[Next >]",
    "click[< Prev]", "think[what now]",
)  # fmt: skip
# These end an episode or change nothing in AgentBoard's code, see the page.
BUTTONS = ("click[B0AAAAAAAA]", "click[the moon]", "click[Buy Now]", "click[Features]")


def item_of(product: Product, number: int) -> dict[str, Any]:
    """Return a product in the official format; every ninth has an odd value."""
    return {
        "asin": product.asin,
        "name": product.title,
        "query": product.query,
        "category": "generated",
        "product_category": product.product_category,
        "pricing": product.price_tag,
        "full_description": product.description,
        "small_description": list(product.bullets),
        "customization_options": {
            name.title(): [{"value": value} for value in values]
            for name, values in product.options
        },
        "images": ["none"],
        **({} if number % 9 else ODD[number // 9 % len(ODD)]),
    }


def task_of(goal: Goal) -> dict[str, Any]:
    """Return a goal as a line of AgentBoard's file."""
    same = ("category", "query", "product_category", "attributes", "price_upper")
    info = {name: getattr(goal, name, "generated") for name in same}
    info |= {"product_id": goal.asin, "product_name": goal.name, "weight": 1}
    info["product_options"] = goal.options
    return {"goal": goal.instruction, "difficulty": "hard", "additional_info": info}


def write_files(folder: str, count: int) -> dict[str, Any]:
    """Write WebShop's three files and AgentBoard's; return what is in them."""
    products = generated_shop(0, count).products
    goals = [
        goal_of(one, f"0-{number}-0", len(products))
        for number, one in enumerate(products)
    ]
    human = {
        goal.asin: [
            {
                "instruction": goal.instruction,
                "instruction_attributes": list(goal.attributes),
                "instruction_options": list(goal.options),
            }
        ]
        for goal in goals
    }
    attributes = {one.asin: {"attributes": list(one.attributes)} for one in products}
    items = [item_of(one, number) for number, one in enumerate(products)]
    for name, content in zip(NAMES, (items, attributes, human), strict=True):
        Path(folder, f"{name}_{count}.json").write_text(json.dumps(content), "utf-8")
    tasks = "".join(f"{json.dumps(task_of(goal))}\n" for goal in goals)
    Path(folder, "test.jsonl").write_text(tasks, "utf-8")
    return {"items": items, "attributes": attributes, "human": human, "tasks": tasks}


def action_of(env: Any, mix: str, rng: np.random.Generator) -> str:
    """Draw an action."""
    other = rng.random() < 0.5
    if mix == "invalid" and other:
        on_page = env._session.view.page in ("results", "item")
        return str(rng.choice(INVALID + (BUTTONS if on_page else ())))
    if mix == "expert" or (mix == "half expert" and other):
        return str(env.expert_action())
    drawn: str = env.sample_action(rng)
    if mix == "spelling" and other:
        drawn = (drawn.upper(), drawn.title(), f"{drawn}.", f" {drawn}")[
            rng.integers(4)
        ]
    return drawn


def walk(env: Any, mix: str, rng: np.random.Generator) -> tuple[list[str], list[Any]]:
    """Play an episode; return its actions and what was seen."""
    text, info = env.reset(seed=int(rng.integers(2**31)))
    seen = [[text.removeprefix(f"Goal: {info['goal']}\n"), False, False, 0.0, True]]
    actions: list[str] = []
    while len(actions) < STEPS and not seen[-1][1]:
        actions.append(action_of(env, mix, rng))
        text, _, over, _, info = env.step(actions[-1])
        known = info["success"], info["best_progress"], info["action_valid"]
        seen.append([text, over, *known])
    return actions, seen


def results_of(shop: Any, walks: list[list[str]]) -> dict[str, list[str]]:
    """Return what our search finds for each query, as both write it."""
    found = {}
    for action in (one for actions in walks for one in actions):
        ours = read(action)
        for query in (action[7:-1], ours.argument if ours else ""):
            key = " ".join(query.replace("+", " ").lower().split())
            found[key] = [shop.products[place].asin for place in shop.search(key)]
    return found


def difference(one: list[Any], other: list[Any]) -> str:
    """Return what differs between two results of a step, "" if nothing does."""
    if one[1:3] != other[1:3]:
        return "end"
    if abs(one[3] - other[3]) > 1e-9:
        return "progress"
    ours, theirs = (_lines(text) for text in (one[0], other[0]))
    if other[0].startswith(("You can only", "The page number")):
        return "" if ours.startswith(theirs) and not one[4] else "text"
    return "text" if ours != theirs else "validity" if one[4] != other[4] else ""


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def read_alike(product: Product, theirs: dict[str, Any]) -> bool:
    """Return whether a product of the files was read as AgentBoard's code reads it."""
    return (
        product.title == theirs["Title"]
        and product.description == theirs["Description"]
        and list(product.bullets) == theirs["BulletPoints"]
        and product.query == theirs["query"]
        and product.price_tag == theirs["Price"]
        and list(product.attributes) == theirs["Attributes"]
        and [[k, list(v)] for k, v in product.options]
        == [[k, v] for k, v in theirs["options"].items()]
    )


def compare(given: argparse.Namespace, mix: str) -> Counter[str]:
    """Play a mix in both; count steps, products and what differs first in a walk."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        sent = write_files(folder, given.products)
        env: Any = gym.make(
            "aq/WebShop-v0", data_dir=folder, products=given.products,
            protocol="agentboard", goals="agentboard", instructions=False,
            max_episode_steps=-1,
        ).unwrapped  # fmt: skip
        played = [(*walk(env, mix, rng), env._task_id) for _ in range(given.walks)]
        goals = {id_: env._tasks.get(id_).goal.instruction for _, _, id_ in played}
        products = list(env._task.shop.products)
    walks = [actions for actions, _, _ in played]
    sent |= {
        "walks": walks,
        "goals": [int(id_.rpartition("-")[2]) for _, _, id_ in played],
        "results": results_of(env._task.shop, walks),
        "nouns": {one.title: sorted(nouns(one.title)) for one in products},
        "prices": {one.asin: one.price for one in products},
    }
    server = Path(__file__).with_name("webshop_agentboard_server.py")
    done = subprocess.run(
        [given.python, server, given.checkout], input=json.dumps(sent),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    judged = json.loads(done.stdout)
    pairs = zip(products, judged["products"], strict=True)
    found = Counter(walks=len(walks), read=sum(read_alike(*pair) for pair in pairs))
    for (actions, seen, id_), (said, theirs) in zip(
        played, judged["walks"], strict=True
    ):
        found["goal"] += said != goals[id_]
        for action, one, other in zip(["", *actions], seen, theirs, strict=False):
            if differs := difference(one, other):
                if found[differs] < given.show:
                    print(f"--- {differs} after {action!r}", one, other, sep="\n")
                found[differs] += 1
                break
            found["steps"] += 1
    return found


def progress_walks(count: int) -> None:
    """Print how far the code's progress and the paper's are apart."""
    same = {"products": 1000, "catalogue": 0, "max_episode_steps": -1}
    code, paper = (
        gym.make("aq/WebShop-v0", protocol=name, **same).unwrapped  # type: ignore[arg-type]
        for name in ("agentboard", "agentboard-paper")
    )
    env: Any = code
    rng, gaps = np.random.default_rng(0), []
    for seed in range(count):
        _, other = env.reset(seed=seed)[1], paper.reset(seed=seed)[1]
        info: dict[str, Any] = {"best_progress": 0.0}
        for _ in range(STEPS):
            action = action_of(env, "half expert", rng)
            _, _, over, _, info = env.step(action)
            other = paper.step(action)[4]
            if over:
                break
        gaps.append(float(info["best_progress"] - other["best_progress"]))
    print(
        f"{count} walks: {sum(gap != 0 for gap in gaps)} end with another progress; "
        f"code less paper: mean {np.mean(gaps):.4f}, least {min(gaps):.4f}, "
        f"most {max(gaps):.4f}"
    )


def main() -> None:
    """Print the counts of each mix, or the difference of the two progresses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, nargs="?")
    parser.add_argument("--python", help="the judge's interpreter")
    parser.add_argument("--walks", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--products", type=int, default=200, help="(%(default)s)")
    parser.add_argument("--show", type=int, default=1, help="examples of differences")
    parser.add_argument("--progress", action="store_true")
    given = parser.parse_args()
    if given.progress:
        progress_walks(given.walks)
        return
    for mix in MIXES:
        print(mix, dict(compare(given, mix)), flush=True)


if __name__ == "__main__":
    main()
