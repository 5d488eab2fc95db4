"""The six ciphers, each a key that enciphers and deciphers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

from aq_gym.envs.cipher.logic.alphabet import ALPHABET, substitution
from aq_gym.envs.cipher.logic.square import square

CipherName: TypeAlias = Literal[
    "caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx"
]
CIPHERS: tuple[CipherName, ...] = get_args(CipherName)

# The numbers below 26 that are coprime to it.
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
        """Return the text that ``apply`` transposed into this one."""
        return bytes(self._undo(text))


@lru_cache(maxsize=256)
def rail_fence(length: int, rails: int) -> Transposition:
    """Return the transposition of a rail fence.

    The text is written in a zigzag over the rails and read rail by rail.

    Args:
        length: Characters of the text, at least 2.
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
        length: Characters of the text, at least 2.
        keyword: At least one letter.
    """
    width = len(keyword)
    columns = sorted(range(width), key=keyword.__getitem__)
    return Transposition([i for c in columns for i in range(c, length, width)])
