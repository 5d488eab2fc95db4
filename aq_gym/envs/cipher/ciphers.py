"""The six ciphers, each a key that enciphers and deciphers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
SQUARE_SYMBOLS = f"{ALPHABET}0123456789"
_COORDINATES = "ADFGVX"
_ROWS = bytes.maketrans(_COORDINATES.encode(), bytes(range(0, 36, 6)))
_COLUMNS = bytes.maketrans(_COORDINATES.encode(), bytes(range(6)))
_NOT_LETTERS = bytes(set(range(256)) - set(ALPHABET.encode()))

CipherName: TypeAlias = Literal[
    "caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx"
]
CIPHERS: tuple[CipherName, ...] = get_args(CipherName)

# The numbers below 26 that are coprime to 26.
FACTORS = (1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25)


class Key(Protocol):
    """A key of some cipher.

    Texts are ASCII. ``encipher`` and ``decipher`` are inverse on every text, except for
    ADFGVX, which keeps only the letters and digits.
    """

    def encipher(self, text: str) -> str:
        """Return the ciphertext of a plaintext."""

    def decipher(self, text: str) -> str:
        """Return the plaintext of a ciphertext."""


class Affine(NamedTuple):
    """The letter x becomes ``factor * x + offset`` modulo 26.

    Attributes:
        factor: One of ``FACTORS``.
        offset: 0 to 25.
    """

    factor: int
    offset: int

    def encipher(self, text: str) -> str:
        """Return the ciphertext of a plaintext."""
        return _translate(text, substitution(self.factor, self.offset))

    def decipher(self, text: str) -> str:
        """Return the plaintext of a ciphertext."""
        inverse = pow(self.factor, -1, 26)
        return _translate(text, substitution(inverse, -inverse * self.offset % 26))


class Caesar(NamedTuple):
    """Each letter moves a fixed number of places down the alphabet.

    Attributes:
        shift: 1 to 25.
    """

    shift: int

    def encipher(self, text: str) -> str:
        """Return the ciphertext of a plaintext."""
        return _translate(text, substitution(1, self.shift % 26))

    def decipher(self, text: str) -> str:
        """Return the plaintext of a ciphertext."""
        return _translate(text, substitution(1, -self.shift % 26))


class Atbash(NamedTuple):
    """The alphabet is reversed; there is no key."""

    def encipher(self, text: str) -> str:
        """Return the ciphertext of a plaintext."""
        return _translate(text, substitution(25, 25))

    def decipher(self, text: str) -> str:
        """Return the plaintext of a ciphertext."""
        return self.encipher(text)


class Vigenere(NamedTuple):
    """Each character is shifted by the next letter of a repeated keyword.

    As in AgentQuest, characters that are not letters stay as they are but use up a
    letter of the keyword too.
    """

    keyword: str

    def encipher(self, text: str) -> str:
        """Return the ciphertext of a plaintext."""
        return self._shift(text, 1)

    def decipher(self, text: str) -> str:
        """Return the plaintext of a ciphertext."""
        return self._shift(text, -1)

    def _shift(self, text: str, sign: int) -> str:
        data = bytearray(text, "ascii")
        width = len(self.keyword)
        for start, letter in enumerate(self.keyword):
            table = substitution(1, sign * ALPHABET.index(letter) % 26)
            data[start::width] = data[start::width].translate(table)
        return data.decode("ascii")


class RailFence(NamedTuple):
    """The characters are written in a zigzag over rails and read rail by rail.

    Attributes:
        rails: At least 2.
    """

    rails: int

    def encipher(self, text: str) -> str:
        """Return the ciphertext of a plaintext."""
        order = rail_fence(len(text), self.rails)
        return order.apply(text.encode("ascii")).decode("ascii")

    def decipher(self, text: str) -> str:
        """Return the plaintext of a ciphertext."""
        order = rail_fence(len(text), self.rails)
        return order.undo(text.encode("ascii")).decode("ascii")


class Adfgvx(NamedTuple):
    """Letters become coordinates in a square, whose columns are then transposed.

    Attributes:
        square: The 26 letters and 10 digits, row by row.
        keyword: The letters that order the columns.
    """

    square: str
    keyword: str

    def encipher(self, text: str) -> str:
        """Return the coordinates of the letters and digits, transposed."""
        written = square(self.square).write(text)
        order = columnar(len(written), self.keyword)
        return order.apply(written).decode("ascii")

    def decipher(self, text: str) -> str:
        """Return the letters and digits; spaces, marks and case are lost."""
        order = columnar(len(text), self.keyword)
        return square(self.square).read(order.undo(text.encode("ascii")))


def _translate(text: str, table: bytes) -> str:
    return text.encode("ascii").translate(table).decode("ascii")


class Transposition:
    """A rearrangement of the texts of one length.

    Args:
        order: The positions of the text in the order in which they are written; at
            least two.
    """

    def __init__(self, order: Sequence[int]) -> None:
        inverse = sorted(range(len(order)), key=order.__getitem__)
        self._apply, self._undo = itemgetter(*order), itemgetter(*inverse)

    def apply(self, text: bytes) -> bytes:
        """Return the transposed text."""
        return bytes(self._apply(text))

    def undo(self, text: bytes) -> bytes:
        """Return the text for which ``apply`` returns this one."""
        return bytes(self._undo(text))


@lru_cache(maxsize=256)
def rail_fence(length: int, rails: int) -> Transposition:
    """Return the transposition of a rail fence.

    The text is written in a zigzag over the rails and read rail by rail.

    Args:
        length: The number of characters, at least 2.
        rails: At least 2.
    """
    period = 2 * rails - 2
    rail_of = [min(i % period, period - i % period) for i in range(length)]
    return Transposition(sorted(range(length), key=rail_of.__getitem__))


@lru_cache(maxsize=256)
def columnar(length: int, keyword: str) -> Transposition:
    """Return a columnar transposition.

    The text is written in rows under the keyword, and its columns are read in the
    alphabetical order of the keyword's letters; equal letters count from the left. The
    last row can be shorter.

    Args:
        length: The number of characters, at least 2.
        keyword: At least one letter.
    """
    width = len(keyword)
    columns = sorted(range(width), key=keyword.__getitem__)
    return Transposition([i for c in columns for i in range(c, length, width)])


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


class Square:
    """A square with the 26 letters and 10 digits.

    Args:
        symbols: The symbols, row by row.
    """

    def __init__(self, symbols: str) -> None:
        self._pairs = {
            symbol: _COORDINATES[i // 6] + _COORDINATES[i % 6]
            for i, symbol in enumerate(symbols)
        }
        self._symbols = bytes.maketrans(bytes(range(36)), symbols.encode("ascii"))

    def write(self, text: str) -> bytes:
        """Return the coordinates of a text's letters and digits."""
        written = "".join(self._pairs.get(symbol, "") for symbol in text.lower())
        return written.encode("ascii")

    def read(self, coordinates: bytes) -> str:
        """Return the symbols at coordinates, without an unpaired last coordinate."""
        length = len(coordinates) // 2
        rows = coordinates[: 2 * length : 2].translate(_ROWS)
        columns = coordinates[1::2].translate(_COLUMNS)
        # All bytes are added as one large number, because no sum of two bytes carries.
        places = int.from_bytes(rows, "big") + int.from_bytes(columns, "big")
        return places.to_bytes(length, "big").translate(self._symbols).decode("ascii")


@lru_cache(maxsize=64)
def square(symbols: str) -> Square:
    """Return the square with these symbols, row by row."""
    return Square(symbols)
