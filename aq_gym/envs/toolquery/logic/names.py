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
    """Draws names, each once."""

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
        """Return some of the texts, all different."""
        chosen: list[str] = []
        while len(chosen) < count:
            one = self.pick(choices)
            if one not in chosen:
                chosen.append(one)
        return chosen

    def date(self, first: int, days: int) -> str:
        """Return a date as YYYY-MM-DD.

        Args:
            first: The ordinal of the first day that is possible.
            days: The number of days that are possible.
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
            # Another word, because there are more records than short names.
            text = f"{draw()} {self._word().title()}"
        self._used.add(text.casefold())
        return text

    def _word(self) -> str:
        return self._syllable() + self.pick(_ONSETS) + self.pick(_VOWELS)

    def _syllable(self) -> str:
        return self.pick(_ONSETS) + self.pick(_VOWELS) + self.pick(_CODAS)


def _numbers(rng: np.random.Generator) -> Iterator[float]:
    """Yield numbers from 0 to below 1 without end, drawn in C rather than in Python."""
    # One call for many numbers takes a tenth of the time of a call for each.
    return chain.from_iterable(rng.random(size).tolist() for size in repeat(2048))


def draw_keys(rng: np.random.Generator, count: int, first: int = 1000) -> list[str]:
    """Return distinct ids whose order reveals nothing.

    Args:
        rng: The generator.
        count: How many.
        first: The lowest that is possible.
    """
    numbers = rng.permutation(np.arange(first, first + 9 * count))[:count]
    return list(map(str, numbers.tolist()))
