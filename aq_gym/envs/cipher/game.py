"""Texts, instances (a text, a cipher and a key), and the state of a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from aq_gym.core.splits import draw
from aq_gym.envs.cipher.ciphers import ALPHABET, CIPHERS, CipherName, Key, letters
from aq_gym.envs.cipher.keys import KeySizes, draw_key, read_key, write_key
from aq_gym.support.data import packaged_json

# The highest similarity of unrelated texts. It exceeds 99% of pairs of the grammar's
# own texts, and all other English texts that were tried.
UNRELATED = 0.38
_LONGEST_ID = 400
_GIVEN = "given"
_PARTS = ("subjects", "verbs", "objects", "settings", "connectives")
_TWO_CLAUSES = 1 / 3
_PLACES = 27
# Each letter's position in the alphabet, and 26 for other characters.
_PLACE_OF = np.full(256, 26, dtype=np.intp)
_PLACE_OF[list(ALPHABET.encode())] = range(26)
_PLACE_OF[list(ALPHABET.upper().encode())] = range(26)


@dataclass(frozen=True)
class Grammar:
    """Sentences of one clause with a setting, or of two connected clauses.

    The sentences are numbered from 0; sentences of one clause come first.

    Attributes:
        clauses: Every clause (subject, verb and object) as one text.
        settings: Phrases that say where, when or how.
        connectives: Words that connect two clauses.
    """

    clauses: tuple[str, ...]
    settings: tuple[str, ...]
    connectives: tuple[str, ...]

    @property
    def short_count(self) -> int:
        """The number of sentences of one clause."""
        return len(self.clauses) * len(self.settings)

    @property
    def count(self) -> int:
        """The number of all sentences."""
        two = self.short_count * len(self.connectives) * len(self.clauses)
        return self.short_count + two

    def draw(self, rng: np.random.Generator) -> int:
        """Draw a sentence: one clause or, in a third of the cases, two."""
        if rng.random() < _TWO_CLAUSES:
            return int(rng.integers(self.short_count, self.count))
        return int(rng.integers(self.short_count))

    def sentence(self, number: int) -> str:
        """Return the sentence with a number, 0 to ``count - 1``."""
        tail = ""
        if number >= self.short_count:
            number, clause = divmod(number - self.short_count, len(self.clauses))
            number, connective = divmod(number, len(self.connectives))
            tail = f" {self.connectives[connective]} {self.clauses[clause]}"
        clause, setting = divmod(number, len(self.settings))
        words = f"{self.clauses[clause]} {self.settings[setting]}{tail}."
        return words[0].upper() + words[1:]

    def text(self, numbers: tuple[int, ...]) -> str:
        """Return sentences by their numbers, as one text."""
        return " ".join(map(self.sentence, numbers))


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the packaged grammar."""
    words = packaged_json("aq_gym.envs.cipher", "data/grammar.json")
    subjects, verbs, objects, settings, connectives = (words[part] for part in _PARTS)
    clauses = tuple(
        f"{subject} {verb} {object_}"
        for subject in subjects
        for verb in verbs
        for object_ in objects
    )
    return Grammar(clauses, tuple(settings), tuple(connectives))


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
        """The numbers of the sentences, written as one word."""
        return _GIVEN if self.given else ".".join(map(str, self.numbers))

    @property
    def task_id(self) -> str:
        """The cipher, its key and the text, written as one word."""
        return f"{self.cipher}-{write_key(self.key)}-{self.text_id}"


def draw_instance(
    ciphers: tuple[CipherName, ...],
    sizes: KeySizes,
    sentences: int,
    rng: np.random.Generator,
    split: str = "all",
    given: str = "",
) -> Instance:
    """Draw a text, a cipher and a key.

    Args:
        ciphers: The ciphers to choose from.
        sizes: "easy" or "hard" keys, or their size.
        sentences: The number of sentences.
        rng: The source of randomness.
        split: The split to which every sentence must belong.
        given: A text to use instead of drawing one.
    """
    count = 0 if given else sentences
    numbers = tuple(draw(lambda: grammar().draw(rng), str, split) for _ in range(count))
    cipher = ciphers[int(rng.integers(len(ciphers)))]
    return Instance(cipher, draw_key(cipher, sizes, rng), numbers, given)


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
        similarity: The similarity of the last guess, 0.0 before the first.
        guessed: The checksums of the guesses' letters, in order, without duplicates.
        uncovered: Whether a computation with the right key showed the text.
    """

    similarity: float = 0.0
    guessed: tuple[int, ...] = ()
    uncovered: bool = False


class Cryptogram:
    """An enciphered text, and the guesses so far.

    Args:
        instance: The text and how it is enciphered.
        ciphertext: The ciphertext; None to encipher the text with the key.
        marks: The guesses so far; None for no guess.
    """

    def __init__(
        self,
        instance: Instance,
        ciphertext: str | None = None,
        marks: Marks | None = None,
    ) -> None:
        self.instance = instance
        self.plaintext = instance.plaintext
        if ciphertext is None:
            ciphertext = instance.key.encipher(self.plaintext)
        self.ciphertext = ciphertext
        self.marks = Marks() if marks is None else marks
        self._letters = letters(self.plaintext)

    def guess(self, text: str, near: float | None = None) -> float:
        """Make a guess and return its similarity to the text, 0.0 to 1.0.

        Args:
            text: The guess.
            near: Its similarity, if it is not measured by the letters.
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


def similarity(guess: bytes, plaintext: bytes) -> float:
    """Return the normalised Levenshtein similarity of two texts' letters, 0.0 to 1.0.

    It is 1 minus the Levenshtein distance divided by the length of the longer text.
    """
    return Levenshtein.normalized_similarity(guess, plaintext)


def share(value: float, threshold: float) -> float:
    """Return a similarity as progress: 0.0 for unrelated texts, 1.0 at the threshold.

    Args:
        value: The similarity, 0.0 to 1.0.
        threshold: The similarity that counts as solved, above ``UNRELATED``.
    """
    return min(1.0, max(0.0, (value - UNRELATED) / (threshold - UNRELATED)))


def column(text: str, start: int, period: int) -> str:
    """Return every ``period``-th character of a text; ``start`` counts from 1."""
    return text[start - 1 :: period]


def frequencies(text: str) -> list[tuple[str, int]]:
    """Count letters, the most common first, ties in alphabetical order.

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

    It is the probability that two letters drawn from one column are equal: about 0.066
    for English under one substitution, 0.038 for uniformly random letters (Friedman,
    "The Index of Coincidence and Its Applications in Cryptography", 1922).

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
