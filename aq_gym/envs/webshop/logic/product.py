"""Products and goals, generated or official."""

from __future__ import annotations

from typing import NamedTuple

# Joins the categories of WebShop's products.
ARROW = "\u203a"


class Review(NamedTuple):
    """A review of a product.

    Attributes:
        title: Its title.
        score: 1 to 5 stars.
        body: Its text.
    """

    title: str
    score: int
    body: str


class Product(NamedTuple):
    """A product with all its pages.

    Attributes:
        asin: Its id, in capitals.
        title: Its title.
        description: The text of its page "Description".
        bullets: The lines of its page "Features".
        query: The search term, by which WebShop's reward compares types.
        product_category: Its path of categories, joined by :data:`ARROW`.
        attributes: Its properties, used only for the reward; no page shows them.
        options: The name and the values of each option.
        price: The price in dollars.
        price_tag: The price as shown on its page.
        rating: The rating as shown on its page.
        reviews: The reviews.
    """

    asin: str
    title: str
    description: str
    bullets: tuple[str, ...]
    query: str
    product_category: str
    attributes: tuple[str, ...]
    options: tuple[tuple[str, tuple[str, ...]], ...]
    price: float
    price_tag: str
    rating: str = "N.A."
    reviews: tuple[Review, ...] = ()


class Goal(NamedTuple):
    """The product that the agent must buy.

    Attributes:
        asin: The id of the product from which the goal was made.
        query: That product's search term.
        name: That product's title.
        product_category: That product's path of categories.
        attributes: The attributes asked for, at least one.
        options: The options asked for: values, or pairs of a name and a value, which
            WebShop compares differently.
        price_upper: The highest price, in dollars.
        instruction: The text of the goal.
    """

    asin: str
    query: str
    name: str
    product_category: str
    attributes: tuple[str, ...]
    options: tuple[str | tuple[str, str], ...]
    price_upper: float
    instruction: str
