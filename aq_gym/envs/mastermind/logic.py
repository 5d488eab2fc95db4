"""Mastermind's rules and state."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import perm
from operator import eq
from typing import NamedTuple

import numpy as np

from aq_gym.text import BLANKS, QUOTES

LONGEST_CODE = 10
# Of more the expert may not find one that agrees within a time a person accepts.
MOST_CODES = 10**10
# What separates the symbols of a guess can't be a symbol itself.
RESERVED = QUOTES | BLANKS | frozenset(".,:;=-_*()[]{}<>!?/|#")


class Feedback(NamedTuple):
    """The host's answer to a guess.

    Attributes:
        exact: Right symbols in the right position.
        misplaced: Further right symbols, in a wrong position, with multiplicity.
    """

    exact: int
    misplaced: int


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


@dataclass(frozen=True)
class Rules:
    """What a code looks like.

    Args:
        code_length: Number of positions, 1 to 10; there can be 10^10 codes at most.
        symbols: The different characters that can stand at a position, at least two.
        repeats: Whether a symbol can stand at more than one position.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If no game can be played with these rules.
    """

    code_length: int
    symbols: str
    repeats: bool
    alphabet: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "alphabet", frozenset(self.symbols))
        if not 1 <= self.code_length <= LONGEST_CODE:
            raise ValueError(
                f"code_length={self.code_length!r}: give 1 to {LONGEST_CODE}"
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
        if self.code_count > MOST_CODES:
            raise ValueError(
                f"code_length={self.code_length} with {len(self.symbols)} symbols has "
                f"{self.code_count} codes; at most {MOST_CODES} can be"
            )

    @property
    def code_count(self) -> int:
        """How many codes there are."""
        size = len(self.symbols)
        if not self.repeats:
            return perm(size, self.code_length)
        count: int = size**self.code_length
        return count

    def fits(self, code: str) -> bool:
        """Tell whether a text is a code under these rules."""
        return (
            len(code) == self.code_length
            and self.alphabet.issuperset(code)
            and (self.repeats or len(set(code)) == self.code_length)
        )

    def random_code(self, rng: np.random.Generator) -> str:
        """Draw a code, each with the same chance."""
        size = len(self.symbols)
        if self.repeats:
            picks = rng.integers(size, size=self.code_length)
        else:
            picks = rng.permutation(size)[: self.code_length]
        return "".join([self.symbols[pick] for pick in picks.tolist()])


class Game:
    """One code and what has been guessed so far.

    Args:
        code: The hidden code.

    Attributes:
        code: The hidden code.
        guess: The last guess, "" before the first.
        right: At which positions it agrees with the code.
        feedback: The answer to it.
        history: Every different guess so far with its answer, oldest first.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.guess = ""
        self.right = [False] * len(code)
        self.feedback = Feedback(0, 0)
        self.history: dict[str, Feedback] = {}

    @property
    def solved(self) -> bool:
        """Whether the last guess is the code."""
        return self.guess == self.code

    def play(self, guess: str) -> Feedback:
        """Make a guess that fits the rules."""
        self.guess = guess
        self.right = list(map(eq, self.code, guess))
        feedback = _feedback(self.code, guess, self.right.count(True))
        self.feedback = self.history[guess] = feedback
        return feedback
