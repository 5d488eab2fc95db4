"""Hangman's words and rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Literal, TypeAlias

from aq_gym.core.splits import in_split
from aq_gym.core.word_families import word_families
from aq_gym.support.data import packaged_text

Difficulty: TypeAlias = Literal["all", "easy", "hard"]

LENGTHS = range(3, 13)
# With fewer rivals the expert finds 96% of the words, with this many or more 65%.
_RIVALS_OF_HARD = 3


class HangmanGame:
    """One hidden word and the guesses so far.

    Args:
        word: The hidden word, in lower case.
        lives: The number of wrong guesses that ends the game.

    Attributes:
        word: The hidden word.
        lives: The number of lives left.
        shown: The letter at each position that is revealed, "" where none is.
        tried: Every guess so far, letters and whole words, oldest first.
        wrong: The guesses that cost a life, oldest first.
    """

    def __init__(self, word: str, lives: int) -> None:
        self.word = word
        self.lives = lives
        self.shown = [""] * len(word)
        self.tried: list[str] = []
        self.wrong: list[str] = []

    @property
    def solved(self) -> bool:
        """Whether every position is revealed."""
        return "" not in self.shown

    @property
    def lost(self) -> bool:
        """Whether no life is left."""
        return not self.lives

    def play(self, guess: str) -> list[int]:
        """Guess a letter or a word that was not tried before.

        Args:
            guess: A letter, or a word that is as long as the hidden one.

        Returns:
            The revealed positions, counted from 1; empty for a wrong guess, which costs
            a life.
        """
        self.tried.append(guess)
        if guess not in self.word:
            found = []
        elif len(guess) == 1:
            found = [i for i, letter in enumerate(self.word) if letter == guess]
        else:
            found = [i for i, letter in enumerate(self.shown) if not letter]
        for index in found:
            self.shown[index] = self.word[index]
        if not found:
            self.wrong.append(guess)
            self.lives -= 1
        return [index + 1 for index in found]


@cache
def words_of_length(length: int) -> tuple[str, ...]:
    """Return the packaged words of 3 to 12 letters, sorted."""
    text = packaged_text("aq_gym.envs.hangman", f"data/{length}.txt.gz")
    return tuple(text.split())


@cache
def words_to_draw(
    shortest: int, longest: int, difficulty: Difficulty, split: str
) -> tuple[str, ...]:
    """Return the words that can be drawn, sorted by length, then alphabetically.

    Args:
        shortest: The minimum number of letters.
        longest: The maximum number of letters.
        difficulty: "easy", "hard" or "all".
        split: "train", "test" or "all".
    """
    return tuple(
        word
        for length in range(shortest, longest + 1)
        for word in words_of_length(length)
        if difficulty in ("all", difficulty_of(word))
        and (split == "all" or in_split(family_of(word), split))
    )


def family_of(word: str) -> str:
    """Return the first word of a word's family; its hash decides the split."""
    return _families()[word]


@cache
def _families() -> dict[str, str]:
    return word_families(w for length in LENGTHS for w in words_of_length(length))


def difficulty_of(word: str) -> str:
    """Return "hard" for a word with three rivals or more, else "easy".

    The rivals of a word are the other words that share its pattern when one letter is
    hidden: ``fight`` and six more share ``_ight`` with ``light``. The letter that
    leaves the most rivals is hidden.
    """
    return "hard" if word in _hard_words(len(word)) else "easy"


@cache
def _hard_words(length: int) -> frozenset[str]:
    patterns = {w: {w.replace(x, "_") for x in w} for w in words_of_length(length)}
    sharing = Counter(pattern for found in patterns.values() for pattern in found)
    return frozenset(
        word
        for word, found in patterns.items()
        if any(sharing[pattern] > _RIVALS_OF_HARD for pattern in found)
    )
