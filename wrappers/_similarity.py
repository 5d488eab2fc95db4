"""The similarities by which actions are compared: rapidfuzz, or anybody's function."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.process import cdist

from aq_gym.wrappers._reference import resolve


class HighestSimilarity(Protocol):
    """The highest similarity of a text to others; any lower one if below the cutoff."""

    def __call__(self, text: str, others: list[str], cutoff: float) -> float: ...


def highest_similarity(
    similarity: str | Callable[[str, str], float],
) -> HighestSimilarity:
    """Return what compares a text with others.

    Args:
        similarity: "levenshtein", "token_set", or a function of two texts as a
            callable or "module:function".

    Raises:
        TypeError: If it is no function.
        ValueError: If it is another word, or nothing is found under that name.
    """
    # Functions of this module and not the scorers: those cannot be pickled.
    if similarity == "levenshtein":
        return _highest_levenshtein
    if similarity == "token_set":
        return _highest_token_set
    if isinstance(similarity, str) and ":" not in similarity:
        raise ValueError(
            f"similarity={similarity!r} is not 'levenshtein', 'exact', 'token_set', "
            "'module:function' or a callable"
        )
    return partial(_highest_by_calls, resolve(similarity, "similarity"))


def _highest_levenshtein(text: str, others: list[str], cutoff: float) -> float:
    return _highest_score(text, others, Indel.normalized_similarity, cutoff)


def _highest_token_set(text: str, others: list[str], cutoff: float) -> float:
    return _highest_score(text, others, token_set_ratio, 100.0 * cutoff) / 100.0


def _highest_by_calls(
    similarity: Callable[[str, str], float],
    text: str,
    others: list[str],
    cutoff: float,
) -> float:
    return max(similarity(text, other) for other in others)


def _highest_score(
    text: str, others: list[str], scorer: Callable[..., Any], cutoff: float
) -> float:
    # cdist takes 0.6 of the time of extractOne here. Its default, float32, would
    # round a score to the other side of the threshold. The cutoff only saves time and
    # is a little lower, because rapidfuzz gives 0 for a score that just reaches it:
    # Indel.normalized_similarity("b c d", "a b c") is 0.6, but 0 with score_cutoff=0.6.
    scores = cdist(
        [text], others, scorer=scorer, score_cutoff=cutoff * 0.999, dtype=np.float64
    )
    return float(scores.max())
