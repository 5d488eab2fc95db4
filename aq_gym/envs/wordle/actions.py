"""Reading a text as a guess, and writing one."""

from __future__ import annotations

import re

from aq_gym.core.text import normalize

SHOW_BOARD = "show board"
_FORM = "Guess: "
_GUESS = re.compile(
    r"(?:guess\b[ :=]*)?(?:(?:the )?word\b(?: is\b)?[ :=]*)?"
    r"[\"'`(\[*]*([a-z]+|[a-z](?:[ ,-]{1,2}[a-z])+)[\"'`)\]*.!]*"
)
_BOARD = re.compile(r"(?:show|check)(?: me)?(?: the)? board")
_JOIN = str.maketrans("", "", " ,-")


def read(action: str) -> str:
    """Read a guess: ``crane``, ``c r a n e``, ``Guess: crane`` and the like.

    Args:
        action: Any text.

    Returns:
        A word in lower case, of any length; "" if the text is not one word.
    """
    guess = action.removeprefix(_FORM)
    if guess.isascii() and guess.isalpha() and guess.islower():
        return guess
    match = _GUESS.fullmatch(normalize(action))
    return match[1].translate(_JOIN) if match else ""


def asks_for_board(action: str) -> bool:
    """Return whether a text asks to see the board."""
    return _BOARD.fullmatch(normalize(action)) is not None


def write(guess: str) -> str:
    """Write a guess as an agent would."""
    return _FORM + guess
