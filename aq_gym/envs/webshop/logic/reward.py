"""WebShop's reward: r_type x (attributes + options + price) / (n + 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple, Self, TypeAlias

from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.utils import default_process

from aq_gym.envs.webshop.logic.product import ARROW, Goal, Product
from aq_gym.support.data import packaged_text

Nouns: TypeAlias = Callable[[str], tuple[str, ...]]

_WORD = re.compile(r"[^\W\d_]\w+")
# Words that are not nouns. Colors are not listed, because spaCy takes most of them for
# names in titles, which are capitalized.
_OTHER = frozenset(
    """
a about all an and any are as at be best by can compatible extra for from has in into
is it its large light long made make more no non not of off on only or our out over
portable replacement short slim small soft that the their these thick thin this to
ultra under up very warm with without you your
""".split()  # noqa: SIM905
)
_ENDINGS = ("able", "ible", "less", "ful", "ous", "ive", "ly", "proof", "free")


@lru_cache(maxsize=65_536)
def nouns(title: str) -> tuple[str, ...]:
    """Return the words of a title that are neither function words nor adjectives.

    Repeated words are returned repeatedly, because WebShop counts them so.

    Adjectives are recognized by their endings and a short list. Hyphens and apostrophes
    end a word; single letters and words that begin with a digit are left out.
    """
    found = (word.lower().rstrip(".'-") for word in _WORD.findall(title))
    return tuple(
        word for word in found if word not in _OTHER and not word.endswith(_ENDINGS)
    )


@lru_cache(maxsize=65_536)
def spacy_nouns(title: str) -> tuple[str, ...]:
    """Return the nouns that spaCy's model ``en_core_web_sm`` finds, as WebShop does.

    Args:
        title: A title.

    Raises:
        ImportError: If spaCy is not installed.
        OSError: If the model is not installed.
    """
    kinds = ("NOUN", "PROPN")
    return tuple(one.text.lower() for one in _model()(title) if one.pos_ in kinds)


@lru_cache(maxsize=1)
def _model() -> Any:
    import spacy

    return spacy.load("en_core_web_sm")


_THRESHOLD = 85
# thefuzz drops characters that are in Latin-1 but not in ASCII, and keeps all others.
_DROPPED = dict.fromkeys(range(128, 256))
_MATCH, _WEAK = 0.2, 0.1
_MOST_BRANCHES = 2_000


class Terms(NamedTuple):
    """The parts of a goal that a product meets, regardless of the chosen options.

    Attributes:
        type: r_type, 0.0 to 1.0.
        attributes: Whether the product has each attribute of the goal.
        price: Whether its price is within the limit.
        best: The largest number of the goal's options that a choice can match.
        last: The number that the last value of every option matches.
    """

    type: float
    attributes: tuple[bool, ...]
    price: bool
    best: int
    last: int


class Judge:
    """The rewards of one goal; the terms of a product are computed once."""

    def __init__(self, goal: Goal, nouns: Nouns) -> None:
        self.goal = goal
        self._nouns = nouns
        self._name = nouns(goal.name)
        self._path = _path(goal.product_category)
        self._terms: dict[str, Terms] = {}
        self._count = len(goal.attributes) + len(goal.options) + 1

    def __deepcopy__(self, memo: object) -> Self:
        # The cache depends only on the goal, so copies can share the judge.
        return self

    def __reduce__(self) -> tuple[type[Judge], tuple[Goal, Nouns]]:
        return Judge, (self.goal, self._nouns)

    def terms(self, product: Product) -> Terms:
        """Return which parts of the goal a product meets."""
        if product.asin not in self._terms:
            wanted = self.goal.options
            masks = [
                {_mask(value, wanted) for value in values}
                for _, values in product.options
            ]
            last = [values[-1] for _, values in product.options if values]
            self._terms[product.asin] = Terms(
                self._type(product),
                tuple(matched_attributes(product, self.goal.attributes)),
                product.price <= self.goal.price_upper,
                _most(masks),
                sum(matched_options(last, wanted)),
            )
        return self._terms[product.asin]

    def reward(self, product: Product, values: Iterable[str]) -> float:
        """Return the reward for buying a product."""
        return self._total(product, sum(matched_options(values, self.goal.options)))

    def best(self, product: Product) -> float:
        """Return the reward with the best choice of options."""
        return self._total(product, self.terms(product).best)

    def last(self, product: Product) -> float:
        """Return the reward that AgentBoard's code computes for a product's page.

        It is the reward of the last choice of options, unless a choice is worth 1.0.
        """
        best = self.best(product)
        return best if best == 1.0 else self._total(product, self.terms(product).last)

    def _total(self, product: Product, options: int) -> float:
        has = self.terms(product)
        return (sum(has.attributes) + options + has.price) / self._count * has.type

    def _type(self, product: Product) -> float:
        # The number of distinct shared nouns, divided by the number of all nouns of the
        # goal, including repetitions, as in WebShop.
        shared = len({*self._nouns(product.title)} & {*self._name})
        score = shared / len(self._name) if self._name else _MATCH
        if score == 0.0:
            return 0.0
        if score < _WEAK:
            return 0.1
        same = product.query == self.goal.query or score > _MATCH
        alike = same or len(_path(product.product_category) & self._path) >= 2
        return 1.0 if alike else 0.5


def matched_attributes(product: Product, wanted: Sequence[str]) -> list[bool]:
    """Return whether a product has each attribute, or has it in its texts."""
    texts = (product.title, " ".join(product.bullets), product.description)
    lower = [text.lower() for text in texts]
    return [
        any(is_alike(has, attribute) for has in product.attributes)
        or any(attribute in text for text in lower)
        for attribute in wanted
    ]


def matched_options(
    values: Iterable[str], wanted: Sequence[str | tuple[str, str]]
) -> list[bool]:
    """Return whether each option of a goal is similar to one of the values.

    Args:
        values: The chosen values.
        wanted: The options, as :class:`Goal` has them.
    """
    chosen = [_color_of(value) for value in values]
    return [
        any(is_alike(value, option) for value in chosen)
        for option in map(_color_of, wanted)
    ]


@lru_cache(maxsize=65_536)
def is_alike(one: str, other: str) -> bool:
    """Return whether the rounded token set ratio of two texts exceeds 85."""
    first, second = _processed(one), _processed(other)
    if not first or not second:
        return False
    return round(token_set_ratio(first, second)) > _THRESHOLD


def _processed(text: str) -> str:
    return default_process(text.translate(_DROPPED))


@lru_cache(maxsize=1)
def _colors() -> tuple[str, ...]:
    return tuple(packaged_text("aq_gym.envs.webshop", "data/colors.txt").split())


@lru_cache(maxsize=65_536)
def _color_of(option: str | tuple[str, str]) -> str:
    """Return the first color in an option, or the option if there is none.

    As in WebShop, a pair contains a color only if its name or value equals the color;
    otherwise the pair is compared as Python writes it.
    """
    return next((color for color in _colors() if color in option), str(option))


def _path(category: str) -> frozenset[str]:
    return frozenset(part.strip() for part in category.split(ARROW))


def _mask(value: str, wanted: Sequence[str | tuple[str, str]]) -> int:
    """Return the options that a value matches, one bit each."""
    return sum(1 << k for k, one in enumerate(matched_options([value], wanted)) if one)


def _most(masks: Sequence[set[int]]) -> int:
    """Return the largest number of options matched by one value of each.

    Trying all choices would take exponential time, so a branch is abandoned if it can't
    match more options than the best so far; nearly always the first branch is the best.
    A crafted file can have very many branches; after 2,000, the best so far is
    returned.
    """
    left = [some for choices in masks if (some := choices - {0})]
    best = 0
    seen: set[tuple[int, int]] = set()

    def gain(mask: int, reached: int) -> int:
        return (mask & ~reached).bit_count()

    def search(place: int, reached: int) -> None:
        nonlocal best
        if (place, reached) in seen or len(seen) == _MOST_BRANCHES:
            return
        seen.add((place, reached))
        best = max(best, reached.bit_count())
        rest = left[place:]
        more = sum(max(gain(mask, reached) for mask in one) for one in rest)
        union = reduce(or_, (mask for one in rest for mask in one), reached)
        most = min(reached.bit_count() + more, union.bit_count())
        if most > best:
            for mask in sorted(rest[0], key=lambda one: -gain(one, reached)):
                search(place + 1, reached | mask)

    search(0, 0)
    return best
