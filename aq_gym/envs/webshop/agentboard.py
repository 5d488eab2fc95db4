"""AgentBoard's tasks of WebShop: its own file, and WebShop's files of products."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from aq_gym.core.tasks import UserTasks
from aq_gym.envs.webshop.json_array import DataError, parse
from aq_gym.envs.webshop.logic.product import Goal
from aq_gym.envs.webshop.official_product import options_of, texts_of
from aq_gym.envs.webshop.official_shop import find_files, official_shop
from aq_gym.envs.webshop.tasks import Task
from aq_gym.papers import agentboard
from aq_gym.support.user_files import read_bytes

_PLACES = ("data/webshop", "webshop", ".")
_FILE = "test.jsonl"
_MOST_BYTES = 20_000_000


class AgentBoardTasks(UserTasks[Task]):
    """AgentBoard's tasks in the order of their file; an id is ``agentboard-NUMBER``.

    Args:
        folder: A folder with ``data/webshop/test.jsonl`` and WebShop's files of
            products beside it, or in ``data/webshop/data``, such as a checkout of
            AgentBoard with its data; None for the folder that the environment variable
            ``AGENTBOARD_DATA`` names.
        products: The number of products, 0 for all.
        number: The number of a task, from 0; None for all.

    Raises:
        FileNotFoundError: If there is no such file.
        UserFileError: If a file is too large, or a link that leads out of the folder.
        DataError: If a file is not AgentBoard's or WebShop's, or a task wants a product
            that is not among those read.
        ValueError: If there is no task with this number.
    """

    def __init__(
        self, folder: str | None, products: int, number: int | None = None
    ) -> None:
        self._arguments = folder, products, number
        place = _folder(folder)
        goals = _goals(place)
        if number is not None and not 0 <= number < len(goals):
            raise ValueError(f"goal={number} must be 0 to {len(goals) - 1}")
        beside = place / "data"
        files = find_files(beside if beside.is_dir() else place, products)
        shop = official_shop(files, products)
        chosen = range(len(goals)) if number is None else (number,)
        for one in chosen:
            if goals[one][0].asin not in shop.numbers:
                raise DataError(
                    f"goal {one} of {_FILE} wants product {goals[one][0].asin!r:.80}, "
                    f"which is not among the {len(shop.numbers):,} read from "
                    f"{files.products.name}: AgentBoard's goals need WebShop's file of "
                    "all products and products=0"
                )
        tasks = {f"agentboard-{k}": Task(shop, goals[k][0], (), goals[k][1])
                 for k in chosen}  # fmt: skip
        super().__init__(tasks, "AgentBoard's tasks of WebShop")

    def __deepcopy__(self, memo: object) -> AgentBoardTasks:
        return self

    def __reduce__(self) -> tuple[type[AgentBoardTasks], tuple[Any, ...]]:
        return AgentBoardTasks, self._arguments


def _folder(given: str | None) -> Path:
    root = agentboard.folder(given)
    for place in _PLACES:
        folder = root / place
        if (folder / _FILE).is_file():
            return folder
    raise FileNotFoundError(
        f"{root} has no data/webshop/{_FILE}: get AgentBoard's data "
        "(https://huggingface.co/datasets/hkust-nlp/agentboard) and WebShop's products "
        "(setup.sh of https://github.com/princeton-nlp/WebShop), put the products into "
        "data/webshop/data, and give the path as data_dir=, or in "
        f"{agentboard.VARIABLE}; generated shops need no data"
    )


@lru_cache(maxsize=2)
def _goals(folder: Path) -> tuple[tuple[Goal, str], ...]:
    """Return the goals of AgentBoard's file, each with its label."""
    content = read_bytes(folder / _FILE, _MOST_BYTES, folder)
    goals = []
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            try:
                goals.append(_goal(parse(line)))
            except ValueError as error:
                raise DataError(f"{_FILE}, line {number}: {error}") from error
    if not goals:
        raise DataError(f"{_FILE} has no goal")
    return tuple(goals)


def _goal(row: Any) -> tuple[Goal, str]:
    info = row.get("additional_info") if isinstance(row, dict) else None
    if not isinstance(info, dict):
        raise ValueError("it must be an object with additional_info")
    if row.get("difficulty") not in ("easy", "hard"):
        raise ValueError('difficulty must be "easy" or "hard"')
    price = info.get("price_upper")
    if (
        isinstance(price, bool)
        or not isinstance(price, int | float)
        or not abs(price) <= sys.float_info.max
    ):
        raise ValueError("price_upper must be a number")
    attributes = texts_of(info.get("attributes"))
    if not attributes:
        raise ValueError("attributes must be a list of at least one text")
    goal = Goal(
        _text(info, "product_id"),
        _text(info, "query"),
        _text(info, "product_name"),
        _text(info, "product_category"),
        tuple(attributes),
        tuple(options_of(info.get("product_options"))),
        float(price),
        _text(row, "goal"),
    )
    return goal, row["difficulty"]


def _text(given: Mapping[str, Any], key: str) -> str:
    if not isinstance(given.get(key), str):
        raise ValueError(f"{key} must be a text")
    return texts_of([given[key]])[0]
