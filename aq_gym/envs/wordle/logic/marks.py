"""The marks of a guess, and what they tell about the word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

GREEN, YELLOW, GREY = "g", "y", "-"


class Clue(NamedTuple):
    """A guess and its marks.

    Attributes:
        guess: The guessed word.
        marks: One mark a letter: ``g`` (green), ``y`` (yellow) or ``-`` (grey).
    """

    guess: str
    marks: str


def marks(guess: str, answer: str) -> str:
    """Mark each letter of a guess.

    In two passes, as the game's rules have it: letters in their right position are
    green; then, from left to right, each other letter is yellow as long as the answer
    has a further one of it that no green or yellow stands for, and grey after that.
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
    """Mark each letter on its own: yellow wherever the answer has it elsewhere.

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
        position: Where it stands, counted from 1; 0 if only its number is known.
        times: How often the answer has it at least.
    """

    letter: str
    position: int
    times: int


class Hints:
    """The green and yellow letters of some guesses.

    Args:
        clues: The guesses and their marks.
        separate: Whether each letter was marked on its own, so that marks do not tell
            how often the answer has a letter.

    Attributes:
        green: The letter at each index where one was green.
        needed: How often each letter was green or yellow in one guess, at most.
        elsewhere: For each letter that was yellow or grey the positions where it was,
            counted from 1.
    """

    def __init__(self, clues: Iterable[Clue] = (), separate: bool = False) -> None:
        self._separate = separate
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
                found[letter] = 1 if self._separate else found.get(letter, 0) + 1
        for letter, times in found.items():
            self.needed[letter] = max(times, self.needed.get(letter, 0))

    def unused(self, guess: str) -> Hint | None:
        """Find a hint that a guess does not use, for hard mode.

        A green letter has to stay in its position, and the guess has to have every
        letter as often as some earlier guess had it green or yellow.

        Args:
            guess: A word of the same length.

        Returns:
            The first hint that is not used, greens first; None if all are.
        """
        for index, letter in self.green.items():
            if guess[index] != letter:
                return Hint(letter, index + 1, 1)
        for letter, times in self.needed.items():
            if guess.count(letter) < times:
                return Hint(letter, 0, times)
        return None
