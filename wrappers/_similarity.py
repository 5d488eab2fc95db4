"""The similarities of actions: those of rapidfuzz, or a user's function."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.process import cdist

from aq_gym.trajectory.references import resolve
from aq_gym.wrappers._text_index import TextIndex

# The time of a comparison grows with the product of the lengths.
LONGEST_COMPARED = 2_000
# Up to this length, comparing takes less time than the index.
_SHORT = 64


class Compared(Protocol):
    """A collection of texts with which others are compared."""

    def add(self, text: str) -> None:
        """Add a text."""

    def highest(self, text: str, cutoff: float) -> float:
        """Return the highest similarity of a text, or any value below the cutoff."""


def compared_by(
    similarity: str | Callable[[str, str], float], window: int | None = None
) -> Callable[[], Compared]:
    """Return a function that creates an empty collection for a similarity.

    Args:
        similarity: "levenshtein", "token_set", or a function of two texts as a
            callable or "module:function".
        window: The number of texts to keep, the latest; None for all.

    Raises:
        TypeError: If it is not a function.
        ValueError: If it is another word, or the function is not found.
    """
    # Classes of this module, because rapidfuzz's scorers cannot be pickled.
    if similarity == "levenshtein":
        return _ByLevenshtein if window is None else partial(_Latest, window)
    if similarity == "token_set":
        return partial(_ByTokenSet, window)
    if isinstance(similarity, str) and ":" not in similarity:
        raise ValueError(
            f"similarity={similarity!r} is not 'levenshtein', 'exact', 'token_set', "
            "'module:function' or a callable"
        )
    return partial(_ByCalls, window, resolve(similarity, "similarity"))


class _ByLevenshtein:
    def __init__(self) -> None:
        self._short: list[str] = []
        self._long = TextIndex()

    def add(self, text: str) -> None:
        text = text[:LONGEST_COMPARED]
        if len(text) > _SHORT:
            self._long.add(text)
        else:
            self._short.append(text)

    def highest(self, text: str, cutoff: float) -> float:
        text = text[:LONGEST_COMPARED]
        cutoff = _a_little_lower(cutoff)
        others = self._short + self._long.near(text, cutoff)
        return _highest_score(text, others, Indel.normalized_similarity, cutoff)


class _Latest:
    """All texts or the latest ones, without an index."""

    _longest: int | None = LONGEST_COMPARED

    def __init__(self, window: int | None) -> None:
        self._window = window
        self._others: list[str] = []

    def add(self, text: str) -> None:
        self._others.append(text[: self._longest])
        if self._window is not None:
            del self._others[: -self._window]

    def highest(self, text: str, cutoff: float) -> float:
        text, cutoff = text[:LONGEST_COMPARED], _a_little_lower(cutoff)
        return _highest_score(text, self._others, Indel.normalized_similarity, cutoff)


class _ByTokenSet(_Latest):
    def highest(self, text: str, cutoff: float) -> float:
        text = text[:LONGEST_COMPARED]
        cutoff = 100.0 * _a_little_lower(cutoff)
        return _highest_score(text, self._others, token_set_ratio, cutoff) / 100.0


class _ByCalls(_Latest):
    _longest = None

    def __init__(
        self, window: int | None, similarity: Callable[[str, str], float]
    ) -> None:
        super().__init__(window)
        self._similarity = similarity

    def highest(self, text: str, cutoff: float) -> float:
        scores = (self._similarity(text, other) for other in self._others)
        return max(scores, default=0.0)


def _a_little_lower(cutoff: float) -> float:
    # The cutoff only saves time, and rapidfuzz returns 0 for a score that equals it:
    # Indel.normalized_similarity("b c d", "a b c") is 0.6, but 0 with a cutoff of 0.6.
    return 0.999 * cutoff


def _highest_score(
    text: str, others: list[str], scorer: Callable[..., Any], cutoff: float
) -> float:
    if not others:
        return 0.0
    # cdist takes 0.6 of the time of extractOne. Its default dtype, float32, would round
    # scores across the threshold.
    scores = cdist([text], others, scorer=scorer, score_cutoff=cutoff, dtype=np.float64)
    return float(scores.max())
