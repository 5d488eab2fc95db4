"""Invented names, so that no model can know the content of a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

_ONSETS = (
    *("bl", "c", "ch", "d", "f", "fl", "g", "h", "j", "k", "l", "m"),
    *("n", "p", "pr", "r", "s", "sh", "t", "th", "v", "w", "y", "z"),
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ee", "oa")
_CODAS = ("", "n", "r", "l", "s", "t", "m", "nt", "rd", "sk")


class Names:
    """Draws words, each once, and other values."""

    def __init__(self, rng: np.random.Generator) -> None:
        # Numbers are drawn in blocks, which takes a tenth of the time of single draws.
        self._rng = rng
        self._drawn: Iterator[float] = iter(())
        self._used: set[str] = set()

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to below a limit."""
        for number in self._drawn:
            return int(number * limit)
        self._drawn = iter(self._rng.random(1024).tolist())
        return self.below(limit)

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of some values."""
        return choices[self.below(len(choices))]

    def word(self) -> str:
        """Return an invented word, such as "Prailko"."""
        return self.unused(lambda: self._draw().title())

    def unused(self, draw: Callable[[], str]) -> str:
        """Return a text that was not drawn before."""
        text = draw()
        while text in self._used:
            text = f"{text} {self._draw().title()}"
        self._used.add(text)
        return text

    def _draw(self) -> str:
        syllable = self.pick(_ONSETS) + self.pick(_VOWELS) + self.pick(_CODAS)
        return syllable + self.pick(_ONSETS) + self.pick(_VOWELS)
