"""A visit to the shop: the page that is open, and the scores so far."""

from __future__ import annotations

from typing import NamedTuple

from aq_gym.envs.webshop.logic.product import Product
from aq_gym.envs.webshop.logic.reward import Judge
from aq_gym.envs.webshop.logic.shop import Shop

# WebShop's labels; in a click they are in lower case.
BACK, NEXT, PREVIOUS, BUY = "Back to Search", "Next >", "< Prev", "Buy Now"
SUB_PAGES = ("Description", "Features", "Reviews")


class View(NamedTuple):
    """The open page.

    Attributes:
        page: "search", "results", "item", or one of :data:`SUB_PAGES`.
        query: The last search; "" before the first.
        number: The number of the page of results, from 1.
        asin: The open product, or "".
        options: The name and value of each chosen option.
        seen: The products opened since the search page was last open.
    """

    page: str = "search"
    query: str = ""
    number: int = 1
    asin: str = ""
    options: tuple[tuple[str, str], ...] = ()
    seen: tuple[str, ...] = ()


class Scores(NamedTuple):
    """The best rewards so far, 0.0 to 1.0.

    Attributes:
        listed: The best reward of a product on a page of results, with its best
            options.
        opened: The best reward of an opened product, with its best options.
        last: Like ``opened``, with the options that AgentBoard's code compares.
        chosen: The best reward of an open product, with the options chosen at that
            time.
        bought: The reward of the purchase.
        type_listed: Whether a product of the right type was on a page of results.
        type_opened: Whether a product of the right type was opened.
        purchased: Whether something was bought.
    """

    listed: float = 0.0
    opened: float = 0.0
    last: float = 0.0
    chosen: float = 0.0
    bought: float = 0.0
    type_listed: bool = False
    type_opened: bool = False
    purchased: bool = False


class Session:
    """A visit to a shop.

    Args:
        shop: The shop.
        judge: The rewards of the goal.
        per_page: The number of products on a page of results.
        view: The open page.
        scores: The scores so far.
    """

    def __init__(
        self,
        shop: Shop,
        judge: Judge,
        per_page: int,
        view: View = View(),  # noqa: B008  # it never changes
        scores: Scores = Scores(),  # noqa: B008
    ) -> None:
        self.shop = shop
        self.judge = judge
        self.per_page = per_page
        self.view = view
        self.scores = scores

    @property
    def product(self) -> Product:
        """The open product."""
        return self.shop.product(self.view.asin)

    def results(self) -> list[Product]:
        """Return the products on the page of results."""
        end = self.view.number * self.per_page
        found = self.shop.search(self.view.query)[end - self.per_page : end]
        return [self.shop.products[place] for place in found]

    def total(self) -> int:
        """Return the number of all results of the query."""
        return len(self.shop.search(self.view.query))

    def buttons(self) -> tuple[str, ...]:
        """Return the labels of the buttons of the page, with their capitals."""
        page = self.view.page
        if page == "search":
            return ()
        if page == "results":
            back = (PREVIOUS,) if self.view.number > 1 else ()
            return (BACK, *back, NEXT)
        if page == "item":
            return (BACK, PREVIOUS, *SUB_PAGES, BUY)
        return (BACK, PREVIOUS)

    def links(self) -> dict[str, tuple[str, str]]:
        """Return the links of the page, which are not buttons, by label in lower case.

        A link is a pair of "asin" and the product, or of an option's name and value. A
        value that two options share belongs to the later one.
        """
        if self.view.page == "results":
            return {one.asin.lower(): ("asin", one.asin) for one in self.results()}
        if self.view.page != "item":
            return {}
        return {
            label(value): (name, value)
            for name, values in self.product.options
            for value in values
        }

    def shows(self, text: str) -> bool:
        """Return whether the page has a label, given in lower case."""
        return text in self.links() or text in map(str.lower, self.buttons())

    def search(self, query: str) -> None:
        """Open the first page of results."""
        self._show_results(query, 1)

    def click(self, text: str) -> bool:
        """Click a button, a product or an option.

        Args:
            text: Its label, in lower case.

        Returns:
            Whether the page has the label.
        """
        button = next((one for one in self.buttons() if one.lower() == text), None)
        if button is not None:
            self._press(button)
            return True
        link = self.links().get(text)
        if link is None:
            return False
        if self.view.page == "results":
            self._open(link[1])
        else:
            chosen = {**dict(self.view.options), link[0]: link[1]}
            self.view = self.view._replace(options=tuple(chosen.items()))
            self._score_choice()
        return True

    def _press(self, button: str) -> None:
        view = self.view
        if button == BACK:
            self.view = View()
        elif button == BUY:
            bought = self._reward()
            self.scores = self.scores._replace(bought=bought, purchased=True)
        elif button in SUB_PAGES:
            self.view = view._replace(page=button)
        elif view.page in SUB_PAGES:
            self.view = view._replace(page="item")
        elif view.page == "item":
            self._show_results(view.query, view.number)
        else:
            step = 1 if button == NEXT else -1
            self._show_results(view.query, view.number + step)

    def _show_results(self, query: str, number: int) -> None:
        self.view = View("results", query, number, seen=self.view.seen)
        shown = self.results()
        best = max(map(self.judge.best, shown), default=0.0)
        right = any(self.judge.terms(one).type == 1.0 for one in shown)
        self.scores = self.scores._replace(
            listed=max(self.scores.listed, best),
            type_listed=self.scores.type_listed or right,
        )

    def _open(self, asin: str) -> None:
        seen = tuple(sorted({*self.view.seen, asin}))
        self.view = self.view._replace(page="item", asin=asin, seen=seen)
        product, scores = self.product, self.scores
        right = self.judge.terms(product).type == 1.0
        self.scores = scores._replace(
            opened=max(scores.opened, self.judge.best(product)),
            last=max(scores.last, self.judge.last(product)),
            type_opened=scores.type_opened or right,
        )
        self._score_choice()

    def _score_choice(self) -> None:
        chosen = max(self.scores.chosen, self._reward())
        self.scores = self.scores._replace(chosen=chosen)

    def _reward(self) -> float:
        values = [value for _, value in self.view.options]
        return self.judge.reward(self.product, values)


def label(text: str) -> str:
    """Return a label as in a click: in lower case, without extra whitespace."""
    return " ".join(text.lower().split())
