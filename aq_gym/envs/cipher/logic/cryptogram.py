"""The state of an episode."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from aq_gym.envs.cipher.logic.alphabet import letters
from aq_gym.envs.cipher.logic.ciphers import Key
from aq_gym.envs.cipher.logic.instance import Instance
from aq_gym.envs.cipher.logic.similarity import similarity


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
