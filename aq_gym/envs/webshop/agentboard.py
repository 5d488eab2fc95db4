"""AgentBoard's protocol of WebShop, and its tasks."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote_plus

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.webshop.logic.goals import Task
from aq_gym.envs.webshop.logic.product import Goal
from aq_gym.envs.webshop.logic.session import NEXT, PREVIOUS, Scores, Session
from aq_gym.envs.webshop.official_files import DataError, options_of, parse, texts_of
from aq_gym.envs.webshop.official_shop import find_files, official_shop
from aq_gym.envs.webshop.protocol import (
    Action,
    Element,
    WebShopProtocol,
    elements,
)
from aq_gym.papers import agentboard
from aq_gym.support.user_files import read_bytes

# AgentBoard plays the first action in an answer, to the end of its line.
_PLAYED = re.compile(r"(?:click\[|search\[).*")
# AgentBoard's answers, word for word.
_FORMAT = (
    "Incorrect action format. Please use the correct action format following:\n"
    "Available Actions:\n\n"
    "click[something]: Engage with specific buttons or links.\n"
    "search[something]: Seek specific data on the website. Use this only if a [Search] "
    "button appears in the observation.\n"
    "Note: If you wish to search and there is no [Search] button, click the "
    "[Back to Search] button instead. "
)
_NO_SEARCH = (
    "There is no [Search] button, you should click the [Back to Search] button first "
    "to search something "
)
_NO_BUTTON = (
    "You can only click the button showed in the observation. Elements within square "
    "brackets (like [Buy Now]) indicate clickable buttons or links."
)
_LIMIT = "The page number is limited to 5, please choose another action."
_PLACES = ("data/webshop", "webshop", ".")
_FILE = "test.jsonl"


class AgentBoardTasks(UserTasks[Task]):
    """AgentBoard's tasks in the order of its file; an id is ``agentboard-NUMBER``.

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
        DataError: If a file is not AgentBoard's or WebShop's, or a task needs a product
            that was not read.
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
    """Return the goals of AgentBoard's file, each with its difficulty."""
    content = read_bytes(folder / _FILE, folder)
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


class AgentBoardProtocol(WebShopProtocol):
    """AgentBoard's protocol: its pages, its answers and the progress in its code."""

    per_page = 3
    drops_quotes = False
    _TOTAL: ClassVar[int] = 15
    _LAST_PAGE: ClassVar[int] = 6

    def __init__(self, mode: str) -> None:
        if mode != "text_rich":
            raise ValueError(
                f"observation_mode={mode!r} has no effect with AgentBoard's protocols, "
                "which have AgentBoard's pages: leave it out"
            )
        super().__init__(mode)

    def page(self, session: Session) -> str:
        """Return the open page as text, without the instruction."""
        if session.view.page == "search":
            return _page("Let us begin shopping \n[Search]")
        pieces = elements(session, self._TOTAL)[2:]
        return _page("".join(map(_bracketed, pieces)))

    def opening(self, session: Session) -> str:
        """Return the goal and the first page."""
        return f"Goal: {session.judge.goal.instruction}\n{self.page(session)}"

    def read(self, game: Session, text: str) -> Action | None:
        """Read an action; without a bracket it loses its last character."""
        action, cut = super().read(game, text), _PLAYED.search(text.strip())
        if action or not cut:
            return action
        name, _, argument = cut[0].partition("[")
        argument = " ".join(argument[:-1].lower().split())
        return Action(name, argument) if argument or name == "click" else None

    def _invalid(self, session: Session, problem: str) -> Turn:
        """Return AgentBoard's answer, with the page where AgentBoard repeats it."""
        observation = problem
        if problem == _NO_SEARCH:
            observation = _page(problem)
        elif problem != _FORMAT:
            observation += f" The recent observation is: \n{self.page(session)}"
        return Turn(observation, action_valid=False, feedback=problem)

    def refuse(self, game: Session, text: str) -> Turn:
        """Return AgentBoard's answer about the format of actions."""
        return self._invalid(game, _FORMAT)

    def _unknown(self, session: Session, label: str) -> Turn:
        """Return AgentBoard's answer to a click on something not on the page."""
        return self._invalid(session, _NO_BUTTON)

    def _bought(self, score: float) -> str:
        """Return whether the score is 1.0."""
        return _page(f"Result: [{'Success' if score == 1.0 else 'False'}]")

    def _clicked(self, session: Session, chosen: str) -> str:
        """Return the page, or only the option that was chosen."""
        return _page(f"You have clicked {chosen}.") if chosen else self.page(session)

    def _refuses_search(self, session: Session) -> str:
        """Refuse a search on all pages except the search page."""
        return "" if session.view.page == "search" else _NO_SEARCH

    def _limit(self, session: Session, label: str) -> str:
        """Refuse pages of results before the first and after the sixth."""
        view = session.view
        ends = {NEXT.lower(): self._LAST_PAGE, PREVIOUS.lower(): 1}
        at_end = view.page == "results" and ends.get(label) == view.number
        return _LIMIT if at_end else ""

    def prompt(self, game: Session) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout."""
        first = [("Action", "reset[]"), ("Observation", self.page(game))]
        goal = game.judge.goal.instruction
        return agentboard.prompt("webshop_vanilla", goal, first, history_text=_cleaned)

    def progress(self, scores: Scores) -> float:
        """Return the mean of three scores (listed, opened, bought), at least bought."""
        mean = (scores.listed + scores.last + scores.bought) / 3
        # AgentBoard's code also takes the score of the purchase as progress.
        return max(mean, scores.bought)


class AgentBoardPaperProtocol(AgentBoardProtocol):
    """AgentBoard's protocol, with the progress that the paper defines."""

    def progress(self, scores: Scores) -> float:
        """Return the mean of three scores: listed, opened, bought."""
        return (scores.listed + scores.opened + scores.bought) / 3


def _cleaned(answer: str) -> str:
    """Return the part of an answer that AgentBoard plays, from the first action on."""
    found = _PLAYED.search(answer)
    return answer[found.start() :] if found else answer


def _page(content: str) -> str:
    # AgentBoard leaves out characters that are not in Latin-1.
    shown = content.encode("latin-1", "ignore").decode("latin-1")
    return f"WEB PAGE: {{{shown}}}"


def _bracketed(piece: Element) -> str:
    if not piece.text.strip():
        return ""
    if piece.kind == "option":
        # AgentBoard searches for the value in a URL, in which other characters are
        # quoted.
        found = piece.marked and quote_plus(piece.text) == piece.text
        return f"[[{piece.text}]]" if found else f"[{piece.text}]"
    if piece.kind == "text":
        return f"\n{piece.text} "
    return f"\n[{piece.text}] "
