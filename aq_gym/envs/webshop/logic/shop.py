"""Shops: products with an index, shared by the environments in one process."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.webshop.logic.catalogue import generate
from aq_gym.envs.webshop.logic.product import Product

_K1, _B = 0.9, 0.4
_WORD = re.compile(r"\w+")
_STOP = frozenset(
    """
a an and are as at be but by for if in into is it no not of on or such that
the their then there these they this to was will with
""".split()  # noqa: SIM905
)


def words(text: str) -> list[str]:
    """Return the words of a text for searching: in lower case, without a plural s."""
    found = _WORD.findall(text.lower())
    return [_singular(word) for word in found if word not in _STOP]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


class Index:
    """The score of every word in every document, computed in advance.

    Args:
        vocabulary: The number of each word.
        starts: The position of each word's first entry, and the end of the last word's.
        documents: The document of each entry.
        scores: The score of each entry.
        size: The number of documents.
    """

    def __init__(
        self,
        vocabulary: dict[str, int],
        starts: NDArray[Any],
        documents: NDArray[Any],
        scores: NDArray[Any],
        size: int,
    ) -> None:
        self.vocabulary = vocabulary
        self.starts = starts
        self.documents = documents
        self.scores = scores
        self.size = size

    @classmethod
    def build(cls, texts: Iterable[str]) -> Index:
        """Make the index of documents."""
        import bm25s  # takes a fifth of a second

        documents = [words(text) for text in texts]
        if not any(documents):
            nothing = np.zeros(0, dtype=np.int32)
            return cls({}, np.zeros(1, dtype=np.int64), nothing, nothing, 0)
        made = bm25s.BM25(k1=_K1, b=_B, method="lucene")
        made.index(documents, show_progress=False)
        scores = made.scores
        return cls(
            made.vocab_dict,
            scores["indptr"],
            scores["indices"],
            scores["data"],
            scores["num_docs"],
        )

    def search(self, query: str, most: int) -> list[int]:
        """Return the best documents with a word of a query, the best first.

        Documents with equal scores keep their order.
        """
        counts = Counter(words(query))
        known = [word for word in counts if word in self.vocabulary]
        if not known:
            return []
        numbers = [self.vocabulary[word] for word in known]
        parts = [slice(self.starts[n], self.starts[n + 1]) for n in numbers]
        documents = np.concatenate([self.documents[part] for part in parts])
        # A repeated word counts repeatedly, at no extra cost.
        times = np.repeat(
            [float(counts[word]) for word in known],
            [part.stop - part.start for part in parts],
        )
        weights = times * np.concatenate([self.scores[part] for part in parts])
        totals = np.bincount(documents, weights, self.size)
        found = np.flatnonzero(totals)
        if len(found) > most:
            least = np.partition(totals[found], -most)[-most]
            found = found[totals[found] >= least]
        ranked = found[np.argsort(-totals[found], kind="stable")]
        return [int(document) for document in ranked[:most]]


RESULTS = 50
# The limit for the products of all cached shops, besides the latest one.
KEPT = 200_000
_shops: dict[tuple[int, int], Shop] = {}


class Shop:
    """Products with an index. A shop never changes.

    Copies share it, and a pickle contains only the arguments to make it again.
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
        # Cached, because many pages of results and products follow one search.
        self._search = lru_cache(maxsize=256)(self._ranked)

    def product(self, asin: str) -> Product:
        """Return the product with an asin."""
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
    """Return the shop of a generated catalogue, which is made on first use."""
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
