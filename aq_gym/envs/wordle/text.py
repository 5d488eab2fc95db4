"""Wordle's texts: instructions, answers, and why a guess is refused."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.core.text import listing, plural, quote
from aq_gym.envs.wordle.actions import SHOW_BOARD, write
from aq_gym.envs.wordle.logic.game import WordleGame
from aq_gym.envs.wordle.logic.marks import GREEN, GREY, YELLOW, Hint

_LOST = "You lost: that was your last guess."
_BLANK = "_"
_FORMS = {GREEN: "%s: green", YELLOW: "%s: yellow", GREY: "%s: grey"}
# A common word of each length, which tells nothing of the answer.
_EXAMPLES = {4: "time", 5: "house", 6: "people", 7: "another", 8: "question"}
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
)
_NUMBERS = {2: "twice", 3: "three times", 4: "four times"}


def goal(length: int, limit: int) -> str:
    """State the goal in one sentence."""
    return f"Find the hidden word of {length} letters with {_guesses(limit)} at most."


def how_to_act(length: int) -> str:
    """Describe the form of a guess."""
    return (
        f"Guess an English word of {length} letters, in the form: "
        f"{write(_EXAMPLES[length])}"
    )


def instructions(
    length: int, limit: int, hard_mode: bool, separate: bool = False
) -> str:
    """Explain the game to an agent that has never seen it."""
    grey = (
        "the word does not have the letter. Each letter is marked on its own, however "
        "often the word has it."
        if separate
        else "the word does not have the letter, or not more often than it is marked "
        "green or yellow."
    )
    rule = (
        "\nHard mode: a guess has to use what is known. Green letters stay where they "
        "are, and yellow ones have to be in the guess."
        if hard_mode
        else ""
    )
    return (
        f"Let us play Wordle. I have chosen a common English word of {length} letters, "
        f"and you find it with {_guesses(limit)} at most. Each guess has to be a word, "
        "too. After it I mark each of its letters:\n"
        "green: the letter is in the word, in this position.\n"
        "yellow: the letter is in the word, in another position.\n"
        f"grey: {grey}{rule}\n{how_to_act(length)}\n{_how_to_look()}"
    )


def opening(length: int, limit: int) -> str:
    """Invite the first guess."""
    return f"Make your first guess of {length} letters. You have {_guesses(limit)}."


def answer(game: WordleGame) -> str:
    """Report the marks of the last guess."""
    if game.solved:
        return f"You won! The word is {game.answer}."
    guesses = game.guesses
    letters = _form(game.marks) % tuple(guesses[-1])
    before, after = _frame(len(guesses), game.left)
    return before + letters + after


@lru_cache(maxsize=256)
def _frame(count: int, left: int) -> tuple[str, str]:
    """Return the text before and after the marks of a guess."""
    then = _left(left) if left else _LOST
    return f"Guess {count} of {count + left}: ", f".\n{then}"


@lru_cache(maxsize=8192)
def _form(marks: str) -> str:
    """Return the form of a guess with these marks, ``%s`` for each letter."""
    return ", ".join(map(_FORMS.__getitem__, marks))


def _left(count: int) -> str:
    return f"You have {_guesses(count)} left."


def board(game: WordleGame) -> str:
    """Show all guesses with their marks, and what they tell of the word."""
    hints = game.hints
    lines = [
        f"{i}. {guess}: {_form(marks) % tuple(guess)}"
        for i, (guess, marks) in enumerate(game.clues, 1)
    ]
    known = [hints.green.get(index, _BLANK) for index in range(len(game.answer))]
    lines.append(f"Known: {' '.join(known)}")
    for letter, times in hints.needed.items():
        if known.count(letter) < times:
            places = sorted({*hints.elsewhere[letter]})
            not_here = listing([_ORDINALS[place - 1] for place in places], "or")
            has = f"The word has {letter}{_times(times)}"
            lines.append(f"{has}, but not as the {not_here} letter.")
    if absent := hints.absent:
        lines.append(f"The word does not have {listing(absent, 'or')}.")
    lines.append(_left(game.left))
    return "\n".join(lines)


def help_text(game: WordleGame) -> str:
    """Describe the form of a guess, and show the board."""
    return f"{how_to_act(len(game.answer))}\n{_how_to_look()}\n{board(game)}"


def not_a_guess(action: str, length: int) -> str:
    """Explain that a text is not a guess."""
    return f"{quote(action)} is not a guess. {how_to_act(length)}"


def wrong_length(guess: str, length: int) -> str:
    """Explain that a guess is too short or too long."""
    return (
        f"{quote(guess)} has {plural(len(guess), 'letter')}, not {length}. "
        f"{how_to_act(length)}"
    )


def unknown_word(guess: str) -> str:
    """Explain that a guess is not a word."""
    return (
        f"{guess} is not in the list of words that can be guessed, so it costs no "
        "guess. Guess another word."
    )


def hint_not_used(guess: str, hint: Hint) -> str:
    """Explain which hint a guess does not use in hard mode."""
    if hint.position:
        ordinal = _ORDINALS[hint.position - 1]
        missing = f"its {ordinal} letter has to be {hint.letter}, which was green."
    else:
        missing = f"it has to contain {hint.letter}{_times(hint.times)}."
    return f"{guess} cannot be guessed in hard mode: {missing} It costs no guess."


def _how_to_look() -> str:
    return f"To see all your guesses and what they tell, without guessing: {SHOW_BOARD}"


def _guesses(count: int) -> str:
    return "1 guess" if count == 1 else f"{count} guesses"


def _times(count: int) -> str:
    return f" {_NUMBERS.get(count, f'{count} times')}" if count > 1 else ""
