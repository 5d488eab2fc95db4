"""A model of English letters, for the expert."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

__all__ = ["OTHER", "codes", "letter_costs", "score_all"]

Codes = NDArray[np.intp]
Costs = NDArray[np.float64]

# The code of everything that is not a letter, after those of a to z.
OTHER = 26
_SYMBOLS = 27
_FIRST_COST = 33


def codes(text: str) -> Codes:
    """Return a text's letters as numbers, 0 to 25, and ``OTHER`` for the rest.

    Args:
        text: ASCII.
    """
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return _code_table()[data]


def score_all(texts: Codes) -> Costs:
    """Return a score for each of several texts, higher for likelier ones.

    It is the sum of the logarithms of their trigrams' frequencies, in steps of 0.2.
    """
    pairs = texts[:, :-2] * _SYMBOLS + texts[:, 1:-1]
    costs: Costs = _trigram_costs()[pairs * _SYMBOLS + texts[:, 2:]].sum(axis=1)
    return -costs


@lru_cache(maxsize=1)
def letter_costs() -> Costs:
    """Return the negative logarithm of every letter's frequency."""
    weights = np.exp(-0.2 * _trigram_costs().reshape(-1, _SYMBOLS, _SYMBOLS))
    shares = weights.sum(axis=(1, 2))[:OTHER]
    result: Costs = -np.log(shares / shares.sum())
    return result


@lru_cache(maxsize=1)
def _trigram_costs() -> Costs:
    source = files("aq_gym.envs.cipher").joinpath("data/trigrams.txt")
    packed = source.read_bytes().replace(b"\n", b"")
    return np.frombuffer(packed, dtype=np.uint8).astype(np.float64) - _FIRST_COST


@lru_cache(maxsize=1)
def _code_table() -> Codes:
    table = np.full(256, OTHER, dtype=np.intp)
    for first in b"aA":
        table[first : first + 26] = range(26)
    return table
