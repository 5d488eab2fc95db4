"""The packaged words, and which of them are hard to find."""

from __future__ import annotations

import gzip
from collections import Counter
from functools import cache
from itertools import chain
from typing import Literal, TypeAlias

from aq_gym.core.splits import in_split
from aq_gym.core.word_families import word_families
from aq_gym.support.data import packaged

Band: TypeAlias = Literal["all", "easy", "hard"]

LENGTHS = range(3, 13)
HIDDEN = "_"
# Measured: with fewer rivals the expert finds 96% of the words, with as many 65%.
_RIVALS_OF_HARD = 3


@cache
def words_of_length(length: int) -> tuple[str, ...]:
    """Read the packaged words of one length, sorted.

    Args:
        length: Number of letters, 3 to 12.
    """
    packed = packaged("aq_gym.envs.hangman", f"data/{length}.txt.gz")
    return tuple(gzip.decompress(packed).decode("ascii").split())


def difficulty_of(word: str) -> str:
    """Return "hard" for a word with three rivals or more, else "easy".

    The rivals of a word are the other words that share its pattern when one letter is
    hidden: ``fight`` and six more share ``_ight`` with ``light``. The hidden letter
    that leaves the most rivals counts.
    """
    return "hard" if word in _hard_words(len(word)) else "easy"


@cache
def _hard_words(length: int) -> frozenset[str]:
    words = words_of_length(length)
    sharing = Counter(pattern for word in words for pattern in _patterns(word))
    return frozenset(
        word
        for word in words
        if any(sharing[pattern] > _RIVALS_OF_HARD for pattern in _patterns(word))
    )


def _patterns(word: str) -> list[str]:
    return [word.replace(letter, HIDDEN) for letter in set(word)]


def family_of(word: str) -> str:
    """Return the first word of a word's family, whose hash decides the split."""
    return _families()[word]


@cache
def _families() -> dict[str, str]:
    return word_families(chain.from_iterable(map(words_of_length, LENGTHS)))


@cache
def words_in_bands(
    shortest: int, longest: int, difficulty: Band, split: str
) -> tuple[str, ...]:
    """Return the words that can be drawn, by length and then sorted.

    Args:
        shortest: Fewest letters.
        longest: Most letters.
        difficulty: "easy", "hard" or "all".
        split: "train", "test" or "all".
    """
    lengths = range(shortest, longest + 1)
    return tuple(
        word
        for word in chain.from_iterable(map(words_of_length, lengths))
        if difficulty in ("all", difficulty_of(word))
        and (split == "all" or in_split(family_of(word), split))
    )
