"""Parse a text into a guess, and format one."""

from __future__ import annotations

import re

from aq_gym.core.text import normalize
from aq_gym.envs.hangman.logic.words import LENGTHS

_FORM = "Guess: "
_BEFORE = r"(?:guess\b[ :=]*)?"
_NAMED = r"(?:the )?(?:letter|word)\b(?: is\b)?[ :=]*"
_OPENING, _CLOSING = r"[\"'`(\[*]*", r"[\"'`)\]*.!]*"
_GUESS = re.compile(rf"{_BEFORE}(?:{_NAMED})?{_OPENING}([a-z]+){_CLOSING}")
# Without "word" it might be a list of letters, which is more than one guess.
_SPELLED = re.compile(
    rf"{_BEFORE}(?:the )?word\b(?: is\b)?[ :=]*{_OPENING}"
    rf"([a-z](?:[ -][a-z])+){_CLOSING}"
)
_JOIN = str.maketrans("", "", " -")


def read(action: str) -> str:
    """Parse a guess: ``e``, ``letter e``, ``Guess: e``, ``apple`` and the like.

    Args:
        action: Any text.

    Returns:
        A letter or a word of 3 to 12 letters in lower case; "" if the text is neither.
    """
    guess = action.removeprefix(_FORM)
    if not (guess.isascii() and guess.isalpha() and guess.islower()):
        text = normalize(action)
        match = _GUESS.fullmatch(text) or _SPELLED.fullmatch(text)
        guess = match[1].translate(_JOIN) if match else ""
    return guess if len(guess) == 1 or len(guess) in LENGTHS else ""


def write(guess: str) -> str:
    """Write a guess as an agent would."""
    return _FORM + guess
