"""The marks of a guess."""

from __future__ import annotations

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
