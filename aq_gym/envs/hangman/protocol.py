"""The texts of Hangman, and how a guess is read."""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import ClassVar

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import listing, normalize, plural, quote
from aq_gym.envs.hangman.game import LENGTHS, HangmanGame

_BEFORE = r"(?:guess\b[ :=]*)?"
_NAMED = r"(?:the )?(?:letter|word)\b(?: is\b)?[ :=]*"
_OPENING, _CLOSING = r"[\"'`(\[*]*", r"[\"'`)\]*.!]*"
_GUESS = re.compile(rf"{_BEFORE}(?:{_NAMED})?{_OPENING}([a-z]+){_CLOSING}")
# Requires "word", because otherwise the text could be a list of letters.
_SPELLED = re.compile(
    rf"{_BEFORE}(?:the )?word\b(?: is\b)?[ :=]*{_OPENING}"
    rf"([a-z](?:[ -][a-z])+){_CLOSING}"
)
_FORM = "Guess: "
_HOW_TO_ACT = (
    f"Guess a letter, in the form: {_FORM}e\nOr guess the whole word, in the same form."
)


class HangmanProtocol(Protocol[HangmanGame, str]):
    """Our protocol: letters and whole words can be guessed.

    An action is a letter or a word, in lower case.

    Args:
        lives: The number of wrong guesses that ends a game.
        lengths: The lengths of the words that may be hidden.
    """

    prefix: ClassVar[str] = _FORM

    def __init__(self, lives: int, lengths: range = LENGTHS) -> None:
        self._lives = "1 life" if lives == 1 else f"{lives} lives"
        self._lengths = {1, *lengths}

    def goal(self, game: HangmanGame) -> str:
        """State the goal in one sentence."""
        length = plural(len(game.word), "letter")
        return f"Find the hidden word of {length} before you have lost {self._lives}."

    def opening(self, game: HangmanGame, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the game."""
        opening = f"The word has {plural(len(game.word), 'letter')}.\n{_state(game)}"
        return f"{self._instructions()}\n{opening}" if instructions else opening

    def read(self, game: HangmanGame, text: str) -> str | None:
        """Read a letter or a word of a possible length: ``e``, ``Guess: apple`` etc."""
        guess = _guess_in(text)
        return guess if len(guess) in self._lengths else None

    def play(self, game: HangmanGame, guess: str) -> Turn:
        """Make a guess, unless it was made before or has the wrong length."""
        if guess in game.tried:
            noun = "letter" if len(guess) == 1 else "word"
            why = f"You have already guessed the {noun} {guess}. Guess another one."
            return _invalid(game, why)
        if len(guess) not in (1, len(game.word)):
            return _invalid(game, _wrong_length(game, guess))
        positions = [str(position) for position in game.play(guess)]
        if game.solved:
            answer = "You won!"
        elif len(guess) > 1:
            answer = f"No, the word is not {guess}."
        elif positions:
            noun = "position" if len(positions) == 1 else "positions"
            answer = f"Yes, the word has {guess} at {noun} {listing(positions)}."
        else:
            answer = f"No, the word has no {guess}."
        if game.lost:
            answer += " You lost: that was your last life."
        return Turn(f"{answer}\n{_state(game)}", terminated=game.lost)

    def refuse(self, game: HangmanGame, text: str) -> Turn:
        """Explain that a text is not a guess, or has an impossible length."""
        if guess := _guess_in(text):
            return _invalid(game, _wrong_length(game, guess))
        return _invalid(game, f"{quote(text)} is not a guess. {_HOW_TO_ACT}")

    def help(self, game: HangmanGame) -> str:
        """Describe the form of a guess; list the letters left and show the word."""
        letters = ", ".join(letters_left(game))
        return (
            f"{_HOW_TO_ACT}\nLetters that you have not guessed: {letters}\n"
            f"{_state(game)}"
        )

    def advice(self, game: HangmanGame, guess: str) -> str:
        """Turn the expert's guess into one that the protocol accepts."""
        return guess

    def _instructions(self) -> str:
        return (
            "Let us play Hangman. I have chosen an English word, and you find it by "
            "guessing letters. Each letter that you guess is shown at all the "
            f"positions where it stands. You have {self._lives}: a letter that is not "
            "in the word costs one, and so does a whole word that is not the hidden "
            "one. You win when every letter is shown, or when you guess the word; you "
            f"lose with your last life.\n{_HOW_TO_ACT}"
        )


def letters_left(game: HangmanGame) -> list[str]:
    """Return the letters that were not guessed yet."""
    return [letter for letter in ascii_lowercase if letter not in game.tried]


def _guess_in(text: str) -> str:
    """Return the letter or the word of 3 to 12 letters in a text, or ""."""
    guess = text.removeprefix(_FORM)
    if not (guess.isascii() and guess.isalpha() and guess.islower()):
        text = normalize(text)
        match = _GUESS.fullmatch(text) or _SPELLED.fullmatch(text)
        guess = match[1].replace(" ", "").replace("-", "") if match else ""
    return guess if len(guess) == 1 or len(guess) in LENGTHS else ""


def _wrong_length(game: HangmanGame, guess: str) -> str:
    return (
        f"{guess} has {plural(len(guess), 'letter')}, but the word has "
        f"{len(game.word)}. {_HOW_TO_ACT}"
    )


def _state(game: HangmanGame) -> str:
    """Show the word letter by letter, the wrong guesses and the lives."""
    word = " ".join([letter or "_" for letter in game.shown])
    wrong = ", ".join(game.wrong) or "none"
    return f"Word: {word}\nWrong guesses: {wrong}. Lives left: {game.lives}."


def _invalid(game: HangmanGame, why: str) -> Turn:
    return Turn(f"{why}\n{_state(game)}", action_valid=False, feedback=why)
