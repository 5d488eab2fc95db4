"""Wordle's words, the marks of a guess, and a game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from aq_gym.core.splits import in_split
from aq_gym.core.word_families import word_families
from aq_gym.support.data import packaged_text

GREEN, YELLOW, GREY = "g", "y", "-"
LENGTHS = range(4, 9)


class WordleGame:
    """One hidden word and the guesses so far.

    Args:
        answer: The hidden word.
        limit: The number of guesses allowed.
        separate: Whether each letter is marked separately, however often the answer has
            it.

    Attributes:
        answer: The hidden word.
        guesses: Every guess so far, oldest first.
        left: The number of guesses left.
        marks: The marks of the last guess; all grey before the first.
        solved: Whether the last guess is the answer.
        found: The positions at which some guess so far was green.
    """

    def __init__(self, answer: str, limit: int, separate: bool = False) -> None:
        self.answer = answer
        self.guesses: list[str] = []
        self.left = limit
        self.marks = GREY * len(answer)
        self.solved = False
        self.found: frozenset[int] = frozenset()
        self._mark = separate_marks if separate else marks
        self._hints = Hints()
        self._hinted = 0

    @property
    def clues(self) -> list[Clue]:
        """Every guess so far with its marks, oldest first."""
        return [Clue(guess, self._mark(guess, self.answer)) for guess in self.guesses]

    @property
    def hints(self) -> Hints:
        """The hints that all guesses so far give about the answer."""
        # Updated only when it is asked for, because few steps need it.
        for clue in self.clues[self._hinted :]:
            self._hints.add(clue)
        self._hinted = len(self.guesses)
        return self._hints

    def play(self, guess: str) -> None:
        """Make a guess of the right length."""
        self.guesses.append(guess)
        self.left -= 1
        self.marks = result = self._mark(guess, self.answer)
        if GREEN in result:
            self.found |= {i for i, mark in enumerate(result) if mark == GREEN}
        self.solved = guess == self.answer


class Clue(NamedTuple):
    """A guess and its marks.

    Attributes:
        guess: The guessed word.
        marks: One mark per letter: ``g`` (green), ``y`` (yellow) or ``-`` (grey).
    """

    guess: str
    marks: str


def marks(guess: str, answer: str) -> str:
    """Mark each letter of a guess.

    There are two passes, as in the rules of the game. First, letters in their right
    position are green. Then, from left to right, each other letter is yellow if the
    answer has one more of it than was marked so far, else grey.
    """
    result = ""
    for letter, right in zip(guess, answer):  # noqa: B905  # a third of the time
        if letter == right:
            result += GREEN
        elif letter not in answer:
            result += GREY
        elif guess.count(letter) == 1 or _is_left(letter, guess, answer, len(result)):
            result += YELLOW
        else:
            result += GREY
    return result


def separate_marks(guess: str, answer: str) -> str:
    """Mark each letter separately: yellow whenever the answer has it elsewhere.

    Args:
        guess: A word.
        answer: A word of the same length.
    """
    return "".join(
        GREEN if letter == right else YELLOW if letter in answer else GREY
        for letter, right in zip(guess, answer, strict=True)
    )


def _is_left(letter: str, guess: str, answer: str, index: int) -> bool:
    """Return whether the answer has an unmatched letter of this kind.

    Args:
        letter: The letter of the guess at an index, which is not green.
        guess: A word that repeats it.
        answer: A word of the same length.
        index: The index; letters before it have their marks.
    """
    left = answer.count(letter) - guess.count(letter, 0, index)
    for other, right in zip(guess[index:], answer[index:], strict=True):
        left -= other == letter == right
    return left > 0


class Hint(NamedTuple):
    """A known fact about the answer.

    Attributes:
        letter: A letter of the answer.
        position: Its position, counted from 1; 0 if only its count is known.
        times: The minimum number of times that the answer has it.
    """

    letter: str
    position: int
    times: int


class Hints:
    """The green and yellow letters of some guesses.

    Args:
        clues: The guesses and their marks.

    Attributes:
        green: The green letter at each index that has one.
        needed: The largest number of green and yellow marks of each letter in one
            guess.
        elsewhere: For each letter, the positions where it was yellow or grey, counted
            from 1.
    """

    def __init__(self, clues: Iterable[Clue] = ()) -> None:
        self.green: dict[int, str] = {}
        self.needed: dict[str, int] = {}
        self.elsewhere: dict[str, list[int]] = {}
        for clue in clues:
            self.add(clue)

    @property
    def absent(self) -> list[str]:
        """The letters that the answer does not have, in the order of the guesses."""
        return [letter for letter in self.elsewhere if letter not in self.needed]

    def add(self, clue: Clue) -> None:
        """Add a guess and its marks."""
        found: dict[str, int] = {}
        for position, (letter, mark) in enumerate(zip(*clue, strict=True), 1):
            if mark == GREEN:
                self.green[position - 1] = letter
            else:
                self.elsewhere.setdefault(letter, []).append(position)
            if mark != GREY:
                found[letter] = found.get(letter, 0) + 1
        for letter, times in found.items():
            self.needed[letter] = max(times, self.needed.get(letter, 0))

    def unused(self, guess: str) -> Hint | None:
        """Find a hint that a guess does not use, for hard mode.

        A green letter has to stay in its position, and the guess needs every letter as
        often as it was green or yellow in any earlier guess.

        Args:
            guess: A word of the same length.

        Returns:
            The first unused hint, greens first; None if all are used.
        """
        for index, letter in self.green.items():
            if guess[index] != letter:
                return Hint(letter, index + 1, 1)
        for letter, times in self.needed.items():
            if guess.count(letter) < times:
                return Hint(letter, 0, times)
        return None


class Lexicon(NamedTuple):
    """The words of one length.

    Attributes:
        answers: The words that can be hidden, sorted.
        guesses: The words that can be guessed, sorted; the answers are among them.
        known: The words of ``guesses`` as a set.
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
    text = packaged_text("aq_gym.envs.wordle", f"data/{length}.txt.gz")
    answers, others = map(str.split, text.split("\n\n"))
    guesses = tuple(sorted(answers + others))
    return Lexicon(tuple(answers), guesses, frozenset(guesses))


def family_of(word: str) -> str:
    """Return the first word of an answer's family; its hash decides the split."""
    return _families()[word]


@cache
def _families() -> dict[str, str]:
    return word_families(word for n in LENGTHS for word in lexicon(n).answers)


@cache
def words_to_draw(length: int, split: str) -> tuple[str, ...]:
    """Return the answers that can be drawn, sorted.

    Args:
        length: Number of letters.
        split: "train", "test" or "all".
    """
    answers = lexicon(length).answers
    if split == "all":
        return answers
    return tuple(word for word in answers if in_split(family_of(word), split))
