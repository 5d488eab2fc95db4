"""Statistics of a ciphertext, and the similarity of two texts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from aq_gym.envs.cipher.logic.alphabet import ALPHABET

# The similarity of texts that have nothing to do with each other: 99% of pairs of the
# grammar's own texts are below it, and all English of other origin that was tried
# (benchmarks/cipher_similarity.py).
UNRELATED = 0.38


def similarity(guess: bytes, plaintext: bytes) -> float:
    """Return the normalised Levenshtein similarity of two texts' letters, 0.0 to 1.0.

    It is 1 minus the Levenshtein distance by the length of the longer one.
    """
    return Levenshtein.normalized_similarity(guess, plaintext)


def share(value: float, threshold: float) -> float:
    """Return a similarity as progress: 0.0 for unrelated texts, 1.0 at the threshold.

    Args:
        value: The similarity, 0.0 to 1.0.
        threshold: The similarity that counts as solved, above ``UNRELATED``.
    """
    return min(1.0, max(0.0, (value - UNRELATED) / (threshold - UNRELATED)))


_PLACES = 27
# A letter's place in the alphabet; everything else comes after it.
_PLACE_OF = np.full(256, 26, dtype=np.intp)
_PLACE_OF[list(ALPHABET.encode())] = range(26)
_PLACE_OF[list(ALPHABET.upper().encode())] = range(26)


def column(text: str, start: int, period: int) -> str:
    """Return every ``period``-th character of a text from a start, counted from 1."""
    return text[start - 1 :: period]


def frequencies(text: str) -> list[tuple[str, int]]:
    """Count letters, the commonest first and equal counts by the alphabet.

    Args:
        text: ASCII.

    Returns:
        The letters that occur, each with its count.
    """
    count = text.lower().count
    found = [(-count(letter), letter) for letter in ALPHABET]
    return [(letter, -number) for number, letter in sorted(found) if number]


def coincidence(text: str, period: int) -> float:
    """Return the index of coincidence of a text's columns, pooled over all of them.

    It is the chance that two letters drawn from one column are equal: about 0.066 for
    English under one substitution, 0.038 for letters drawn evenly (Friedman, "The Index
    of Coincidence and Its Applications in Cryptography", 1922).

    Args:
        text: ASCII.
        period: The number of columns, at least 1.
    """
    places = _PLACE_OF[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]
    counted = np.bincount(
        places + _starts(len(text), period), minlength=period * _PLACES
    )
    table = counted.reshape(period, _PLACES)[:, :26]
    totals = table.sum(axis=1)
    pairs = int(totals @ totals - totals.sum())
    equal = int((table * table).sum() - totals.sum())
    return equal / pairs if pairs else 0.0


@lru_cache(maxsize=256)
def _starts(length: int, period: int) -> NDArray[np.intp]:
    return np.arange(length) % period * _PLACES
