"""Mastermind's rules: the form of a code, the answers to guesses, and a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import perm
from operator import eq, itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.core.text import QUOTES, WHITESPACE

DIGITS = "0123456789"
_LONGEST_CODE = 10
# With more codes, the expert's search could take too long.
_MOST_CODES = 10**10
# Characters that may separate the symbols of a guess, so they can't be symbols.
RESERVED = QUOTES | WHITESPACE | frozenset(".,:;=-_*()[]{}<>!?/|#")


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
        right: For each position, whether the last guess has the right symbol.
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


@dataclass(frozen=True)
class Rules:
    """The form of a code.

    Args:
        code_length: Number of positions, 1 to 10; there can be 10^10 codes at most.
        symbols: The different characters that can stand at a position, at least two.
        repeats: Whether a symbol can stand at more than one position.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If no game can be played with these rules.
    """

    code_length: int
    symbols: str
    repeats: bool
    alphabet: frozenset[str] = field(init=False, repr=False, compare=False)
    # The code's length as a NumPy array, which is the fastest argument for drawing.
    _size: NDArray[np.intp] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "alphabet", frozenset(self.symbols))
        object.__setattr__(self, "_size", np.array(self.code_length))
        if not 1 <= self.code_length <= _LONGEST_CODE:
            raise ValueError(
                f"code_length={self.code_length!r}: give 1 to {_LONGEST_CODE}"
            )
        if len(self.alphabet) != len(self.symbols) or len(self.symbols) < 2:
            raise ValueError(
                f"symbols={self.symbols!r}: give at least two different characters"
            )
        bad = sorted(s for s in self.alphabet if s in RESERVED or not s.isprintable())
        if bad:
            raise ValueError(
                f"symbols={self.symbols!r}: {bad} can't be told from punctuation"
            )
        if not self.repeats and self.code_length > len(self.symbols):
            raise ValueError(
                f"code_length={self.code_length} with repeats=False needs as many "
                f"symbols; symbols={self.symbols!r} has {len(self.symbols)}"
            )
        if self.code_count > _MOST_CODES:
            raise ValueError(
                f"code_length={self.code_length} with {len(self.symbols)} symbols has "
                f"{self.code_count} codes; at most {_MOST_CODES} are allowed"
            )

    @property
    def code_count(self) -> int:
        """The number of different codes."""
        size = len(self.symbols)
        if not self.repeats:
            return perm(size, self.code_length)
        count: int = size**self.code_length
        return count

    def fits(self, code: str) -> bool:
        """Return whether a text is a code under these rules."""
        return (
            len(code) == self.code_length
            and self.alphabet.issuperset(code)
            and (self.repeats or len(set(code)) == self.code_length)
        )

    def code_of(self, task_id: str) -> str | None:
        """Parse a task id into a code; None if it is invalid."""
        return task_id if self.fits(task_id) else None

    def random_code(self, rng: np.random.Generator) -> str:
        """Draw a code, each with the same probability."""
        size = len(self.symbols)
        if self.repeats:
            picks = rng.integers(size, size=self._size)
        else:
            picks = rng.permutation(size)[: self.code_length]
        return "".join(itemgetter(*picks.tolist())(self.symbols))
