"""Wordle's state."""

from __future__ import annotations

from collections.abc import Iterable

from aq_gym.envs.wordle.logic.marks import (
    GREEN,
    GREY,
    Clue,
    Hints,
    marks,
    separate_marks,
)


class WordleGame:
    """One hidden word and the guesses so far.

    Args:
        answer: The hidden word.
        limit: How many guesses there are.
        separate: Whether each letter is marked on its own, however often the answer has
            it.

    Attributes:
        answer: The hidden word.
        guesses: Every guess so far, oldest first.
        left: How many guesses are left.
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
        self._hints = Hints(separate=separate)
        self._hinted = 0

    @property
    def clues(self) -> list[Clue]:
        """Every guess so far with its marks, oldest first."""
        return [Clue(guess, self._mark(guess, self.answer)) for guess in self.guesses]

    @property
    def hints(self) -> Hints:
        """The hints that all guesses so far give about the answer."""
        # Few steps ask for it, so that it is brought up to date only then.
        for clue in self.clues[self._hinted :]:
            self._hints.add(clue)
        self._hinted = len(self.guesses)
        return self._hints

    @property
    def lost(self) -> bool:
        """Whether no guess is left and the answer was not found."""
        return not self.left and not self.solved

    def play(self, guess: str) -> None:
        """Make a guess of the right length."""
        self.guesses.append(guess)
        self.left -= 1
        self.marks = result = self._mark(guess, self.answer)
        if GREEN in result:
            self.found |= {i for i, mark in enumerate(result) if mark == GREEN}
        self.solved = guess == self.answer

    def play_all(self, guesses: Iterable[str]) -> None:
        """Repeat guesses, to restore a state."""
        for guess in guesses:
            self.play(guess)
