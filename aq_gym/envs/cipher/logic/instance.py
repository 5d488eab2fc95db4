"""An instance (a text, a cipher and a key), and the state of its game."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import numpy as np

from aq_gym.core.splits import draw
from aq_gym.envs.cipher.logic.alphabet import letters
from aq_gym.envs.cipher.logic.ciphers import CIPHERS, CipherName, Key
from aq_gym.envs.cipher.logic.grammar import grammar
from aq_gym.envs.cipher.logic.keys import Sizes, draw_key, read_key, write_key
from aq_gym.envs.cipher.logic.statistics import similarity

_LONGEST_ID = 400
_GIVEN = "given"


class Instance(NamedTuple):
    """One text and how it is enciphered.

    Attributes:
        cipher: The cipher.
        key: Its key.
        numbers: The sentences of the grammar; none for a given text.
        given: The text that a user gave.
    """

    cipher: CipherName
    key: Key
    numbers: tuple[int, ...]
    given: str = ""

    @property
    def plaintext(self) -> str:
        """The text before enciphering."""
        return self.given or grammar().text(self.numbers)

    @property
    def text_id(self) -> str:
        """The numbers of the sentences as one word."""
        return _GIVEN if self.given else ".".join(map(str, self.numbers))

    @property
    def task_id(self) -> str:
        """The cipher, its key and the text as one word."""
        return f"{self.cipher}-{write_key(self.key)}-{self.text_id}"


def draw_instance(
    ciphers: tuple[CipherName, ...],
    band: Sizes,
    size: int,
    rng: np.random.Generator,
    split: str = "all",
    given: str = "",
) -> Instance:
    """Draw a text, a cipher and a key.

    Args:
        ciphers: Those to choose from.
        band: "easy" or "hard" keys, or their size.
        size: The number of sentences.
        rng: The source of randomness.
        split: The split that every sentence belongs to.
        given: The text, which is then not drawn.
    """
    size = 0 if given else size
    numbers = tuple(draw(lambda: grammar().draw(rng), str, split) for _ in range(size))
    cipher = ciphers[int(rng.integers(len(ciphers)))]
    return Instance(cipher, draw_key(cipher, band, rng), numbers, given)


def read_instance(task_id: str, given: str = "") -> Instance | None:
    """Parse a ``task_id`` into an instance, or return None.

    Args:
        task_id: The name of an instance.
        given: The text that the user gave.
    """
    cipher, _, rest = task_id[:_LONGEST_ID].partition("-")
    key_text, _, text_id = rest.partition("-")
    if cipher not in CIPHERS:
        return None
    key = read_key(cipher, key_text)
    numbers = () if given else _read_numbers(text_id)
    if key is None or numbers is None:
        return None
    instance = Instance(cipher, key, numbers, given)
    return instance if instance.task_id == task_id else None


def _read_numbers(text: str) -> tuple[int, ...] | None:
    parts = text.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        return None
    numbers = tuple(map(int, parts))
    return numbers if max(numbers) < grammar().count else None


class Marks(NamedTuple):
    """The part of an episode that changes.

    Attributes:
        similarity: That of the last guess, 0.0 before the first.
        guessed: A checksum of each guess's letters, in order, each once.
        uncovered: Whether a computation with the right key showed the text.
    """

    similarity: float = 0.0
    guessed: tuple[int, ...] = ()
    uncovered: bool = False


class Cryptogram:
    """An enciphered text, and the guesses so far."""

    def __init__(self, instance: Instance, marks: Marks | None = None) -> None:
        self.instance = instance
        self.plaintext = instance.plaintext
        self.ciphertext = instance.key.encipher(self.plaintext)
        self.marks = Marks() if marks is None else marks
        self._letters = letters(self.plaintext)

    def guess(self, text: str, near: float | None = None) -> float:
        """Make a guess and return its similarity to the text, 0.0 to 1.0.

        Args:
            text: The guess.
            near: Its similarity by another measure than that of the letters.
        """
        guess = letters(text)
        if near is None:
            near = similarity(guess, self._letters)
        guessed = self.marks.guessed
        checksum = crc32(guess)
        if checksum not in guessed:
            guessed = (*guessed, checksum)
        self.marks = Marks(near, guessed, self.marks.uncovered)
        return near

    def was_guessed(self, text: str) -> bool:
        """Return whether a text with these letters was a guess."""
        return crc32(letters(text)) in self.marks.guessed

    def decipher(self, key: Key) -> str:
        """Return the ciphertext deciphered with any key."""
        text = key.decipher(self.ciphertext)
        if not self.marks.uncovered and letters(text) == self._letters:
            self.marks = self.marks._replace(uncovered=True)
        return text
