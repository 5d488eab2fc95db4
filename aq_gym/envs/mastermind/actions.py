"""Reading a text as a guess."""

from __future__ import annotations

import re
from functools import lru_cache

from aq_gym.envs.mastermind.logic import RESERVED, Rules

_FORM = "Guess: "
_PREFIX = re.compile(r"[\s\"'`]*guess\b", re.IGNORECASE)
_DROP_RESERVED = str.maketrans(dict.fromkeys(RESERVED))


def read(rules: Rules, action: str) -> str:
    """Read a guess: ``5618``, ``5 6 1 8``, ``Guess: 5618`` and the like.

    Args:
        rules: The form of a code.
        action: Any text.

    Returns:
        The guess, or "" if the text is not one.
    """
    # The form in the instructions, checked first because it is the most frequent.
    guess = action.removeprefix(_FORM)
    if rules.fits(guess):
        return guess
    return next(filter(rules.fits, readings(rules, action)), "")


def write(code: str) -> str:
    """Return a guess as an action."""
    return _FORM + code


def readings(rules: Rules, action: str) -> list[str]:
    """Return the candidates for a guess: the text after "guess", then all of it."""
    named = _PREFIX.match(action)
    parts = [action[named.end() :], action] if named else [action]
    case = _other_case(rules.symbols)
    return [
        "".join(part.translate(_DROP_RESERVED).split()).translate(case)
        for part in parts
    ]


@lru_cache
def _other_case(symbols: str) -> dict[int, str]:
    """Return a table to the symbols' case, empty if two differ only in case."""
    if len({symbol.casefold() for symbol in symbols}) < len(symbols):
        return {}
    others = {
        ord(other): symbol
        for symbol in symbols
        for other in (symbol.upper(), symbol.lower())
        if len(other) == 1
    }
    return others | {ord(symbol): symbol for symbol in symbols}
