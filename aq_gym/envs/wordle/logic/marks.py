"""The marks of a guess."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["GREEN", "GREY", "YELLOW", "Clue", "marks"]

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

    Args:
        guess: A word.
        answer: A word of the same length.

    Returns:
        One mark a letter.
    """
    result = ""
    for letter, right in zip(guess, answer):  # noqa: B905  # a third of the time
        if letter == right:
            result += GREEN
        elif letter not in answer:
            result += GREY
        elif guess.count(letter) == 1:
            result += YELLOW
        else:
            # The answer may have fewer of the letter than the guess, which is rare.
            return _marks_in_two_passes(guess, answer)
    return result


def _marks_in_two_passes(guess: str, answer: str) -> str:
    pairs = list(zip(guess, answer, strict=True))
    unmatched = [right for letter, right in pairs if letter != right]
    result = ""
    for letter, right in pairs:
        if letter == right:
            result += GREEN
        elif letter in unmatched:
            unmatched.remove(letter)
            result += YELLOW
        else:
            result += GREY
    return result
