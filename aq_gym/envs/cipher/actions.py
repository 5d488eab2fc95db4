"""The actions (solutions, deciphering, counts), and their parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from aq_gym.core.text import QUOTES, listing, quote
from aq_gym.envs.cipher.ciphers import (
    ALPHABET,
    FACTORS,
    SQUARE_SYMBOLS,
    Adfgvx,
    Affine,
    Atbash,
    Caesar,
    Key,
    RailFence,
    Vigenere,
    letters,
)

# The limit for rails, for columns and for the letters of a keyword.
MOST = 30
# The words before a solution in its canonical text.
PREFIX = "Plain text: "
_TRIM = "".join(QUOTES) + " \t\n\r\f\v.!*"
_GUESS = re.compile(
    r"^[ \t\"'`*#>]*(?:(?:(?:my|the|your|final)[ \t]+)*(?:guess|answer|solution|"
    r"plain[ \t_-]?text|(?:decrypted|deciphered|decoded)[ \t]+(?:text|message))"
    r"(?:[ \t]+is)?[ \t*\"'`]*[:=][ \t*\"'`]*)+",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK_LINE = re.compile(r"\n\s*\n")
_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")


class Guess(NamedTuple):
    """A guess at the text."""

    text: str


class Decipher(NamedTuple):
    """A request to decipher the ciphertext with a key."""

    key: Key
    name: str


class Frequencies(NamedTuple):
    """A request to count all letters."""


class Show(NamedTuple):
    """A request to show the ciphertext again."""


class Column(NamedTuple):
    """A request to count the letters of one column.

    Attributes:
        start: The column, from 1.
        period: The number of columns.
    """

    start: int
    period: int


class Coincidence(NamedTuple):
    """A request for the index of coincidence."""

    period: int


class Problem(NamedTuple):
    """The reason why a text is not an action."""

    why: str


Action: TypeAlias = Guess | Decipher | Frequencies | Show | Column | Coincidence


def read(text: str) -> Action | Problem:
    """Parse an action, or return the reason why the text is invalid.

    A solution is the paragraph after the last line that begins with its marker.
    """
    if markers := list(_GUESS.finditer(text)):
        following = text[markers[-1].end() :].strip()
        guessed = _BLANK_LINE.split(following, maxsplit=1)[0]
        return Guess(guessed) if letters(guessed) else Problem("It has no letters.")
    words = text.strip(_TRIM).lower().replace(",", " ").replace("=", " ").split()
    if words and words[0] in _FILLERS:
        words = words[1:]
    for length in (3, 2, 1):
        name = " ".join(words[:length])
        if name in _TOOLS and len(words) >= length:
            return _TOOLS[name](words[length:])
    return Problem(f"{quote(text)} is neither a solution nor a tool.")


def write(action: Action) -> str:
    """Return the canonical text of an action; only the letters of a solution count."""
    match action:
        case Guess(text):
            return PREFIX + letters(text).decode()
        case Decipher(_, name):
            return name
        case Frequencies():
            return "frequencies"
        case Column(start, period):
            return f"column {start} of {period}"
        case Coincidence(period):
            return f"coincidence {period}"
    return "ciphertext"


def _numbers(words: list[str], count: int) -> list[int] | None:
    """Parse whole numbers, ignoring words such as "by" and "of" between them."""
    bare = [word for word in words if word not in _FILLERS]
    if len(bare) != count or not all(map(_NUMBER.fullmatch, bare)):
        return None
    return list(map(int, bare))


def _shift(words: list[str]) -> Action | Problem:
    numbers = _numbers(words, 1)
    if numbers is None:
        return Problem("shift needs one whole number, as shift 3.")
    return Decipher(Caesar(numbers[0] % 26), f"shift {numbers[0]}")


def _atbash(words: list[str]) -> Action | Problem:
    if words:
        return Problem("atbash takes no number or word: write atbash alone.")
    return Decipher(Atbash(), "atbash")


def _affine(words: list[str]) -> Action | Problem:
    numbers = _numbers(words, 2)
    if numbers is None:
        return Problem("affine needs two whole numbers, as affine 5 8.")
    factor, offset = numbers[0] % 26, numbers[1]
    if factor not in FACTORS:
        allowed = listing(tuple(map(str, FACTORS)), "or")
        return Problem(f"affine needs a factor coprime to 26: {allowed}.")
    name = f"affine {numbers[0]} {offset}"
    return Decipher(Affine(factor, offset % 26), name)


def _vigenere(words: list[str]) -> Action | Problem:
    keyword = words[0].strip(_TRIM) if len(words) == 1 else ""
    if not 1 <= len(keyword) <= MOST or not set(keyword) <= set(ALPHABET):
        return Problem(
            f"vigenere needs one keyword of 1 to {MOST} letters, as vigenere lemon."
        )
    return Decipher(Vigenere(keyword), f"vigenere {keyword}")


def _rails(words: list[str]) -> Action | Problem:
    numbers = _numbers(words, 1)
    if numbers is None or not 2 <= numbers[0] <= MOST:
        return Problem(f"rails needs one whole number from 2 to {MOST}, as rails 4.")
    return Decipher(RailFence(numbers[0]), f"rails {numbers[0]}")


def _adfgvx(words: list[str]) -> Action | Problem:
    square, keyword = words if len(words) == 2 else ("", "")
    lettered = 1 <= len(keyword) <= MOST and set(keyword) <= set(ALPHABET)
    if sorted(square) != sorted(SQUARE_SYMBOLS) or not lettered:
        return Problem(
            "adfgvx needs the square, row by row and each of the 26 letters and 10 "
            f"digits once, then the keyword of 1 to {MOST} letters."
        )
    return Decipher(Adfgvx(square, keyword), f"adfgvx {square} {keyword}")


def _frequencies(words: list[str]) -> Action | Problem:
    if words:
        return Problem(
            "frequencies takes no number or word; for one column, write column 2 of 5."
        )
    return Frequencies()


def _show(words: list[str]) -> Action | Problem:
    if words:
        return Problem("ciphertext takes no number or word: write ciphertext alone.")
    return Show()


def _column(words: list[str]) -> Action | Problem:
    numbers = _numbers(words, 2)
    if numbers is None or not 1 <= numbers[0] <= numbers[1] <= MOST:
        return Problem(
            f"column needs a column and the number of columns, at most {MOST}, "
            "as column 2 of 5."
        )
    return Column(numbers[0], numbers[1])


def _coincidence(words: list[str]) -> Action | Problem:
    numbers = _numbers(words, 1)
    if numbers is None or not 1 <= numbers[0] <= MOST:
        return Problem(
            f"coincidence needs a number of columns from 1 to {MOST}, as coincidence 5."
        )
    return Coincidence(numbers[0])


_FILLERS = frozenset(
    {"by", "of", "with", "a", "b", "use", "try", "tool:", "key", "keyword"}
)
_TOOLS: dict[str, Callable[[list[str]], Action | Problem]] = {
    "shift": _shift,
    "caesar": _shift,
    "caesar shift": _shift,
    "rot": _shift,
    "atbash": _atbash,
    "affine": _affine,
    "vigenere": _vigenere,
    "vigen\u00e8re": _vigenere,
    "vigenere key": _vigenere,
    "rails": _rails,
    "rail fence": _rails,
    "railfence": _rails,
    "adfgvx": _adfgvx,
    "frequencies": _frequencies,
    "frequency": _frequencies,
    "letter frequencies": _frequencies,
    "frequency analysis": _frequencies,
    "ciphertext": _show,
    "show ciphertext": _show,
    "column": _column,
    "coincidence": _coincidence,
    "index of coincidence": _coincidence,
}
