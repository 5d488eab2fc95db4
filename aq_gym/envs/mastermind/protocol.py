"""The texts of Mastermind, and how a guess is read."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import permutations, product
from typing import Any, ClassVar

import numpy as np

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import plural, quote
from aq_gym.envs.mastermind.game import RESERVED, MastermindGame, Rules

_FORM = "Guess: "
_PREFIX = re.compile(r"[\s\"'`]*guess\b", re.IGNORECASE)
_DROP_RESERVED = str.maketrans(dict.fromkeys(RESERVED))


class MastermindProtocol(Protocol[MastermindGame, str]):
    """Our protocol: a guess has exactly the form of a code.

    An action is a guess.

    Args:
        rules: The form of a code.

    Attributes:
        rules: The form of a code.
        code_form: A description of the codes that can be hidden.
    """

    prefix: ClassVar[str] = _FORM

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        symbols = rules.symbols
        unit = self._unit = "digit" if symbols.isdecimal() else "symbol"
        self._length = plural(rules.code_length, unit)
        limit = "" if rules.repeats else f", each {unit} at most once"
        self.code_form = f"{self._length} from {symbols}{limit}"
        example = "".join(symbols[i % len(symbols)] for i in range(rules.code_length))
        self._how_to_act = f"Guess with {self.code_form}, in the form: {_FORM}{example}"
        self._to_case = _case_table(symbols)

    def goal(self) -> str:
        """State the goal in one sentence."""
        return f"Find the secret code of {self._length}."

    def opening(self, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the game."""
        request = f"Make your first guess of {self._length}."
        return f"{self._instructions()}\n{request}" if instructions else request

    def random_code(self, rng: np.random.Generator) -> str:
        """Draw a code that can be hidden."""
        return self.rules.random_code(rng)

    def code_of(self, task_id: str) -> str | None:
        """Parse a task id into a code; None if no such code can be hidden."""
        return self.rules.code_of(task_id)

    def guesses(self) -> tuple[str, ...]:
        """List every guess as an action, in the order of the symbols."""
        return all_codes(self.rules)

    def advice(self, game: MastermindGame, guess: str) -> str:
        """Turn the expert's guess into one that the protocol accepts."""
        return guess

    def extra_info(self, game: MastermindGame) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def read(self, game: MastermindGame, text: str) -> str | None:
        """Read a guess: ``5618``, ``5 6 1 8``, ``Guess: 5618`` and the like."""
        # A fast path for the form in the instructions, which is the most frequent one.
        guess = text.removeprefix(_FORM)
        if self.rules.fits(guess):
            return guess
        return next(filter(self.rules.fits, self._readings(text)), None)

    def play(self, game: MastermindGame, guess: str) -> Turn:
        """Answer with both counts in words, as in AgentQuest, section 2.1."""
        exact, misplaced = game.play(guess)
        if game.solved:
            return Turn(f"You won! {guess} is the secret code.")
        return Turn(
            f"Your guess {guess} has {_count(exact, self._unit, 'correct')} and "
            f"{_count(misplaced, self._unit, 'wrong')}. Keep guessing."
        )

    def refuse(self, game: MastermindGame, text: str) -> Turn:
        """Explain why a text is not a guess."""
        why = self._why_not(self._readings(text)[0])
        return Turn.invalid(f"{quote(text)} is not a guess: {why} {self._how_to_act}")

    def help(self, game: MastermindGame) -> str:
        """Describe the form of a guess."""
        return self._how_to_act

    def _instructions(self) -> str:
        unit, symbols = self._unit, self.rules.symbols
        repetition = (
            f"The same {unit} can stand in several positions."
            if self.rules.repeats
            else f"No {unit} stands in more than one position."
        )
        return (
            f"Let us play Mastermind. I have chosen a secret code of {self._length}, "
            f"taken from these {len(symbols)}: {symbols}. {repetition}\n"
            f"After each guess I tell you how many {unit}s are correct and in the "
            f"correct position, and how many further {unit}s are correct but in the "
            "wrong position. You win when your guess is the code; use as few guesses "
            f"as you can.\n{self._how_to_act}"
        )

    def _readings(self, text: str) -> list[str]:
        """Return possible guesses: the text after "guess", then the whole text."""
        named = _PREFIX.match(text)
        parts = [text[named.end() :], text] if named else [text]
        return [
            "".join(part.translate(_DROP_RESERVED).split()).translate(self._to_case)
            for part in parts
        ]

    def _why_not(self, guess: str) -> str:
        rules, unit = self.rules, self._unit
        wrong = next((s for s in guess if s not in rules.alphabet), None)
        if not guess:
            return f"it has no {unit}s."
        if wrong is not None:
            return f"{wrong!r} is not one of {rules.symbols}."
        if len(guess) != rules.code_length:
            return f"it has {plural(len(guess), unit)}, not {rules.code_length}."
        return f"it uses a {unit} more than once."


def _count(count: int, unit: str, place: str) -> str:
    position = "position" if count == 1 else "positions"
    return f"{plural(count, f'correct {unit}')} in the {place} {position}"


def _case_table(symbols: str) -> dict[int, str]:
    """Return a table to the symbols' case; empty if two differ only in case."""
    if len({symbol.casefold() for symbol in symbols}) < len(symbols):
        return {}
    others = {
        ord(other): symbol
        for symbol in symbols
        for other in (symbol.upper(), symbol.lower())
        if len(other) == 1
    }
    return others | {ord(symbol): symbol for symbol in symbols}


@lru_cache(maxsize=2)
def all_codes(rules: Rules) -> tuple[str, ...]:
    """Return every code, at most 7 MB in all; all environments share the list."""
    codes = (
        product(rules.symbols, repeat=rules.code_length)
        if rules.repeats
        else permutations(rules.symbols, rules.code_length)
    )
    return tuple(map("".join, codes))
