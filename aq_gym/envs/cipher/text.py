"""Cipher's words: instructions and answers."""

from __future__ import annotations

from aq_gym.core.text import plural
from aq_gym.envs.cipher.actions import MOST, Coincidence, Column, Decipher
from aq_gym.envs.cipher.logic.ciphers import CipherName
from aq_gym.envs.cipher.logic.keys import Sizes, key_size

TITLES: dict[CipherName, str] = {
    "caesar": "Caesar cipher",
    "atbash": "Atbash cipher",
    "affine": "affine cipher",
    "vigenere": "Vigenere cipher",
    "railfence": "rail fence cipher",
    "adfgvx": "ADFGVX cipher",
}
_HOW: dict[CipherName, str] = {
    "caesar": (
        "Each letter was replaced by the letter that stands a fixed number of places "
        "further down the alphabet, from 1 to 25, and after z comes a. The key is that "
        "number."
    ),
    "atbash": (
        "Each letter was replaced by its mirror image in the alphabet: a by z, b by y, "
        "and so on. There is no key."
    ),
    "affine": (
        "With the letters numbered from a = 0 to z = 25, the letter x was replaced by "
        "the letter A * x + B modulo 26. The key is the factor A, which is coprime to "
        "26 and not 1, and the offset B."
    ),
    "vigenere": (
        "The text was written under a keyword that is repeated, and each letter was "
        "moved down the alphabet by its letter of the keyword: by 0 places for a, by 1 "
        "for b, and so on. Spaces and punctuation were kept, but use up a letter of "
        "the keyword too. The keyword has {fewest} to {most} letters."
    ),
    "railfence": (
        "The text, with its spaces and punctuation, was written in a zigzag down and "
        "up over a number of rails, and then read rail by rail. The key is the number "
        "of rails, from {fewest} to {most}."
    ),
    "adfgvx": (
        "A square of 6 rows and 6 columns, both named A, D, F, G, V, X, holds the 26 "
        "letters and 10 digits in some order. Each letter of the text, without spaces "
        "and punctuation, was replaced by the names of its row and its column. The "
        "result was written in rows under a keyword of {fewest} to {most} different "
        "letters, and read column by column in the alphabetical order of the keyword's "
        "letters. The key is the square and the keyword."
    ),
}
_GUESS_FORM = "Plain text: <the whole text>"
_TOOL_LINES = (
    "frequencies - count the letters of the ciphertext",
    "column 2 of 5 - count the letters of every 5th character, from the 2nd on",
    "coincidence 5 - the index of coincidence of 5 such columns",
    "shift 3 - move each letter back by 3 places",
    "atbash - mirror the alphabet",
    "affine 5 8 - undo A = 5, B = 8",
    "vigenere lemon - undo the keyword lemon",
    "rails 4 - undo 4 rails",
    "adfgvx SQUARE KEYWORD - undo a square, its 36 symbols row by row, and a keyword",
    "ciphertext - show the ciphertext again",
)


def goal(cipher: CipherName) -> str:
    """Return the goal in one sentence."""
    return f"Find the English text behind a ciphertext made with the {TITLES[cipher]}."


def help_text() -> str:
    """Return the forms of all actions."""
    tools = "\n".join(f"  {line}" for line in _TOOL_LINES)
    return (
        f"To give your solution, write: {_GUESS_FORM}\n"
        f"Or use a tool on the ciphertext, one a turn (at most {MOST} rails, columns "
        f"or letters of a keyword):\n{tools}"
    )


def instructions(
    cipher: CipherName, band: Sizes, sentences: int, threshold: float
) -> str:
    """Explain the task to an agent that has never seen it."""
    how = _HOW[cipher]
    if "{fewest}" in how:
        fewest, most = key_size(cipher, band)
        # A band of one size has one number.
        span = how if fewest < most else how.replace("{fewest} to {most}", "{most}")
        how = span.format(fewest=fewest, most=most)
    return (
        f"A text of {plural(sentences, 'plain English sentence')} was enciphered with "
        f"the {TITLES[cipher]}. Find the text.\n{how}\n"
        f"Your solution counts as right if at least {threshold * 100:g}% of its "
        "letters agree with the text; capitals, spaces and punctuation do not count. "
        f"You can try as often as you have turns.\n{help_text()}"
    )


def opening(cipher: CipherName, ciphertext: str) -> str:
    """Show the ciphertext."""
    return f"The ciphertext ({TITLES[cipher]}):\n{ciphertext}"


def not_yet() -> str:
    """Answer a wrong guess."""
    return "That is not the text: too few letters agree. Try again."


def solved(plaintext: str) -> str:
    """Answer a right guess."""
    return f"Solved! The text is: {plaintext}"


def computation(action: Decipher, result: str) -> str:
    """Show a deciphered text."""
    return f"{action.name} gives:\n{result}"


def frequencies(counts: list[tuple[str, int]]) -> str:
    """Show how often each letter occurs."""
    total = sum(count for _, count in counts)
    return f"The ciphertext has {plural(total, 'letter')}: {_listed(counts)}."


def column(action: Column, counts: list[tuple[str, int]]) -> str:
    """Show how often each letter of a column occurs."""
    found = _listed(counts) or "no letters"
    return f"Column {action.start} of {action.period} has {found}."


def coincidence(action: Coincidence, index: float) -> str:
    """Show an index of coincidence."""
    count = plural(action.period, "column")
    return (
        f"The index of coincidence of {count} is {index:.3f}. "
        "(English has 0.066, letters drawn evenly have 0.038.)"
    )


def problem(why: str) -> str:
    """Explain why a text is not an action."""
    return f"{why} Write {_GUESS_FORM}, or use a tool (help lists them)."


def not_adfgvx() -> str:
    """Explain why adfgvx can't be undone."""
    return (
        "adfgvx needs a ciphertext of the letters A, D, F, G, V and X alone, and this "
        "one has others."
    )


def _listed(counts: list[tuple[str, int]]) -> str:
    return ", ".join([f"{letter} {count}" for letter, count in counts])
