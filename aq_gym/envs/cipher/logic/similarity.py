"""The similarity of a guess to the text."""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

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
