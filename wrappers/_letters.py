"""The characters of texts as small numbers, and their division into classes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

# If the most frequent characters are not most of a text, as in Chinese, more letters
# are needed.
_LETTERS = 32
_MANY_LETTERS = 128
_COVERED = 0.9
_CODES = 4_096

Numbers = np.ndarray[Any, np.dtype[Any]]


class Letters:
    """Small numbers for characters, and classes of them, learned from texts.

    Characters that share a number are considered equal, which can only raise the length
    of a longest common subsequence. The rarest ones have the lowest numbers. A class is
    a range of numbers.

    Attributes:
        starts: The first number of each class, and at the end the number of letters.
    """

    def __init__(self, sample: Sequence[str], class_length: float) -> None:
        """Learn from texts which characters are frequent.

        Args:
            sample: The texts.
            class_length: How many characters of a text are in a class on average, at
                most, unless a single letter has more.
        """
        codes = _codes("".join(sample))
        counts = np.bincount(codes, minlength=_CODES)
        by_frequency = np.argsort(-counts, kind="stable")
        covered = counts[by_frequency[:_LETTERS]].sum() >= _COVERED * len(codes)
        size = _LETTERS if covered else _MANY_LETTERS
        self._numbers = np.empty(_CODES, np.uint8)
        # Each of the most frequent characters has another number.
        self._numbers[by_frequency] = size - 1 - np.arange(_CODES) % size
        means = np.bincount(self._numbers[codes], minlength=size) / len(sample)
        self.starts = _starts(means.tolist(), class_length)

    def read(self, text: str) -> Numbers:
        """Return the numbers of the characters of a text.

        Args:
            text: The text.
        """
        numbers: Numbers = self._numbers[_codes(text)]
        return numbers

    def count(self, numbers: Numbers) -> Numbers:
        """Return how often each letter is in a text.

        Args:
            numbers: The letters of the text.
        """
        counts = np.bincount(numbers, minlength=self.starts[-1])
        return counts.astype(np.uint16)


class Partition:
    """Splits the letters of texts by ranges of numbers."""

    def __init__(self, starts: Sequence[int]) -> None:
        """Choose the ranges.

        Args:
            starts: The first number of each range, and at the end the number after
                the last one.
        """
        self._ranges = len(starts) - 1
        sizes = np.diff(starts)
        self._range_of = np.repeat(np.arange(self._ranges, dtype=np.uint8), sizes)

    def split(self, numbers: Numbers) -> list[Numbers]:
        """Return the letters of each range, in the order of the text.

        Args:
            numbers: The letters of a text.
        """
        ranges = self._range_of[numbers]
        ordered = numbers[np.argsort(ranges, kind="stable")]
        ends = np.bincount(ranges, minlength=self._ranges).cumsum().tolist()
        return [ordered[first:end] for first, end in pairwise([0, *ends])]


def _codes(text: str) -> Numbers:
    encoded = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, np.uint32) % _CODES


def _starts(counts: Sequence[float], class_length: float) -> list[int]:
    starts, length = [0], 0.0
    for letter, count in enumerate(counts):
        if length + count > class_length and letter > starts[-1]:
            starts.append(letter)
            length = 0.0
        length += count
    return [*starts, len(counts)]
