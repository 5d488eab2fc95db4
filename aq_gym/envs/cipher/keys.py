"""Draw, format and parse the keys of each cipher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from aq_gym.envs.cipher.ciphers import (
    ALPHABET,
    FACTORS,
    SQUARE_SYMBOLS,
    Adfgvx,
    Affine,
    Atbash,
    Caesar,
    CipherName,
    Key,
    RailFence,
    Vigenere,
)

Difficulty: TypeAlias = Literal["easy", "hard"]
# A difficulty, or a number of letters or rails.
KeySizes: TypeAlias = Difficulty | int

# The minimum and maximum of letters or rails of a key. "hard" has AgentQuest's sizes.
_SIZES: dict[str, dict[str, tuple[int, int]]] = {
    "vigenere": {"easy": (3, 8), "hard": (10, 20)},
    "railfence": {"easy": (2, 8), "hard": (2, 15)},
    "adfgvx": {"easy": (3, 5), "hard": (6, 6)},
}
# The sizes that a user can choose.
SIZES: dict[str, range] = {
    "vigenere": range(1, 21),
    "railfence": range(2, 21),
    "adfgvx": range(2, 9),
}
_NO_KEY = "none"


def key_size(cipher: CipherName, sizes: KeySizes) -> tuple[int, int]:
    """Return the minimum and maximum of letters or rails of a key.

    Args:
        cipher: "vigenere", "railfence" or "adfgvx"; the others have one size.
        sizes: "easy", "hard" or a size.
    """
    return (sizes, sizes) if isinstance(sizes, int) else _SIZES[cipher][sizes]


def grade(cipher: CipherName, sizes: KeySizes) -> Difficulty:
    """Return a difficulty unchanged, and for a size the difficulty it belongs to."""
    if not isinstance(sizes, int):
        return sizes
    return "easy" if sizes <= _SIZES[cipher]["easy"][1] else "hard"


def draw_key(cipher: CipherName, sizes: KeySizes, rng: np.random.Generator) -> Key:
    """Draw a key: first its size, then the key, uniformly."""
    if cipher == "atbash":
        return Atbash()
    if cipher == "caesar":
        return Caesar(int(rng.integers(1, 26)))
    if cipher == "affine":
        # With the factor 1 the cipher would be Caesar's.
        factor = FACTORS[int(rng.integers(1, len(FACTORS)))]
        return Affine(factor, int(rng.integers(26)))
    fewest, most = key_size(cipher, sizes)
    size = int(rng.integers(fewest, most + 1))
    if cipher == "railfence":
        return RailFence(size)
    if cipher == "vigenere":
        # A keyword that consists of the letter a would change nothing.
        keyword = ""
        while not keyword.strip("a"):
            keyword = "".join(ALPHABET[i] for i in rng.integers(26, size=size))
        return Vigenere(keyword)
    square = "".join(SQUARE_SYMBOLS[i] for i in rng.permutation(36))
    keyword = "".join(ALPHABET[i] for i in rng.permutation(26)[:size])
    return Adfgvx(square, keyword)


def write_key(key: Key) -> str:
    """Format a key as one word, which ``read_key`` parses."""
    if isinstance(key, Atbash):
        return _NO_KEY
    assert isinstance(key, tuple)
    return ".".join(map(str, key))


def read_key(cipher: CipherName, text: str) -> Key | None:
    """Parse the result of ``write_key``; None for any other text."""
    key = _READERS[cipher](text.split("."))
    return key if key is not None and write_key(key) == text else None


def key_has_size(key: Key, cipher: CipherName, sizes: KeySizes) -> bool:
    """Return whether ``draw_key`` can draw a key."""
    if cipher not in _SIZES:
        return True
    fewest, most = key_size(cipher, sizes)
    if isinstance(key, RailFence):
        return fewest <= key.rails <= most
    assert isinstance(key, Vigenere | Adfgvx)
    return fewest <= len(key.keyword) <= most


def _number(text: str, fewest: int, most: int) -> int | None:
    # Longer numbers are too large, and int() refuses very long ones.
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        return None
    return int(text) if fewest <= int(text) <= most else None


def _read_caesar(parts: list[str]) -> Key | None:
    shift = _number(parts[0], 1, 25)
    return None if shift is None or len(parts) != 1 else Caesar(shift)


def _read_affine(parts: list[str]) -> Key | None:
    if len(parts) != 2:
        return None
    factor, offset = _number(parts[0], 3, 25), _number(parts[1], 0, 25)
    if factor not in FACTORS or offset is None:
        return None
    return Affine(factor, offset)


def _read_vigenere(parts: list[str]) -> Key | None:
    keyword = parts[0]
    lettered = bool(keyword.strip("a")) and set(keyword) <= set(ALPHABET)
    return Vigenere(keyword) if lettered and len(parts) == 1 else None


def _read_railfence(parts: list[str]) -> Key | None:
    rails = _number(parts[0], 2, 99)
    return None if rails is None or len(parts) != 1 else RailFence(rails)


def _read_adfgvx(parts: list[str]) -> Key | None:
    if len(parts) != 2 or sorted(parts[0]) != sorted(SQUARE_SYMBOLS):
        return None
    keyword = parts[1]
    lettered = bool(keyword) and set(keyword) <= set(ALPHABET)
    distinct = len(set(keyword)) == len(keyword)
    return Adfgvx(parts[0], keyword) if lettered and distinct else None


def _read_atbash(parts: list[str]) -> Key | None:
    return Atbash() if parts == [_NO_KEY] else None


_READERS: dict[CipherName, Callable[[list[str]], Key | None]] = {
    "caesar": _read_caesar,
    "atbash": _read_atbash,
    "affine": _read_affine,
    "vigenere": _read_vigenere,
    "railfence": _read_railfence,
    "adfgvx": _read_adfgvx,
}
