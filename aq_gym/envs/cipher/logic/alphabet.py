"""The letters that ciphers change and guesses are compared by."""

from __future__ import annotations

from functools import lru_cache

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_NOT_LETTERS = bytes(set(range(256)) - set(ALPHABET.encode()))


def letters(text: str) -> bytes:
    """Return a text's letters a to z, in lower case.

    Example:
        >>> letters("A red-hot Key.")
        b'aredhotkey'
    """
    return text.encode("ascii", "ignore").lower().translate(None, _NOT_LETTERS)


@lru_cache(maxsize=1024)
def substitution(factor: int, offset: int) -> bytes:
    """Return the table that replaces letter x by ``factor * x + offset`` modulo 26.

    Case is kept, and every other byte stays as it is.

    Args:
        factor: A number coprime to 26.
        offset: Any integer.

    Returns:
        A table for ``bytes.translate``.
    """
    table = bytearray(range(256))
    for first in b"aA":
        for x in range(26):
            table[first + x] = first + (factor * x + offset) % 26
    return bytes(table)
