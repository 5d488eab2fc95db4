"""Hangman's texts: instructions, answers, and reasons for refusing a guess."""

from __future__ import annotations

from aq_gym.core.text import listing, plural, quote
from aq_gym.envs.hangman.actions import write
from aq_gym.envs.hangman.logic.game import HangmanGame

_BLANK = "_"


def goal(length: int, lives: int) -> str:
    """State the goal in one sentence."""
    return (
        f"Find the hidden word of {plural(length, 'letter')} before you have lost "
        f"{_lives(lives)}."
    )


def how_to_act() -> str:
    """Describe the form of a guess."""
    return (
        f"Guess a letter, in the form: {write('e')}\n"
        f"Or guess the whole word, in the form: {write('apple')}"
    )


def instructions(lives: int) -> str:
    """Explain the game to an agent that has never seen it."""
    return (
        "Let us play Hangman. I have chosen an English word, and you find it by "
        "guessing letters. Each letter that you guess is shown at all the positions "
        f"where it stands. You have {_lives(lives)}: a letter that is not in the word "
        "costs one, and so does a whole word that is not the hidden one. You win when "
        "every letter is shown, or when you guess the word; you lose with your last "
        f"life.\n{how_to_act()}"
    )


def board(game: HangmanGame) -> str:
    """Show the word letter by letter, the wrong guesses and the lives."""
    word = " ".join([letter or _BLANK for letter in game.shown])
    wrong = ", ".join(game.wrong) or "none"
    return f"Word: {word}\nWrong guesses: {wrong}. Lives left: {game.lives}."


def opening(game: HangmanGame) -> str:
    """Show the hidden word at the start."""
    return f"The word has {plural(len(game.word), 'letter')}.\n{board(game)}"


def answer(game: HangmanGame, guess: str, positions: list[int]) -> str:
    """Report what a guess did."""
    if game.solved:
        said = "You won!"
    elif len(guess) > 1:
        said = f"No, the word is not {guess}."
    elif positions:
        noun = "position" if len(positions) == 1 else "positions"
        said = f"Yes, the word has {guess} at {noun} {listing(_texts(positions))}."
    else:
        said = f"No, the word has no {guess}."
    if game.lost:
        said += " You lost: that was your last life."
    return f"{said}\n{board(game)}"


def not_a_guess(action: str) -> str:
    """Explain that a text is not a guess."""
    return f"{quote(action)} is not a guess. {how_to_act()}"


def problem(game: HangmanGame, guess: str) -> str:
    """Explain why a guess cannot be made now; "" if it can."""
    length = len(game.word)
    if guess in game.tried:
        noun = "letter" if len(guess) == 1 else "word"
        return f"You have already guessed the {noun} {guess}. Guess another one."
    if len(guess) not in (1, length):
        return (
            f"{guess} has {plural(len(guess), 'letter')}, but the word has {length}. "
            f"{how_to_act()}"
        )
    return ""


def moves(letters: list[str]) -> str:
    """List the letters that were not guessed yet."""
    return f"{how_to_act()}\nLetters that you have not guessed: {', '.join(letters)}"


def _lives(count: int) -> str:
    return "1 life" if count == 1 else f"{count} lives"


def _texts(numbers: list[int]) -> list[str]:
    return [str(number) for number in numbers]
