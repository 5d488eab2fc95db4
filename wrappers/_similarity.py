"""The similarities of actions: those of rapidfuzz, or a user's function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.process import cdist, extractOne

from aq_gym.trajectory.references import resolve
from aq_gym.wrappers._text_index import TextIndex

# The time of a comparison grows with the product of the lengths.
LONGEST_COMPARED = 2_000
# Up to this length, comparing takes less time than the index.
_SHORT = 64
# The cutoff only saves time, and rapidfuzz returns 0 for a score that equals it:
# Indel.normalized_similarity("b c d", "a b c") is 0.6, but 0 with a cutoff of 0.6.
_A_LITTLE_LOWER = 0.999
# Up to this number of texts, extractOne takes less time than cdist, and with more texts
# up to 1.7 times as much.
_FEW = 96
# The comparison ends after the first block with a match.
_BLOCK = 1_024


class Compared(Protocol):
    """A collection of texts with which others are compared."""

    def add(self, text: str) -> None:
        """Add a text."""

    def reached(self, text: str, threshold: float) -> bool:
        """Return whether the similarity of a text to any of them is high enough.

        Args:
            text: The text.
            threshold: The similarity that is high enough, greater than 0.
        """


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

    def reached(self, text: str, threshold: float) -> bool:
        text = text[:LONGEST_COMPARED]
        if _any_reaches(text, self._short, Indel.normalized_similarity, threshold):
            return True
        others = self._long.near(text, _A_LITTLE_LOWER * threshold)
        return _any_reaches(text, others, Indel.normalized_similarity, threshold)


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

    def reached(self, text: str, threshold: float) -> bool:
        text = text[:LONGEST_COMPARED]
        scorer = Indel.normalized_similarity
        return _any_reaches(text, self._others, scorer, threshold)


class _ByTokenSet(_Latest):
    def reached(self, text: str, threshold: float) -> bool:
        text = text[:LONGEST_COMPARED]
        return _any_reaches(text, self._others, token_set_ratio, threshold, 100.0)


class _ByCalls(_Latest):
    _longest = None

    def __init__(
        self, window: int | None, similarity: Callable[[str, str], float]
    ) -> None:
        super().__init__(window)
        self._similarity = similarity

    def reached(self, text: str, threshold: float) -> bool:
        return any(self._similarity(text, other) >= threshold for other in self._others)


def _any_reaches(
    text: str,
    others: Sequence[str],
    scorer: Callable[..., Any],
    threshold: float,
    best: float = 1.0,
) -> bool:
    """Return whether a score, over the best possible one, reaches the threshold."""
    if not others:
        return False
    cutoff = _A_LITTLE_LOWER * threshold * best
    if len(others) <= _FEW:
        found = extractOne(text, others, scorer=scorer, score_cutoff=cutoff)
        return found is not None and found[1] / best >= threshold
    # The latest first: an agent often repeats one of them.
    for end in range(len(others), 0, -_BLOCK):
        block = others[max(0, end - _BLOCK) : end]
        # The default dtype, float32, would round scores across the threshold.
        scores = cdist(
            [text], block, scorer=scorer, score_cutoff=cutoff, dtype=np.float64
        )
        if scores.item(scores.argmax()) / best >= threshold:
            return True
    return False
