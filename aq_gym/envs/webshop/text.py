"""The pages as text, and the sentences about actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aq_gym.core.text import listing, quote
from aq_gym.envs.webshop.logic.session import (
    BACK,
    BUY,
    PREVIOUS,
    SUB_PAGES,
    Session,
)

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
        text: What it shows.
        marked: Whether an option is chosen, or a product was opened.
    """

    kind: str
    text: str
    marked: bool = False


def elements(session: Session, total: int | None = None) -> list[Element]:
    """Return the pieces of the open page, in WebShop's order.

    Args:
        session: The visit.
        total: The number of results to show, None for the actual number.
    """
    page = session.view.page
    goal = Element("text", session.judge.goal.instruction)
    if page == "search":
        # The space is WebShop's, on this page only.
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
        # The spaces are WebShop's.
        return (f" {line}" for line in product.bullets)
    return (
        text
        for one in product.reviews
        for text in (f'"{one.title}"', str(one.score), one.body)
    )


def separated(page: Iterable[Element]) -> str:
    """Write a page in WebShop's mode "text": its pieces joined by ``[SEP]``."""
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
    said = [f"You have clicked {text}." for text in reversed(chosen)]
    return "\n".join([*said, *lines])


def outcome(score: float) -> str:
    """Return what the agent reads after a purchase."""
    return f"You bought the product.\nYour score (0.0 to 1.0): {score:.4g}"


def not_an_action(action: str) -> str:
    """Return what is wrong with a text that is not an action."""
    return f"{quote(action)} is not an action: write search[keywords] or click[label]."


def no_such_label(session: Session, label: str) -> str:
    """Return what is wrong with a click on something that the page does not have."""
    return f"This page has no {quote(label)}. {help_text(session)}"


def help_text(session: Session) -> str:
    """Return what can be done on the open page."""
    labels = [*session.buttons(), *(value for _, value in session.links().values())]
    clicks = [f"click[{one}]" for one in labels]
    return f"You can use {listing(['search[keywords]', *clicks], 'or')}."
