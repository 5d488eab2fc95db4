"""AgentQuest's rules for texts, solutions and answers.

Written from its published code. Its sentences are read from the user's checkout;
without one the texts are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rapidfuzz.distance import Indel

from aq_gym.core.results import Turn
from aq_gym.envs.cipher.logic.ciphers import Adfgvx, CipherName, Key, columnar
from aq_gym.envs.cipher.logic.instance import Cryptogram
from aq_gym.envs.cipher.logic.square import square
from aq_gym.envs.cipher.text import goal
from aq_gym.papers.agentquest import words

_TEXT = re.compile(r"plain text:\s*(.+)")
_FORM = "Write your solution in this form: Plain Text: <text>"
_OURS = {
    "reset": (f"{{}}\n{{}}\n{_FORM}\n",),
    "step": ("You have found the text.", "That is not the text. Try again."),
    "parse_agent_output": (f"That is not a solution. {_FORM}",),
}


class AgentQuest:
    """AgentQuest's driver of Cipher, which has no tools.

    Solutions are read in lower case and compared by all of their characters.
    """

    def __init__(self) -> None:
        self._words = words("cipher", _OURS)

    def opening(self, cipher: CipherName, ciphertext: str) -> str:
        """Return the first text."""
        ours = {"get_initial_instructions": (goal(cipher),)}
        rules = words("cipher", ours, f"algorithms/{cipher}.py")
        (said,) = rules["get_initial_instructions"]
        return self._words["reset"][0].fill(said.fill(), ciphertext)

    def encipher(self, key: Key, text: str) -> str:
        """Return a ciphertext; the last row of ADFGVX is filled up with X."""
        if not isinstance(key, Adfgvx):
            return key.encipher(text)
        written = square(key.square).write(text)
        written += b"X" * (-len(written) % len(key.keyword))
        return columnar(len(written), key.keyword).apply(written).decode("ascii")

    def read(self, action: str) -> str:
        """Return the solution in a text, "" if it has none."""
        match = _TEXT.search(action.lower())
        return match[1] if match else ""

    def play(self, puzzle: Cryptogram, action: str, threshold: float) -> Turn:
        """Make a guess."""
        solution = self.read(action)
        if not solution:
            return Turn.invalid(self._words["parse_agent_output"][0].fill())
        near = Indel.normalized_similarity(solution, puzzle.plaintext)
        puzzle.guess(solution, near)
        won, wrong = self._words["step"]
        return Turn((won if near >= threshold else wrong).fill())


DRIVERS: dict[str, Callable[[], AgentQuest | None]] = {
    "aq": lambda: None,
    "agentquest": AgentQuest,
}
