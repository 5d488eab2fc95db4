"""Shops: products with an index, shared by the environments in one process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

from aq_gym.envs.webshop.logic.catalogue import generate
from aq_gym.envs.webshop.logic.product import Product
from aq_gym.envs.webshop.logic.search import Index

RESULTS = 50
# The products of the shops that are kept, besides the last one.
KEPT = 200_000
_shops: dict[tuple[int, int], Shop] = {}


class Shop:
    """Products with an index. It never changes.

    Copies share it, and a pickle holds only what it is made from.
    """

    def __init__(
        self,
        products: Sequence[Product],
        index: Index,
        numbers: Mapping[str, int],
        restore: tuple[Callable[..., Any], tuple[Any, ...]],
    ) -> None:
        self.products = products
        self.index = index
        self.numbers = numbers
        self._restore = restore
        # Of one search: pages of results and of products follow each other.
        self._search = lru_cache(maxsize=256)(self._ranked)

    def product(self, asin: str) -> Product:
        """Return the product of an asin."""
        return self.products[self.numbers[asin]]

    def search(self, query: str) -> tuple[int, ...]:
        """Return the positions of the best 50 products, the best first."""
        return self._search(query)

    def _ranked(self, query: str) -> tuple[int, ...]:
        return tuple(self.index.search(query, RESULTS))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._restore


def document(product: Product) -> str:
    """Return a product's indexed text, as in WebShop."""
    options = ", and ".join(
        f"{name}: {', '.join(values)}" for name, values in product.options
    )
    first = product.bullets[0] if product.bullets else ""
    return f"{product.title} {product.description} {first} {options}"


def generated_shop(seed: int, count: int) -> Shop:
    """Return the shop of a generated catalogue, made at its first use."""
    key = (seed, count)
    shop = _shops.pop(key, None)
    if shop is None:
        products = generate(seed, count)
        shop = Shop(
            products,
            Index.build(map(document, products)),
            {product.asin: place for place, product in enumerate(products)},
            (generated_shop, key),
        )
    _shops[key] = shop
    while sum(size for _, size in _shops) > KEPT and len(_shops) > 1:
        del _shops[next(iter(_shops))]
    return shop
