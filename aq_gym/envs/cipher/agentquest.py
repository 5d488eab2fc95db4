"""AgentQuest's protocol of Cipher, written from its published code."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np
from rapidfuzz.distance import Indel

from aq_gym.core.results import Turn
from aq_gym.envs.cipher.actions import Action, Guess
from aq_gym.envs.cipher.ciphers import Adfgvx, Key, columnar, square
from aq_gym.envs.cipher.game import Cryptogram
from aq_gym.envs.cipher.keys import KeySizes
from aq_gym.envs.cipher.protocol import CipherProtocol
from aq_gym.papers.agentquest import words

_TEXT = re.compile(r"plain text:\s*(.+)")
_FORM = "Write your solution in this form: Plain Text: <text>"
# Our texts, used if there is no checkout with AgentQuest's.
_OURS = {
    "reset": (f"{{}}\n{{}}\n{_FORM}\n",),
    "step": ("You have found the text.", "That is not the text. Try again."),
    "parse_agent_output": (f"That is not a solution. {_FORM}",),
}


class AgentQuestProtocol(CipherProtocol):
    """AgentQuest's protocol, which has no tools.

    Solutions are converted to lower case and compared by all their characters. The
    sentences are read from the user's checkout of AgentQuest; without a checkout our
    own are used.
    """

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True
    prefix: ClassVar[str] = "Plain Text: "

    def __init__(self, sizes: KeySizes, sentences: int, threshold: float) -> None:
        super().__init__(sizes, sentences, threshold)
        self._words = words("cipher", _OURS)

    def opening(self, game: Cryptogram, instructions: bool) -> str:
        """Return the first observation, which always explains the task."""
        cipher = game.instance.cipher
        defaults = {"get_initial_instructions": (self.goal(cipher),)}
        rules = words("cipher", defaults, f"algorithms/{cipher}.py")
        (text,) = rules["get_initial_instructions"]
        return self._words["reset"][0].fill(text.fill(), game.ciphertext)

    def encipher(self, key: Key, text: str) -> str:
        """Return a ciphertext; the last row of ADFGVX is filled up with X."""
        if not isinstance(key, Adfgvx):
            return key.encipher(text)
        written = square(key.square).write(text)
        written += b"X" * (-len(written) % len(key.keyword))
        return columnar(len(written), key.keyword).apply(written).decode("ascii")

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a solution."""
        return self._sample_solution(rng)

    def extra_info(self, game: Cryptogram) -> dict[str, Any]:
        """Return AgentQuest's progress."""
        return {"agentquest_progress": round(game.marks.similarity, 3)}

    def read(self, game: Cryptogram, text: str) -> Action | None:
        """Find a solution anywhere in an answer."""
        match = _TEXT.search(text.lower())
        return Guess(match[1]) if match else None

    def write(self, game: Cryptogram, action: Action) -> str:
        """Write a solution as an agent would."""
        assert isinstance(action, Guess)
        return self.prefix + action.text

    def play(self, game: Cryptogram, action: Action) -> Turn:
        """Compare a solution with the text."""
        assert isinstance(action, Guess)
        near = Indel.normalized_similarity(action.text, game.plaintext)
        game.guess(action.text, near)
        won, wrong = self._words["step"]
        return Turn((won if near >= self._threshold else wrong).fill())

    def refuse(self, game: Cryptogram, text: str) -> Turn:
        """Describe the form of a solution."""
        return Turn.invalid(self._words["parse_agent_output"][0].fill())
