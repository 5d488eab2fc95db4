"""A picture of a page of the shop."""

from __future__ import annotations

from aq_gym.core.drawing import (
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
_CARD = 64
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
    query = fitted(view.query or "search …", 470, 13)
    drawing.add(Rect(120, 6, 500, 22, PAPER, radius=4))
    drawing.add(Text(128, 17, query, 13, INK if view.query else MUTED, "start"))
    y = 50.0
    for line in wrapped(instruction, _WIDTH - 24, 14, 3):
        drawing.add(Text(12, y, line, 14, MUTED, "start"))
        y += 19
    x = 12.0
    for button in session.buttons():
        wide = len(button) * 8 + 18
        fill, ink = (PALETTE[4], PAPER) if button == BUY else ("#e4e7eb", INK)
        drawing.add(Rect(x, y, wide, 22, fill, radius=4))
        drawing.add(Text(x + wide / 2, y + 11, button, 13, ink))
        x += wide + 8
    y += 36
    if view.page == "results":
        _add_results(drawing, session, y)
    elif view.asin:
        _add_product(drawing, session, y)
    drawing.fit()
    return drawing


def _add_results(drawing: Drawing, session: Session, top: float) -> None:
    """Add a card for each result, in two columns."""
    for number, product in enumerate(session.results()[:10]):
        x = 12 + (number % 2) * 312
        y = top + number // 2 * (_CARD + 6)
        opened = product.asin in session.view.seen
        drawing.add(Rect(x, y, 304, _CARD, "#f5f7fa", PALETTE[0], 6))
        drawing.add(Text(x + 8, y + 12, product.asin, 13, PALETTE[0], "start", True))
        tag = fitted(f"{'opened  ' * opened}{product.price_tag}", 190, 13)
        drawing.add(Text(x + 296, y + 12, tag, 13, MUTED, "end"))
        for line, part in enumerate(wrapped(product.title, 290, 13, 2)):
            drawing.add(Text(x + 8, y + 32 + 17 * line, part, 13, INK, "start"))


def _add_product(drawing: Drawing, session: Session, y: float) -> None:
    """Add the product's title, price and options; chosen options are filled."""
    product, chosen = session.product, dict(session.view.options)
    for part in wrapped(product.title, _WIDTH - 24, 16, 2):
        drawing.add(Text(12, y, part, 16, INK, "start", bold=True))
        y += 22
    price = fitted(product.price_tag, 600, 16)
    drawing.add(Text(12, y + 2, price, 16, PALETTE[4], "start", True))
    y += 26
    if session.view.page != "item":
        drawing.add(Text(12, y, session.view.page.title(), 14, MUTED, "start"))
        return
    left = _MOST_OPTIONS
    for name, values in product.options:
        drawing.add(Text(12, y, fitted(name, 600, 14), 14, MUTED, "start"))
        y, x = y + 16, 12.0
        for value in values[:left]:
            wide = len(fitted(value, 260, 14)) * 8.5 + 16
            if x + wide > _WIDTH - 12:
                x, y = 12.0, y + 28
            picked = label(chosen.get(name, "")) == label(value)
            fill, ink = (PALETTE[0], PAPER) if picked else (PAPER, INK)
            drawing.add(Rect(x, y, wide, 22, fill, PALETTE[0], 4))
            text = fitted(value, 260, 14)
            drawing.add(Text(x + wide / 2, y + 11, text, 14, ink, bold=picked))
            x += wide + 6
        left -= len(values)
        y += 40
        if left <= 0:
            break
