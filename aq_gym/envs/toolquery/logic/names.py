"""Invented names, dates and ids, so that no model can know them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat

import numpy as np

COUNTRIES = ("Norvia", "Talas", "Ordland", "Keshmar", "Luminia", "Varra")

_ONSETS = (
    *("b", "br", "c", "d", "dr", "f", "g", "gr", "h", "j", "k", "l"),
    *("m", "n", "p", "r", "s", "st", "t", "tr", "v", "w", "z"),
)
_VOWELS = ("a", "e", "i", "o", "u", "ae", "ia", "eo")
_CODAS = ("n", "r", "l", "s", "t", "m", "nd", "rk", "lt", "x", "th")
_PLACE_ENDS = (
    *("ford", "mere", "holm", "stead", "wick", "dale"),
    *("port", "haven", "moor", "field", "bridge", "cliff"),
)
_PERSON_ENDS = (
    *("son", "ley", "ard", "ova", "ini"),
    *("escu", "ez", "quist", "mann", "ier"),
)


class Names:
    """Draws names without repetition, and other values."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._next = _numbers(rng).__next__
        self._used: set[str] = set()

    def pick(self, choices: Sequence[str]) -> str:
        """Return one of some texts."""
        return choices[int(self._next() * len(choices))]

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to below a limit."""
        return int(self._next() * limit)

    def some(self, choices: Sequence[str], count: int) -> list[str]:
        """Return some of the texts, without repetition."""
        chosen: list[str] = []
        while len(chosen) < count:
            one = self.pick(choices)
            if one not in chosen:
                chosen.append(one)
        return chosen

    def date(self, first: int, days: int) -> str:
        """Return a date as YYYY-MM-DD.

        Args:
            first: The ordinal of the first possible day.
            days: The number of possible days.
        """
        return datetime.date.fromordinal(first + self.below(days)).isoformat()

    def person(self) -> str:
        """Return the name of a person, such as "Taro Brindley"."""

        def draw() -> str:
            family = self._word() + self.pick(_PERSON_ENDS)
            return f"{self._word()} {family}".title()

        return self._unused(draw)

    def place(self) -> str:
        """Return the name of a place, such as "Drunholm"."""
        return self._unused(lambda: (self._syllable() + self.pick(_PLACE_ENDS)).title())

    def word(self) -> str:
        """Return an invented word, such as "Keostar"."""
        return self._unused(lambda: self._word().title())

    def _unused(self, draw: Callable[[], str]) -> str:
        text = draw()
        while text.casefold() in self._used:
            # A longer name, because there are more records than short names.
            text = f"{draw()} {self._word().title()}"
        self._used.add(text.casefold())
        return text

    def _word(self) -> str:
        return self._syllable() + self.pick(_ONSETS) + self.pick(_VOWELS)

    def _syllable(self) -> str:
        return self.pick(_ONSETS) + self.pick(_VOWELS) + self.pick(_CODAS)


def _numbers(rng: np.random.Generator) -> Iterator[float]:
    """Yield random numbers from 0 to below 1 endlessly."""
    # Numbers are drawn in blocks, which takes a tenth of the time of single draws.
    return chain.from_iterable(rng.random(size).tolist() for size in repeat(2048))


def draw_keys(rng: np.random.Generator, count: int, first: int = 1000) -> list[str]:
    """Return distinct random ids.

    Args:
        rng: The generator.
        count: The number of ids.
        first: The lowest possible id.
    """
    numbers = rng.permutation(np.arange(first, first + 9 * count))[:count]
    return list(map(str, numbers.tolist()))
