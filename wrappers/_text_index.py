"""An index of texts by Levenshtein ratio: find those that may be similar to a text."""

from __future__ import annotations

from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

_BLOCK = 4_096
_BUCKETS = 128
_CLASSES = 3
# Letters by class: 30, 30 and 40% of an English text, so that of 200 characters about
# 60 are in each of the first two, which rapidfuzz compares as one machine word.
_LETTERS = ("ehknprvy", "acdjmoqtwxz", " bfgilsu")
# From this share on, comparing with all texts takes less time than selecting some.
_MOST = 0.6
# If the bounds keep that share, comparing with all texts takes less time than the
# bounds, which are then tried again with every so many texts only.
_MOST_KEPT = 0.5
_TRIED_AGAIN = 16

Numbers = np.ndarray[Any, np.dtype[Any]]


class TextIndex:
    """Texts, and for another text those that may reach a Levenshtein ratio with it.

    The ratio of two texts is twice the length of their longest common subsequence over
    the sum of their lengths. Two upper bounds of that length are used:

    - It is at most the number of characters that the texts have in common.
    - Let the characters be divided into classes. It is at most the sum over classes of
      the longest common subsequence of the texts reduced to the class, because a common
      subsequence of the texts, reduced to a class, is one of the reduced texts. These
      take far less time to compare.

    After each class, texts whose bound does not reach the ratio are dropped.
    """

    def __init__(self) -> None:
        """Start without texts."""
        self._blocks: list[_Block] = []
        self._skipped = 0
        self._helps = True

    def add(self, text: str) -> None:
        """Add a text.

        Args:
            text: The text, of fewer than 65,536 characters.
        """
        if not self._blocks or len(self._blocks[-1].texts) == _BLOCK:
            self._blocks.append(_Block())
        self._blocks[-1].add(text)

    def near(self, text: str, ratio: float) -> list[str]:
        """Return a superset of the texts whose ratio with a text reaches a bound.

        Args:
            text: The text.
            ratio: The bound, 0.0 to 1.0.
        """
        if not self._helps and self._skipped < _TRIED_AGAIN:
            self._skipped += 1
            return [other for block in self._blocks for other in block.texts]
        counts, reduced = _count(text), _reduce(text)
        found = [
            other
            for block in self._blocks
            for other in block.near(len(text), counts, reduced, ratio)
        ]
        total = sum(len(block.texts) for block in self._blocks)
        self._helps, self._skipped = len(found) <= _MOST_KEPT * total, 0
        return found


class _Block:
    """Some of the texts, with their lengths, character counts and reductions."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._reduced: list[list[str]] = [[] for _ in range(_CLASSES)]
        self._lengths = np.zeros(_BLOCK, np.int64)
        self._counts = np.zeros((_BUCKETS, _BLOCK), np.uint16)

    def add(self, text: str) -> None:
        index = len(self.texts)
        self._lengths[index] = len(text)
        self._counts[:, index] = _count(text)
        for stored, reduced in zip(self._reduced, _reduce(text), strict=True):
            stored.append(reduced)
        self.texts.append(text)

    def near(
        self, length: int, counts: Numbers, reduced: list[str], ratio: float
    ) -> list[str]:
        size = len(self.texts)
        sums = self._lengths[:size] + length
        shortest = np.minimum(self._lengths[:size], length)
        common = [self._common(k, counts, size) for k in range(_CLASSES)]
        bound = np.minimum(sum(common), shortest)
        (near,) = np.nonzero(2.0 * bound >= ratio * sums)
        for k in range(_CLASSES):
            if len(near) == 0:
                break
            bound[near] += self._longest(k, reduced[k], near) - common[k][near]
            near = near[2.0 * bound[near] >= ratio * sums[near]]
        return [self.texts[index] for index in near.tolist()]

    def _common(self, k: int, counts: Numbers, size: int) -> Numbers:
        """Return how many characters of a class each text has in common."""
        (used,) = np.nonzero((k == _CLASS_OF_BUCKET) & (counts > 0))
        common = np.minimum(self._counts[used, :size], counts[used, None])
        # A text has fewer than 65,536 characters, so the sum does not overflow.
        total: Numbers = common.sum(axis=0, dtype=np.uint16)
        return total.astype(np.int64)

    def _longest(self, k: int, reduced: str, near: Numbers) -> Numbers:
        """Return the longest common subsequence with some texts, within a class."""
        texts = self._reduced[k]
        select = len(near) < _MOST * len(texts)
        others = [texts[index] for index in near.tolist()] if select else texts
        found: Numbers = cdist(
            [reduced], others, scorer=LCSseq.similarity, dtype=np.int32
        )[0]
        return found if select else found[near]


class _OtherClasses(dict[int, int | None]):
    """A table for ``str.translate`` that deletes the characters of other classes."""

    def __init__(self, k: int) -> None:
        self._k = k

    def __missing__(self, code: int) -> int | None:
        own = _CLASS_OF_BUCKET[code % _BUCKETS] == self._k
        self[code] = code if own else None
        return self[code]


def _class_of(bucket: int) -> int:
    letter = chr(bucket).lower()
    known = (k for k, letters in enumerate(_LETTERS) if letter in letters)
    return next(known, bucket % _CLASSES)


# Characters that share a bucket share a class; they only raise the bounds.
_CLASS_OF_BUCKET = np.array([_class_of(bucket) for bucket in range(_BUCKETS)])
_TABLES = [_OtherClasses(k) for k in range(_CLASSES)]


def _reduce(text: str) -> list[str]:
    return [text.translate(table) for table in _TABLES]


def _count(text: str) -> Numbers:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.bincount(codes % _BUCKETS, minlength=_BUCKETS).astype(np.uint16)
