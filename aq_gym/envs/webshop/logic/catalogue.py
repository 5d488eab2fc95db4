"""Generated products, with intended near-misses."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from aq_gym.envs.webshop.logic.product import ARROW, Product, Review
from aq_gym.support.data import packaged_json

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_STARTS = "b br d dr f g gl h k kr l m n p pl r s st t tr v w z".split()  # noqa: SIM905
_ENDS = "ado ana avi elo enna ero ilo ina iro onda oris uma une ux yra ent or".split()  # noqa: SIM905
# A near-miss copies the kind of the product before it, with one difference.
_NEAR_MISSES = 0.6


class Kind(NamedTuple):
    """A kind of product.

    Attributes:
        query: Its search term.
        nouns: Its names, which are interchangeable.
        use: Words in every title of this kind.
        path: Its path of categories.
        attributes: The attributes that its products can have, each with synonyms.
        options: The options, each with its values.
        prices: The lowest and the highest price, in dollars.
    """

    query: str
    nouns: tuple[str, ...]
    use: str
    path: str
    attributes: Mapping[str, Sequence[str]]
    options: Mapping[str, Sequence[str]]
    prices: tuple[int, int]


@lru_cache(maxsize=1)
def kinds() -> tuple[Kind, ...]:
    """Return the kinds of products."""
    families = packaged_json("aq_gym.envs.webshop", "data/kinds.json")["families"]
    return tuple(
        Kind(
            one["query"],
            tuple(one["nouns"]),
            one["use"],
            f" {ARROW} ".join((family, one["group"], one["query"].title())),
            has["attributes"],
            has["options"],
            tuple(has["price"]),
        )
        for family, has in families.items()
        for one in has["kinds"]
    )


def kind_of(product: Product) -> Kind:
    """Return the kind of a generated product."""
    return next(kind for kind in kinds() if kind.query == product.query)


def generate(seed: int, count: int) -> list[Product]:
    """Make the products of a catalogue."""
    rng = random.Random(f"webshop {seed}")
    made: list[Product] = []
    known: set[str] = set()
    while len(made) < count:
        near = made[-1] if made and rng.random() < _NEAR_MISSES else None
        product = _product(rng, near)
        if product.asin not in known:
            known.add(product.asin)
            made.append(product)
    # Shuffled, because near-misses would otherwise be neighbours in search results.
    rng.shuffle(made)
    return made


def _product(rng: random.Random, near: Product | None) -> Product:
    kind = kind_of(near) if near else rng.choice(kinds())
    attributes = _attributes(rng, kind, near)
    shown = {name: _wording(rng, kind, name) for name in attributes}
    low, high = kind.prices
    price = round(rng.uniform(low, high), 2)
    options = _options(rng, kind)
    return Product(
        "B0" + "".join(rng.choice(_LETTERS) for _ in range(8)),
        _title(rng, kind, shown),
        _description(rng, kind, shown),
        _bullets(rng, kind, shown),
        kind.query,
        kind.path,
        attributes,
        options,
        price,
        f"${price:.2f}",
        f"{rng.randint(20, 50) / 10}",
        tuple(_review(rng, kind, shown) for _ in range(rng.randint(0, 3))),
    )


def _attributes(
    rng: random.Random, kind: Kind, near: Product | None
) -> tuple[str, ...]:
    if near is None:
        return tuple(rng.sample(sorted(kind.attributes), rng.randint(2, 5)))
    others = sorted(set(kind.attributes) - set(near.attributes))
    changed = rng.randrange(len(near.attributes))
    return (
        *near.attributes[:changed],
        *near.attributes[changed + 1 :],
        rng.choice(others),
    )


def _wording(rng: random.Random, kind: Kind, attribute: str) -> str:
    """Return an attribute's name or, more often, a synonym."""
    return rng.choice((attribute, *kind.attributes[attribute]))


def _options(rng: random.Random, kind: Kind) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (name, tuple(rng.sample(values, rng.randint(2, len(values)))))
        for name, values in kind.options.items()
    )


def _title(rng: random.Random, kind: Kind, shown: Mapping[str, str]) -> str:
    """Return a title; some titles name neither the kind nor any attribute."""
    brand = rng.choice(_STARTS).title() + rng.choice(_ENDS)
    model = rng.choice(_STARTS).title() + rng.choice(_ENDS) + rng.choice(_ENDS)
    parts = [brand, model]
    if rng.random() < 0.5:
        parts.append(rng.choice(kind.nouns).title())
    title = f"{' '.join(parts)} for {kind.use.title()}"
    if rng.random() < 0.3:
        title += f", {rng.choice(list(shown.values())).title()}"
    return title


def _description(rng: random.Random, kind: Kind, shown: Mapping[str, str]) -> str:
    texts = _texts()
    facts = [rng.choice(texts["facts"]).format(fact) for fact in shown.values()]
    rng.shuffle(facts)
    opening = rng.choice(texts["openings"]).format(rng.choice(kind.nouns))
    return " ".join((opening, *facts[: max(1, len(facts) - 1)], _distractor(rng, kind)))


def _bullets(
    rng: random.Random, kind: Kind, shown: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the lines of features: all attributes, after a line without any."""
    lines = [fact.capitalize() for fact in shown.values()]
    rng.shuffle(lines)
    return (rng.choice(_texts()["features"]).format(rng.choice(kind.nouns)), *lines)


def _distractor(rng: random.Random, kind: Kind) -> str:
    """Return a sentence that mentions another kind of product."""
    other = rng.choice(kinds())
    form: str = rng.choice(_texts()["distractors"])
    return form.format(rng.choice(other.nouns), rng.choice(kind.nouns))


def _review(rng: random.Random, kind: Kind, shown: Mapping[str, str]) -> Review:
    texts = _texts()
    score = rng.randint(1, 5)
    title, body = rng.choice(texts["good" if score > 2 else "bad"])
    praised = rng.choice(list(shown.values()))
    return Review(title, score, body.format(rng.choice(kind.nouns), praised))


@lru_cache(maxsize=1)
def _texts() -> dict[str, Any]:
    texts: dict[str, Any] = packaged_json("aq_gym.envs.webshop", "data/texts.json")
    return texts
