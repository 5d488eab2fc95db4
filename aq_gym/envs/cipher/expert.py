"""The reference policy, which breaks ciphers by the frequencies of English trigrams."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from aq_gym.envs.cipher.ciphers import (
    ALPHABET,
    FACTORS,
    Affine,
    Atbash,
    Caesar,
    CipherName,
    Key,
    RailFence,
    Vigenere,
)
from aq_gym.envs.cipher.keys import KeySizes, key_size
from aq_gym.support.data import packaged_text

Codes = NDArray[np.intp]
Costs = NDArray[np.float64]

# The code of every character that is not a letter; a to z have the codes 0 to 25.
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
    """Return a score for each of several texts, higher for more likely texts.

    A score is the sum of the logarithms of the trigrams' frequencies, in steps of 0.2.
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
    text = packaged_text("aq_gym.envs.cipher", "data/trigrams.txt")
    packed = text.replace("\n", "").encode()
    return np.frombuffer(packed, dtype=np.uint8).astype(np.float64) - _FIRST_COST


@lru_cache(maxsize=1)
def _code_table() -> Codes:
    table = np.full(256, OTHER, dtype=np.intp)
    for first in b"aA":
        table[first : first + 26] = range(26)
    return table


# The search for a keyword restarts from the best keywords of the most likely lengths.
_LENGTHS_IMPROVED = 3
_KICKS = 12
_KICKED_SHARE = 0.3


def can_break(cipher: CipherName) -> bool:
    """Return whether the expert can break a cipher without the key.

    It breaks all ciphers but ADFGVX.
    """
    return cipher != "adfgvx"


@lru_cache(maxsize=64)
def plaintexts(cipher: CipherName, sizes: KeySizes, ciphertext: str) -> tuple[str, ...]:
    """Return possible plaintexts of a ciphertext, the most likely first.

    It uses only information that the agent has.
    """
    texts = [key.decipher(ciphertext) for key in _KEYS[cipher](sizes, ciphertext)]
    scores = score_all(np.stack([codes(text) for text in texts]))
    ranked = (texts[i] for i in np.argsort(-scores, kind="stable"))
    return tuple(dict.fromkeys(ranked))


def _caesar(sizes: KeySizes, ciphertext: str) -> Iterable[Key]:
    return map(Caesar, range(1, 26))


def _atbash(sizes: KeySizes, ciphertext: str) -> Iterable[Key]:
    return (Atbash(),)


def _affine(sizes: KeySizes, ciphertext: str) -> Iterable[Key]:
    return (Affine(factor, offset) for factor in FACTORS[1:] for offset in range(26))


def _rail_fence(sizes: KeySizes, ciphertext: str) -> Iterable[Key]:
    fewest, most = key_size("railfence", sizes)
    return map(RailFence, range(fewest, most + 1))


def _vigenere(sizes: KeySizes, ciphertext: str) -> Iterable[Key]:
    """Yield good keywords of every length, and more for the most likely lengths."""
    fewest, most = key_size("vigenere", sizes)
    text = codes(ciphertext)
    found = [_climb(text, _first_shifts(text, n)) for n in range(fewest, most + 1)]
    found.sort(reverse=True)
    rng = np.random.default_rng(0)
    for score, shifts in found[:_LENGTHS_IMPROVED]:
        best = score, shifts
        for _ in range(_KICKS):
            best = max(best, _climb(text, _kicked(best[1], rng)))
        found.append(best)
    for _, shifts in found:
        yield Vigenere("".join(ALPHABET[shift] for shift in shifts))


def _climb(text: Codes, shifts: list[int]) -> tuple[float, list[int]]:
    """Improve a keyword letter by letter (hill climbing); return its score too."""
    shifts = list(shifts)
    width = len(shifts)
    best = float(score_all(_deciphered(text, shifts)[None])[0])
    place = unchanged = 0
    while unchanged < width:
        # The texts for all 26 letters at one position of the keyword.
        plain = np.tile(_deciphered(text, shifts), (26, 1))
        column = plain[:, place::width]
        moved = (column + np.arange(26)[:, None]) % 26
        plain[:, place::width] = np.where(column == OTHER, OTHER, moved)
        scores = score_all(plain)
        top = int(np.argmax(scores))
        unchanged += 1
        if scores[top] > best:
            best, unchanged = float(scores[top]), 1
            shifts[place] = (shifts[place] - top) % 26
        place = (place + 1) % width
    return best, shifts


def _kicked(shifts: list[int], rng: np.random.Generator) -> list[int]:
    """Return a keyword with some letters replaced at random."""
    drawn = rng.integers(26, size=len(shifts))
    kept = rng.random(len(shifts)) >= _KICKED_SHARE
    return [
        int(a if keep else b) for a, b, keep in zip(shifts, drawn, kept, strict=True)
    ]


def _first_shifts(text: Codes, width: int) -> list[int]:
    return [_shift(text[start::width]) for start in range(width)]


def _shift(column: Codes) -> int:
    """Return the Caesar shift that makes a column's letters most likely."""
    counts = np.bincount(column, minlength=OTHER + 1)[:OTHER]
    costs = [float(np.roll(counts, -shift) @ letter_costs()) for shift in range(26)]
    return int(np.argmin(costs))


def _deciphered(text: Codes, shifts: list[int]) -> Codes:
    keys = np.resize(np.array(shifts), len(text))
    return np.where(text == OTHER, OTHER, (text - keys) % 26)


_KEYS: dict[CipherName, Callable[[KeySizes, str], Iterable[Key]]] = {
    "caesar": _caesar,
    "atbash": _atbash,
    "affine": _affine,
    "vigenere": _vigenere,
    "railfence": _rail_fence,
}
