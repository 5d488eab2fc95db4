"""The texts of Cipher, and the answers to solutions and tools."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from aq_gym.core.help import WORKS
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import plural
from aq_gym.envs.cipher import actions
from aq_gym.envs.cipher.actions import (
    MOST,
    Action,
    Coincidence,
    Column,
    Decipher,
    Frequencies,
    Guess,
    Problem,
)
from aq_gym.envs.cipher.ciphers import Adfgvx, CipherName, Key
from aq_gym.envs.cipher.game import (
    Cryptogram,
    coincidence,
    column,
    frequencies,
    grammar,
)
from aq_gym.envs.cipher.keys import KeySizes, draw_key, key_size, write_key

_TITLES: dict[CipherName, str] = {
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
_HELP = (
    f"To give your solution, write: {_GUESS_FORM}\n"
    f"Or use a tool on the ciphertext, one a turn (at most {MOST} rails, columns or "
    "letters of a keyword):\n" + "\n".join(f"  {line}" for line in _TOOL_LINES)
)


class CipherProtocol(Protocol[Cryptogram, Action]):
    """Our protocol: its texts, and tools besides solutions.

    Args:
        sizes: The sizes of the keys.
        sentences: The number of sentences of a text.
        threshold: The similarity that counts as solved.
    """

    prefix: ClassVar[str] = actions.PREFIX

    def __init__(self, sizes: KeySizes, sentences: int, threshold: float) -> None:
        self._sizes = sizes
        self._sentences = sentences
        self._threshold = threshold

    def goal(self, cipher: CipherName) -> str:
        """State the goal in one sentence."""
        title = _TITLES[cipher]
        return f"Find the English text behind a ciphertext made with the {title}."

    def opening(self, game: Cryptogram, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the task."""
        opening = _ciphertext(game)
        if instructions:
            opening = f"{self._instructions(game.instance.cipher)}\n{opening}"
        return opening

    def encipher(self, key: Key, text: str) -> str:
        """Return a ciphertext."""
        return key.encipher(text)

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a tool with any arguments, or a solution."""
        kind = int(rng.integers(8))
        if kind == 0:
            return self._sample_solution(rng)
        if kind == 1:
            return ("frequencies", "ciphertext", "atbash")[int(rng.integers(3))]
        period = int(rng.integers(1, 21))
        if kind == 2:
            return f"column {int(rng.integers(1, period + 1))} of {period}"
        if kind == 3:
            return f"coincidence {period}"
        if kind == 4:
            return f"rails {int(rng.integers(2, 16))}"
        if kind == 5:
            return f"vigenere {write_key(draw_key('vigenere', 'easy', rng))}"
        if kind == 6:
            affine = write_key(draw_key("affine", "easy", rng))
            return f"affine {affine.replace('.', ' ')}"
        return f"shift {int(rng.integers(1, 26))}"

    def extra_info(self, game: Cryptogram) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def read(self, game: Cryptogram, text: str) -> Action | None:
        """Read a solution or a tool."""
        action = actions.read(text)
        return None if isinstance(action, Problem) else action

    def write(self, game: Cryptogram, action: Action) -> str:
        """Write an action in its canonical form."""
        return actions.write(action)

    def play(self, game: Cryptogram, action: Action) -> Turn:
        """Compare a solution with the text, or use a tool on the ciphertext."""
        match action:
            case Guess(text):
                return self._guess(game, text)
            case Decipher(key, name):
                if isinstance(key, Adfgvx) and game.instance.cipher != "adfgvx":
                    return Turn.invalid(
                        "adfgvx needs a ciphertext of the letters A, D, F, G, V and X "
                        "alone, and this one has others."
                    )
                return Turn(f"{name} gives:\n{game.decipher(key)}")
            case Frequencies():
                counts = frequencies(game.ciphertext)
                total = plural(sum(count for _, count in counts), "letter")
                return Turn(f"The ciphertext has {total}: {_listed(counts)}.")
            case Column(start, period):
                counts = frequencies(column(game.ciphertext, start, period))
                found = _listed(counts) or "no letters"
                return Turn(f"Column {start} of {period} has {found}.")
            case Coincidence(period):
                index = coincidence(game.ciphertext, period)
                return Turn(
                    f"The index of coincidence of {plural(period, 'column')} is "
                    f"{index:.3f}. "
                    "(English has 0.066, letters drawn evenly have 0.038.)"
                )
        return Turn(_ciphertext(game))

    def refuse(self, game: Cryptogram, text: str) -> Turn:
        """Explain why a text is not an action."""
        problem = actions.read(text)
        why = problem.why if isinstance(problem, Problem) else ""
        return Turn.invalid(
            f"{why} Write {_GUESS_FORM}, or use a tool (help lists them). "
            f"{WORKS}frequencies."
        )

    def help(self, game: Cryptogram) -> str:
        """Return the forms of a solution and of every tool."""
        return _HELP

    def _guess(self, game: Cryptogram, text: str) -> Turn:
        if game.guess(text) >= self._threshold:
            return Turn(f"Solved! The text is: {game.plaintext}")
        return Turn("That is not the text: too few letters agree. Try again.")

    def _sample_solution(self, rng: np.random.Generator) -> str:
        numbers = tuple(grammar().draw(rng) for _ in range(self._sentences))
        return f"Plain text: {grammar().text(numbers)}"

    def _instructions(self, cipher: CipherName) -> str:
        how = _HOW[cipher]
        if "{fewest}" in how:
            fewest, most = key_size(cipher, self._sizes)
            # If only one number is possible, the form shows no range.
            span = how if fewest < most else how.replace("{fewest} to {most}", "{most}")
            how = span.format(fewest=fewest, most=most)
        sentences = plural(self._sentences, "plain English sentence")
        return (
            f"A text of {sentences} was enciphered with the {_TITLES[cipher]}. Find "
            f"the text.\n{how}\n"
            f"Your solution counts as right if at least {self._threshold * 100:g}% of "
            "its letters agree with the text; capitals, spaces and punctuation do not "
            f"count. You can try as often as you have turns.\n{_HELP}"
        )


def _ciphertext(game: Cryptogram) -> str:
    return f"The ciphertext ({_TITLES[game.instance.cipher]}):\n{game.ciphertext}"


def _listed(counts: list[tuple[str, int]]) -> str:
    return ", ".join([f"{letter} {count}" for letter, count in counts])
