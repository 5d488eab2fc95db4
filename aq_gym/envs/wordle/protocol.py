"""The texts of Wordle, and how a guess is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import listing, normalize, plural, quote
from aq_gym.envs.wordle.game import GREEN, GREY, YELLOW, Hint, WordleGame, lexicon

_FORM = "Guess: "
_GUESS = re.compile(
    r"(?:guess\b[ :=]*)?(?:(?:the )?word\b(?: is\b)?[ :=]*)?"
    r"[\"'`(\[*]*([a-z]+|[a-z](?:[ ,-]{1,2}[a-z])+)[\"'`)\]*.!]*"
)
_SHOW_BOARD = "show board"
_BOARD = re.compile(r"(?:show|check)(?: me)?(?: the)? board")
_JOIN = str.maketrans("", "", " ,-")
_HOW_TO_LOOK = (
    f"To see all your guesses and what they tell, without guessing: {_SHOW_BOARD}"
)
_COLOURS = {GREEN: "green", YELLOW: "yellow", GREY: "grey"}
# A common word of each length, which is no hint at the answer.
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


class WordleProtocol(Protocol[WordleGame, str]):
    """Our protocol, with the usual rules.

    An action is a word of the right length, or ``show board``.

    Args:
        length: The number of letters.
        guesses: The number of guesses.
        hard_mode: Whether a guess has to use all hints.

    Attributes:
        separate: Whether each letter is marked separately, however often the answer has
            it.
        more: Words that can be hidden besides the packaged ones.
        lexicon: All words.
    """

    prefix: ClassVar[str] = _FORM
    separate: ClassVar[bool] = False
    more: tuple[str, ...] = ()

    def __init__(self, length: int, guesses: int, hard_mode: bool) -> None:
        self._length = length
        self._limit = _guesses(guesses)
        self._hard_mode = hard_mode
        self._how_to_act = (
            f"Guess an English word of {length} letters, in the form: "
            f"{_FORM}{_EXAMPLES[length]}"
        )
        self.lexicon = lexicon(length, self.more)

    def goal(self) -> str:
        """State the goal in one sentence."""
        letters = f"{self._length} letters"
        return f"Find the hidden word of {letters} with {self._limit} at most."

    def opening(self, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the game."""
        request = (
            f"Make your first guess of {self._length} letters. You have {self._limit}."
        )
        return f"{self._instructions()}\n{request}" if instructions else request

    def guesses(self, game: WordleGame) -> Sequence[str]:
        """List the words that can be guessed now, sorted."""
        words = self.lexicon.guesses
        if not self._hard_mode:
            return words
        hints = game.hints
        return [word for word in words if hints.unused(word) is None]

    def read(self, game: WordleGame, text: str) -> str | None:
        """Read a guess: ``crane``, ``c r a n e``, ``Guess: crane`` and the like."""
        guess = _word_in(text)
        if len(guess) == self._length:
            return guess
        return _SHOW_BOARD if _BOARD.fullmatch(normalize(text)) else None

    def write(self, game: WordleGame, guess: str) -> str:
        """Write a guess as an agent would."""
        return guess if guess == _SHOW_BOARD else self.prefix + guess

    def play(self, game: WordleGame, guess: str) -> Turn:
        """Make a guess of a word that can be guessed, or show the board."""
        if guess == _SHOW_BOARD:
            return Turn(_board(game))
        if guess not in self.lexicon.known and guess != game.answer:
            return Turn.invalid(
                f"{guess} is not in the list of words that can be guessed, so it costs "
                "no guess. Guess another word."
            )
        if self._hard_mode and (hint := game.hints.unused(guess)):
            return Turn.invalid(_hint_not_used(guess, hint))
        game.play(guess)
        return Turn(_answer(game), terminated=not game.left)

    def refuse(self, game: WordleGame, text: str) -> Turn:
        """Explain that a text is not a guess, or has another length."""
        why = "is not a guess."
        if word := _word_in(text):
            text = word
            why = f"has {plural(len(word), 'letter')}, not {self._length}."
        return Turn.invalid(f"{quote(text)} {why} {self._how_to_act}")

    def help(self, game: WordleGame) -> str:
        """Describe the form of a guess, and show the board."""
        return f"{self._how_to_act}\n{_HOW_TO_LOOK}\n{_board(game)}"

    def _instructions(self) -> str:
        rule = (
            "\nHard mode: a guess has to use what is known. Green letters stay where "
            "they are, and yellow ones have to be in the guess."
            if self._hard_mode
            else ""
        )
        return (
            "Let us play Wordle. I have chosen a common English word of "
            f"{self._length} letters, and you find it with {self._limit} at most. Each "
            "guess has to be a word, too. After it I mark each of its letters:\n"
            "green: the letter is in the word, in this position.\n"
            "yellow: the letter is in the word, in another position.\n"
            "grey: the word does not have the letter, or not more often than it is "
            f"marked green or yellow.{rule}\n{self._how_to_act}\n{_HOW_TO_LOOK}"
        )


def _word_in(text: str) -> str:
    """Return the word in a guess, of any length; "" if the text is not one word."""
    guess = text.removeprefix(_FORM)
    if guess.isascii() and guess.isalpha() and guess.islower():
        return guess
    match = _GUESS.fullmatch(normalize(text))
    return match[1].translate(_JOIN) if match else ""


def _answer(game: WordleGame) -> str:
    """Report the marks of the last guess."""
    if game.solved:
        return f"You won! The word is {game.answer}."
    count = len(game.guesses)
    then = _left(game) if game.left else "You lost: that was your last guess."
    return (
        f"Guess {count} of {count + game.left}: "
        f"{_marked(game.guesses[-1], game.marks)}.\n{then}"
    )


def _board(game: WordleGame) -> str:
    """Show all guesses with their marks, and the known facts about the word."""
    hints = game.hints
    lines = [
        f"{i}. {guess}: {_marked(guess, marks)}"
        for i, (guess, marks) in enumerate(game.clues, 1)
    ]
    known = [hints.green.get(index, "_") for index in range(len(game.answer))]
    lines.append(f"Known: {' '.join(known)}")
    for letter, times in hints.needed.items():
        if known.count(letter) < times:
            places = sorted({*hints.elsewhere[letter]})
            not_here = listing([_ORDINALS[place - 1] for place in places], "or")
            has = f"The word has {letter}{_times(times)}"
            lines.append(f"{has}, but not as the {not_here} letter.")
    if absent := hints.absent:
        lines.append(f"The word does not have {listing(absent, 'or')}.")
    lines.append(_left(game))
    return "\n".join(lines)


def _marked(guess: str, marks: str) -> str:
    return ", ".join(
        [f"{letter}: {_COLOURS[m]}" for letter, m in zip(guess, marks, strict=True)]
    )


def _hint_not_used(guess: str, hint: Hint) -> str:
    if hint.position:
        ordinal = _ORDINALS[hint.position - 1]
        missing = f"its {ordinal} letter has to be {hint.letter}, which was green."
    else:
        missing = f"it has to contain {hint.letter}{_times(hint.times)}."
    return f"{guess} cannot be guessed in hard mode: {missing} It costs no guess."


def _left(game: WordleGame) -> str:
    return f"You have {_guesses(game.left)} left."


def _guesses(count: int) -> str:
    return "1 guess" if count == 1 else f"{count} guesses"


def _times(count: int) -> str:
    return f" {_NUMBERS.get(count, f'{count} times')}" if count > 1 else ""
