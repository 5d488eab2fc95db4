"""Mastermind's state and the host's answers."""

from __future__ import annotations

from operator import eq
from typing import NamedTuple


class Feedback(NamedTuple):
    """The host's answer to a guess.

    Attributes:
        exact: The number of right symbols in the right position.
        misplaced: The number of further right symbols in a wrong position, each
            counted as often as both the code and the guess have it.
    """

    exact: int
    misplaced: int


_NO_FEEDBACK = Feedback(0, 0)


def score(code: str, guess: str) -> Feedback:
    """Compare a guess with a code of the same length.

    Symmetric: ``score(a, b) == score(b, a)``.
    """
    return _feedback(code, guess, sum(map(eq, code, guess)))


def _feedback(code: str, guess: str, exact: int) -> Feedback:
    unmatched = code
    for symbol in guess:
        unmatched = unmatched.replace(symbol, "", 1)
    return Feedback(exact, len(code) - len(unmatched) - exact)


class MastermindGame:
    """A hidden code and the guesses so far.

    Args:
        code: The hidden code.

    Attributes:
        code: The hidden code.
        guess: The last guess, "" before the first.
        right: Whether the last guess has the right symbol, for each position.
        feedback: The answer to the last guess.
        history: Every different guess so far with its answer, oldest first.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.guess = ""
        self.right = [False] * len(code)
        self.feedback = _NO_FEEDBACK
        self.history: dict[str, Feedback] = {}

    @property
    def solved(self) -> bool:
        """Whether the last guess equals the code."""
        return self.guess == self.code

    def play(self, guess: str) -> Feedback:
        """Make a guess that fits the rules."""
        self.guess = guess
        # In AgentQuest's protocol a guess can be too short.
        self.right = list(map(eq, self.code, guess.ljust(len(self.code))))
        feedback = _feedback(self.code, guess, self.right.count(True))
        self.feedback = self.history[guess] = feedback
        return feedback
