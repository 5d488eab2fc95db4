"""The packaged words: which can be the answer, and which can be guessed."""

from __future__ import annotations

import gzip
from collections import Counter
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from aq_gym.core.splits import in_split
from aq_gym.core.word_families import word_families
from aq_gym.support.data import packaged

Band: TypeAlias = Literal["all", "easy", "hard"]

LENGTHS = range(4, 9)
# Measured: the expert needs 3.2 guesses for a word of five letters with fewer rivals,
# and 3.5 with as many.
_RIVALS_OF_HARD = 3


class Lexicon(NamedTuple):
    """The words of one length.

    Attributes:
        answers: The words that can be hidden, sorted.
        guesses: The words that can be guessed, sorted; the answers are among them.
        known: The same as ``guesses``, as a set.
    """

    answers: tuple[str, ...]
    guesses: tuple[str, ...]
    known: frozenset[str]


@cache
def lexicon(length: int, more: tuple[str, ...] = ()) -> Lexicon:
    """Return the packaged words of one length, and more that can be answers.

    Args:
        length: Number of letters, 4 to 8.
        more: Words of this length.
    """
    if more:
        known = lexicon(length)
        lists = [tuple(sorted({*words, *more})) for words in known[:2]]
        return Lexicon(lists[0], lists[1], known.known.union(more))
    packed = packaged("aq_gym.envs.wordle", f"data/{length}.txt.gz")
    text = gzip.decompress(packed).decode("ascii")
    answers, others = map(str.split, text.split("\n\n"))
    guesses = tuple(sorted(answers + others))
    return Lexicon(tuple(answers), guesses, frozenset(guesses))


def difficulty_of(word: str) -> str:
    """Return "hard" for an answer with three rivals or more, else "easy".

    The rivals of a word are the other answers that differ from it in one position:
    ``fight`` and five more are rivals of ``light``. The position with the most rivals
    counts.
    """
    return "hard" if word in _hard_words(len(word)) else "easy"


@cache
def _hard_words(length: int) -> frozenset[str]:
    answers = lexicon(length).answers
    sharing = Counter(pattern for word in answers for pattern in _patterns(word))
    return frozenset(
        word
        for word in answers
        if any(sharing[pattern] > _RIVALS_OF_HARD for pattern in _patterns(word))
    )


def _patterns(word: str) -> list[str]:
    return [f"{word[:i]}_{word[i + 1 :]}" for i in range(len(word))]


def family_of(word: str) -> str:
    """Return the first word of an answer's family, whose hash decides the split."""
    return _families()[word]


@cache
def _families() -> dict[str, str]:
    return word_families(word for n in LENGTHS for word in lexicon(n).answers)


@cache
def words_in_band(length: int, difficulty: Band, split: str) -> tuple[str, ...]:
    """Return the answers that can be drawn, sorted.

    Args:
        length: Number of letters.
        difficulty: "easy", "hard" or "all".
        split: "train", "test" or "all".
    """
    return tuple(
        word
        for word in lexicon(length).answers
        if difficulty in ("all", difficulty_of(word))
        and (split == "all" or in_split(family_of(word), split))
    )
