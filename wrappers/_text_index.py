"""An index of texts by Levenshtein ratio: find those that may be similar to a text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from aq_gym.wrappers._bounds import Bounds, chosen
from aq_gym.wrappers._columns import Columns
from aq_gym.wrappers._lanes import CLASS_LENGTH, Lanes
from aq_gym.wrappers._letters import Letters, Numbers
from aq_gym.wrappers._reductions import Reductions

# The number of characters from which bounds save time. The letters are learned from
# the texts so far. Each time the number has multiplied, they are learned again if the
# bounds do not help, in case the texts have changed.
_FIRST_LEARNED = 25_000
_LEARNED_AGAIN = 4
# Comparing texts of so many characters takes less time than any bound.
_FEW = 12_800
_SAMPLE = 1_000
# Longer texts have so many classes of a machine word that each has too few letters.
_LONGEST_IN_LANES = 320
# Longer than the error of the product of a ratio and a length, shorter than a letter.
_ROUNDING = 1e-6


class TextIndex:
    """Texts, and for another text those that may reach a Levenshtein ratio with it.

    The ratio of two texts is twice the length of their longest common subsequence over
    the sum of their lengths. Upper bounds of that length are computed in stages, each
    slower and lower than the one before, and only for the texts that are still near:

    - The number of characters that the texts have in common.
    - Let the characters be divided into classes. The sum over classes of the longest
      common subsequences of the texts reduced to the class: a common subsequence of the
      texts, reduced to a class, is one of the reduced texts.
    - The same with two groups of these classes.
    """

    def __init__(self) -> None:
        """Start without texts."""
        self._texts: list[str] = []
        self._characters = 0
        self._learned_at = _FIRST_LEARNED
        self._filter: _Filter | None = None

    def add(self, text: str) -> None:
        """Add a text.

        Args:
            text: The text, of fewer than 65,536 characters.
        """
        self._texts.append(text)
        self._characters += len(text)
        if self._filter is not None:
            self._filter.add(text)
        if self._characters >= self._learned_at:
            self._learned_at = _LEARNED_AGAIN * self._characters
            if self._filter is None or not self._filter.helps:
                self._filter = None  # Releases its memory.
                self._filter = _Filter(self._texts)

    def near(self, text: str, ratio: float) -> Sequence[str]:
        """Return a superset of the texts whose ratio with a text reaches a bound.

        Args:
            text: The text.
            ratio: The bound, 0.0 to 1.0.
        """
        if self._filter is None:
            return self._texts
        return chosen(self._texts, self._filter.bounds(text, ratio).where)


class _Reading(NamedTuple):
    """A text, as the bounds need it.

    Attributes:
        text: The text.
        counts: How often each letter is in it.
        parts: For each stage the letters of each group.
    """

    text: str
    counts: Numbers
    parts: list[list[Numbers]]


class _Filter:
    """The bounds of texts, with classes learned from the latest ones."""

    def __init__(self, texts: Sequence[str]) -> None:
        sample = texts[-_SAMPLE:]
        length = sum(map(len, sample)) / len(sample)
        in_lanes = length <= _LONGEST_IN_LANES
        self._letters = Letters(sample, CLASS_LENGTH if in_lanes else length / 2.7)
        classes = len(self._letters.starts) - 1
        lanes = Lanes(self._letters) if in_lanes else None
        few = int(_FEW / length)
        halves = sorted({0, classes // 2, classes})
        self._stages = [
            Reductions(self._letters, range(classes + 1), few, lanes),
            Reductions(self._letters, halves, few),
        ]
        self._last: _Reading | None = None
        self._lengths = Columns(1, np.int64)
        self._counts = Columns(self._letters.starts[-1], np.uint16)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        reading = self._read(text)
        self._lengths.append(len(text))
        self._counts.append(reading.counts)
        for stage, parts in zip(self._stages, reading.parts, strict=True):
            stage.add(parts)

    @property
    def helps(self) -> bool:
        """Whether each stage saved time when it was tried last."""
        return all(stage.helps for stage in self._stages)

    def bounds(self, text: str, ratio: float) -> Bounds:
        """Return the bounds of the texts for the common subsequence with a text."""
        reading = self._read(text)
        sums = self._lengths.values[0] + len(text)
        needed = np.ceil(ratio / 2.0 * sums - _ROUNDING)
        bounds = Bounds(self._common(reading.counts), needed.astype(np.uint16))
        for stage, parts in zip(self._stages, reading.parts, strict=True):
            stage.lower(parts, bounds)
        return bounds

    def _read(self, text: str) -> _Reading:
        # Most texts are added after they have been compared.
        if self._last is None or self._last.text != text:
            numbers = self._letters.read(text)
            parts = [stage.split(numbers) for stage in self._stages]
            self._last = _Reading(text, self._letters.count(numbers), parts)
        return self._last

    def _common(self, counts: Numbers) -> Numbers:
        """Return how many characters of each class each text has in common."""
        common = np.empty(self._counts.values.shape, np.uint16)
        # A loop over two equally large arrays is vectorized, with one number it is not.
        common[:] = counts[:, None]
        np.minimum(self._counts.values, common, out=common)
        pairs = pairwise(self._letters.starts)
        return np.array([common[a:b].sum(axis=0, dtype=np.uint16) for a, b in pairs])
