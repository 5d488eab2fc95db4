"""A picture of a page of the shop."""

from __future__ import annotations

from collections.abc import Iterable

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Drawing,
    Rect,
    Text,
    fitted,
    wrapped,
)
from aq_gym.envs.webshop.logic.session import BUY, Session, label

_WIDTH = 640
_CARD = 84
_MOST_OPTIONS = 24


def draw(session: Session, instruction: str) -> Drawing:
    """Return the open page: the search box, results, or a product.

    Args:
        session: The visit.
        instruction: The instruction to the agent.
    """
    view = session.view
    drawing = Drawing(_WIDTH, 0, f"The shop's page {view.page!r}")
    drawing.add(Rect(0, 0, _WIDTH, 34, PALETTE[0]))
    drawing.add(Text(12, 17, "WebShop", 16, PAPER, "start", bold=True))
    query = fitted(view.query or "search …", 480, 16)
    drawing.add(Rect(120, 5, 508, 24, PAPER, radius=4))
    drawing.add(Text(128, 17, query, 16, INK if view.query else MUTED, "start"))
    y = 52.0
    for line in wrapped(instruction, _WIDTH - 24, 16, 3):
        drawing.add(Text(12, y, line, 16, MUTED, "start"))
        y += 21
    buttons = (
        (one, *((PALETTE[4], PAPER) if one == BUY else ("#e4e7eb", INK)))
        for one in session.buttons()
    )
    y = _add_chips(drawing, y, 14, buttons) + 8
    if view.page == "results":
        _add_results(drawing, session, y)
    elif view.asin:
        _add_product(drawing, session, y)
    drawing.fit()
    return drawing


def _add_chips(
    drawing: Drawing, y: float, size: float, chips: Iterable[tuple[str, str, str]]
) -> float:
    """Add texts in boxes of a fill, in lines, and return where they end."""
    x = 12.0
    for text, fill, ink in chips:
        shown = fitted(text, 300, size)
        wide = len(shown) * size * ADVANCE + 16
        if x + wide > _WIDTH - 12:
            x, y = 12.0, y + size + 18
        drawing.add(Rect(x, y, wide, size + 12, fill, "#9aa5b1", 4))
        drawing.add(Text(x + wide / 2, y + size / 2 + 6, shown, size, ink))
        x += wide + 8
    return y + size + 24


def _add_results(drawing: Drawing, session: Session, top: float) -> None:
    """Add a card for each result, in two columns."""
    for number, product in enumerate(session.results()[:10]):
        x = 12 + (number % 2) * 312
        y = top + number // 2 * (_CARD + 6)
        opened = product.asin in session.view.seen
        drawing.add(Rect(x, y, 304, _CARD, "#f5f7fa", PALETTE[0], 6))
        drawing.add(Text(x + 8, y + 16, product.asin, 16, PALETTE[0], "start", True))
        tag = fitted(f"{'opened  ' * opened}{product.price_tag}", 190, 16)
        drawing.add(Text(x + 296, y + 16, tag, 16, PALETTE[4], "end"))
        for line, part in enumerate(wrapped(product.title, 290, 17, 2)):
            drawing.add(Text(x + 8, y + 42 + 22 * line, part, 17, INK, "start"))


def _add_product(drawing: Drawing, session: Session, y: float) -> None:
    """Add the product's title, price and options; chosen options are filled."""
    product, chosen = session.product, dict(session.view.options)
    for part in wrapped(product.title, _WIDTH - 24, 20, 2):
        drawing.add(Text(12, y, part, 20, INK, "start", bold=True))
        y += 26
    price = fitted(product.price_tag, 600, 24)
    drawing.add(Text(12, y + 6, price, 24, PALETTE[4], "start", True))
    y += 38
    if session.view.page != "item":
        drawing.add(Text(12, y, session.view.page.title(), 18, MUTED, "start"))
        return
    left = _MOST_OPTIONS
    for name, values in product.options:
        drawing.add(Text(12, y, fitted(name, 600, 17), 17, MUTED, "start"))
        picked = label(chosen.get(name, ""))
        options = (
            (one, *((PALETTE[0], PAPER) if label(one) == picked else (PAPER, INK)))
            for one in values[:left]
        )
        y = _add_chips(drawing, y + 16, 18, options) + 6
        left -= len(values)
        if left <= 0:
            break
