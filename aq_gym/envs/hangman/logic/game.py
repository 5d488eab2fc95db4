"""Hangman's rules and state."""

from __future__ import annotations


class HangmanGame:
    """One hidden word and what has been guessed so far.

    Args:
        word: The hidden word, in lower case.
        lives: How many wrong guesses end the game.

    Attributes:
        word: The hidden word.
        lives: How many lives are left.
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
            The positions that it reveals, counted from 1; none for a wrong guess,
            which costs a life.
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
