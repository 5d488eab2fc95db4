"""Which of many texts may be like another one, told without comparing them."""

from __future__ import annotations

from typing import Any

import numpy as np

_BUCKETS = 128

Numbers = np.ndarray[Any, np.dtype[np.int64]]


class Shortlist:
    """Texts, and for each other text those that may reach a Levenshtein ratio with it.

    The ratio of two texts is twice the length of their longest common subsequence over
    their two lengths. That subsequence is no longer than the shorter text, and has no
    character more often than either has; from this the texts that cannot reach a ratio
    are told for all of them at once.
    """

    def __init__(self) -> None:
        """Begin with no text."""
        self.texts: list[str] = []
        self._profiled = 0
        self._lengths: Numbers = np.zeros(0, np.int64)
        self._counts: Numbers = np.zeros((0, _BUCKETS), np.int64)

    def near(self, text: str, ratio: float) -> list[str]:
        """Return at least the texts whose ratio with a text reaches a bound.

        Args:
            text: The text.
            ratio: The bound.
        """
        self._profile()
        most = np.minimum(self._lengths[: self._profiled], len(text))
        sums = self._lengths[: self._profiled] + len(text)
        (near,) = np.nonzero(2.0 * most >= ratio * sums)
        common = np.minimum(self._counts[near], _count(text)).sum(axis=1)
        near = near[2.0 * common >= ratio * sums[near]]
        return [self.texts[index] for index in near.tolist()]

    def _profile(self) -> None:
        missing = self.texts[self._profiled :]
        count = len(self.texts)
        if count > len(self._lengths):
            self._lengths = np.resize(self._lengths, 2 * count)
            self._counts = np.resize(self._counts, (2 * count, _BUCKETS))
        for index, text in enumerate(missing, self._profiled):
            self._lengths[index] = len(text)
            self._counts[index] = _count(text)
        self._profiled = count


def _count(text: str) -> Numbers:
    # Characters that share a bucket can only make the bound higher.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.bincount(codes % _BUCKETS, minlength=_BUCKETS)
