"""WebShop's protocol: its pages and answers, and how it reads actions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from statistics import fmean
from typing import ClassVar, NamedTuple

from aq_gym.core.help import WORKS
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import QUOTES, listing, quote
from aq_gym.envs.webshop.logic.session import (
    BACK,
    BUY,
    PREVIOUS,
    SUB_PAGES,
    Scores,
    Session,
    label,
)

_ACTION = re.compile(r"(search|click)\s*\[(.*)\]\s*\.?", re.IGNORECASE | re.DOTALL)
# An action within a sentence, without brackets in its argument.
_WITHIN = re.compile(r"\b(search|click)\[([^\[\]]+)\]", re.IGNORECASE)
_QUOTES = "".join(QUOTES) + " "
_TRIM = "".join(QUOTES) + " \t\r\n"


class Action(NamedTuple):
    """A parsed action.

    Attributes:
        name: "search" or "click".
        argument: The keywords or the label, in lower case, without extra whitespace.
    """

    name: str
    argument: str


def read(action: str) -> Action | None:
    """Read ``search[keywords]`` or ``click[label]``, also within a sentence.

    Args:
        action: Any text.

    Returns:
        The action; None if there is no action, several different ones, or an empty
        argument.
    """
    text = action.strip(_TRIM)
    whole, lines = _ACTION.fullmatch(text), text.splitlines()
    found = {_parsed(*one) for one in _WITHIN.findall(action)}
    if len(lines) > 1:
        matches = (_ACTION.fullmatch(line.strip(_TRIM)) for line in lines)
        found |= {_parsed(*one.groups()) for one in matches if one}
    # As in WebShop, the argument of an action on a single line may contain brackets.
    if whole and (len(lines) == 1 or not found):
        return _parsed(*whole.groups())
    return found.pop() if len(found) == 1 else None


def _parsed(name: str, argument: str) -> Action | None:
    argument = " ".join(argument.lower().split())
    return Action(name.lower(), argument) if argument else None


def write(name: str, argument: str) -> str:
    """Return an action as text.

    Args:
        name: "search" or "click".
        argument: The keywords or the label.
    """
    return f"{name}[{argument}]"


INSTRUCTIONS = (
    "You are in an online shop. Find and buy the product that the instruction asks "
    "for.\n"
    "Each action is search[keywords], or click[label] with the label of a button, a "
    "product or an option of the current page. Choose the options that are asked for "
    f"before click[{BUY}], which ends the episode. The score of a purchase is the "
    "share of the attributes, options and the price limit that are met, and less for "
    "another type of product."
)


class Element(NamedTuple):
    """A piece of a page.

    Attributes:
        kind: "text", "button", "product" or "option".
        text: The text of the piece.
        marked: Whether an option is chosen, or a product was opened.
    """

    kind: str
    text: str
    marked: bool = False


def elements(session: Session, total: int | None = None) -> list[Element]:
    """Return the pieces of the open page, in WebShop's order.

    Args:
        session: The visit.
        total: The number of results to state; None for the actual number.
    """
    page = session.view.page
    goal = Element("text", session.judge.goal.instruction)
    if page == "search":
        # WebShop has this space on this page only.
        head = [Element("text", "WebShop"), Element("text", "Instruction: "), goal]
        return [*head, Element("button", "Search")]
    head = [Element("text", "Instruction:"), goal, Element("button", BACK)]
    if page == "results":
        shown = session.total() if total is None else total
        return [*head, *_results(session, shown)]
    head.append(Element("button", PREVIOUS))
    if page == "item":
        return [*head, *_item(session)]
    return [*head, *(Element("text", line) for line in _sub_page(session))]


def _results(session: Session, total: int) -> list[Element]:
    view = session.view
    made = [Element("text", f"Page {view.number} (Total results: {total})")]
    made += [Element("button", one) for one in session.buttons() if one != BACK]
    for product in session.results():
        made += [
            Element("product", product.asin, product.asin in view.seen),
            Element("text", product.title),
            Element("text", product.price_tag),
        ]
    return made


def _item(session: Session) -> list[Element]:
    product, chosen = session.product, dict(session.view.options)
    made = []
    for name, values in product.options:
        made.append(Element("text", name))
        made += [Element("option", one, chosen.get(name) == one) for one in values]
    made += [
        Element("text", product.title),
        Element("text", f"Price: {product.price_tag}"),
        Element("text", f"Rating: {product.rating}"),
    ]
    return made + [Element("button", name) for name in (*SUB_PAGES, BUY)]


def _sub_page(session: Session) -> Iterable[str]:
    product, page = session.product, session.view.page
    if page == "Description":
        return (product.description,)
    if page == "Features":
        # WebShop has these spaces.
        return (f" {line}" for line in product.bullets)
    return (
        text
        for one in product.reviews
        for text in (f'"{one.title}"', str(one.score), one.body)
    )


def separated(page: Iterable[Element]) -> str:
    """Write a page in WebShop's mode "text", which joins its pieces by ``[SEP]``."""
    return " [SEP] ".join(one.text.strip() for one in page)


def rich(page: Iterable[Element]) -> str:
    """Write a page in WebShop's mode "text_rich", which marks clickable pieces."""
    lines: list[str] = []
    for one in page:
        mark = "clicked button" if one.marked else "button"
        button = f"[{mark}] {one.text} [{mark}_]"
        form = {"button": button, "option": f"  {button}", "product": f"\n{button}"}
        lines.append(form.get(one.kind, one.text))
    chosen = [one.text for one in page if one.kind == "option" and one.marked]
    clicks = [f"You have clicked {text}." for text in reversed(chosen)]
    return "\n".join([*clicks, *lines])


def labels(session: Session) -> list[str]:
    """Return the labels of the buttons and links of the open page."""
    return [*session.buttons(), *(value for _, value in session.links().values())]


def help_text(session: Session) -> str:
    """Return the possible actions on the open page."""
    clicks = [write("click", one) for one in labels(session)]
    return f"You can use {listing(['search[keywords]', *clicks], 'or')}."


class WebShopProtocol(Protocol[Session, Action]):
    """The default protocol: WebShop's pages, with our progress.

    Args:
        mode: WebShop's ``observation_mode``: "text_rich" or "text".
    """

    per_page: ClassVar[int] = 10
    # Whether click["Buy Now"] is read as click[Buy Now].
    drops_quotes: ClassVar[bool] = True

    def __init__(self, mode: str) -> None:
        self._shown = rich if mode == "text_rich" else separated

    def page(self, session: Session) -> str:
        """Return the open page as text."""
        return self._shown(elements(session))

    def opening(self, session: Session) -> str:
        """Return the first page as text."""
        return self.page(session)

    def read(self, game: Session, text: str) -> Action | None:
        """Read an action; the grammar is the same on every page."""
        return read(text)

    def write(self, game: Session, action: Action) -> str:
        """Write an action as WebShop does."""
        return write(*action)

    def play(self, game: Session, action: Action) -> Turn:
        """Search or click."""
        if action.name == "click":
            return self._click(game, action.argument)
        if problem := self._refuses_search(game):
            return self._invalid(game, problem)
        game.search(action.argument)
        return Turn(self.page(game))

    def refuse(self, game: Session, text: str) -> Turn:
        """Return the answer to a text that is not an action."""
        form = "write search[keywords] or click[label]."
        known = [write("click", one) for one in self.clickable(game)]
        works = (*known, write("search", "red shoes"))[0]
        problem = f"{quote(text)} is not an action: {form} {WORKS}{works}."
        return self._invalid(game, problem)

    def help(self, game: Session) -> str:
        """Return the labels that can be clicked, and the page again."""
        return f"{help_text(game)}\n{self.page(game)}"

    def progress(self, scores: Scores) -> float:
        """Return the mean of the scores of the four stages of a purchase."""
        stages = (scores.listed, scores.opened, scores.chosen, scores.bought)
        # Not sum(), which rounds floats differently from Python 3.12 on.
        return fmean(stages)

    def clickable(self, session: Session) -> list[str]:
        """Return the labels that can be clicked."""
        return [one for one in labels(session) if not self._limit(session, label(one))]

    def _click(self, session: Session, clicked: str) -> Turn:
        bare = clicked.strip(_QUOTES)
        quoted = self.drops_quotes and bare not in ("", clicked)
        if quoted and not session.shows(clicked):
            clicked = bare
        if problem := self._limit(session, clicked):
            return self._invalid(session, problem)
        before = session.view
        if not session.click(clicked):
            return self._unknown(session, clicked)
        if session.scores.purchased:
            return Turn(self._bought(session.scores.bought), terminated=True)
        # Clicking a chosen option again shows the same page.
        chosen = ""
        if before.page == session.view.page == "item":
            chosen = next(v for _, v in session.view.options if label(v) == clicked)
        return Turn(self._clicked(session, chosen))

    def _invalid(self, session: Session, problem: str) -> Turn:
        """Return the answer to an action that changes nothing."""
        observation = f"{problem}\n{self.page(session)}"
        return Turn(observation, action_valid=False, feedback=problem)

    def _unknown(self, session: Session, label: str) -> Turn:
        """Return the answer to a click on something that is not on the page."""
        problem = f"This page has no {quote(label)}. {help_text(session)}"
        return self._invalid(session, problem)

    def _bought(self, score: float) -> str:
        """Return the observation after the purchase."""
        return f"You bought the product.\nYour score (0.0 to 1.0): {score:.4g}"

    def _clicked(self, session: Session, chosen: str) -> str:
        """Return the observation after a click.

        Args:
            session: The visit.
            chosen: The value of the clicked option; "" if something else was clicked.
        """
        return self.page(session)

    def _limit(self, session: Session, label: str) -> str:
        """Return the reason why a button of the page cannot be used, or "".

        Args:
            session: The visit.
            label: Its label, in lower case.
        """
        return ""

    def _refuses_search(self, session: Session) -> str:
        """Return the reason why the page has no search, or "" if it has one."""
        return ""


class AgentQuestProtocol(WebShopProtocol):
    """AgentQuest's protocol: WebShop's pages, with the reward as progress."""

    def progress(self, scores: Scores) -> float:
        """Return the reward of the purchase."""
        return scores.bought
