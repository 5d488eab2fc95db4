"""The reference policy, which knows the product from which the goal was made."""

from __future__ import annotations

from aq_gym.envs.webshop.logic.reward import matched_options
from aq_gym.envs.webshop.logic.session import BACK, BUY, NEXT, PREVIOUS, Session, label
from aq_gym.envs.webshop.protocol import write


def next_action(session: Session) -> str:
    """Return the next action: search for the title, open it, choose options, buy."""
    view, goal = session.view, session.judge.goal
    target = session.shop.product(goal.asin)
    title = " ".join(target.title.split())
    if view.page == "search":
        return write("search", title)
    if view.page == "results":
        return _from_results(session, label(title))
    if view.asin != goal.asin:
        return write("click", BACK)
    if view.page != "item":
        return write("click", PREVIOUS)
    return _choose(session) or write("click", BUY)


def _from_results(session: Session, title: str) -> str:
    view, asin = session.view, session.judge.goal.asin
    if any(product.asin == asin for product in session.results()):
        return write("click", asin)
    place = session.shop.numbers[asin]
    found = session.shop.search(view.query)
    if view.query != title or place not in found:
        return write("click", BACK)
    before = found.index(place) < (view.number - 1) * session.per_page
    return write("click", PREVIOUS if before else NEXT)


def _choose(session: Session) -> str:
    """Return a click on a wanted option, or else on one that counts as wanted.

    Returns:
        "" if no value is missing.
    """
    wanted = session.judge.goal.options
    chosen = dict(session.view.options)
    links = [*session.links().values()]
    # WebShop's reward also accepts similar values, such as "pack of 1" for "pack of
    # 12". They are chosen only if the product lacks the wanted value.
    asked = {name: one for name, one in links if {one, (name, one)} & {*wanted}}

    def count(name: str, value: str) -> int:
        return sum(matched_options({**chosen, name: value}.values(), wanted))

    now = sum(matched_options(chosen.values(), wanted))
    for name, value in asked.items():
        if chosen.get(name) != value and count(name, value) >= now:
            return write("click", value)
    return next((write("click", one[1]) for one in links if count(*one) > now), "")
