"""AgentQuest's rules for texts, guesses and answers.

Written from its published code. Its sentences are read from the user's checkout;
without one the texts are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from aq_gym.core.results import Turn
from aq_gym.envs.mastermind.logic import MastermindGame, Rules
from aq_gym.papers.agentquest import words

_GUESS = re.compile(r"guess:\s*(\d+)")
_FORM = "Write a guess in this form: Guess: <number>"
_OURS = {
    "get_initial_instructions": (
        f"Find the secret number. I answer each guess with two counts.\n{_FORM}\n",
    ),
    "reset": ("{}Make your first guess of {} digits.",),
    "step": (
        "You have found the number!",
        "No. {} correct {} in the right {}, {} correct {} in a wrong {}. Go on.",
    ),
    "parse_agent_output": (f"That is not a guess. {_FORM}",),
}


class AgentQuest:
    """AgentQuest's driver of Mastermind.

    A guess is a number: it loses its leading zeros, and what is longer than the code is
    cut off. A shorter one is compared with the code's first digits.
    """

    def __init__(self) -> None:
        self._words = words("mastermind", _OURS)

    def opening(self, length: int) -> str:
        """Return the first text."""
        (rules,) = self._words["get_initial_instructions"]
        return self._words["reset"][0].fill(rules.fill(), length)

    def read(self, action: str) -> str:
        """Return the guess in a text, of any length, "" if it has none."""
        match = _GUESS.search(action.lower())
        digits = "".join(str(int(digit)) for digit in match[1]) if match else ""
        return digits.lstrip("0") or digits[:1]

    def play(self, game: MastermindGame, action: str) -> Turn:
        """Make a guess."""
        guess = self.read(action)[: len(game.code)]
        if not guess:
            return Turn.invalid(self._words["parse_agent_output"][0].fill())
        won, wrong = self._words["step"]
        exact, other = game.play(guess)
        if game.solved:
            return Turn(won.fill())
        counts = [f"{w}s" if n > 1 else w for n in (exact, other) for w in _NOUNS]
        return Turn(wrong.fill(exact, *counts[:2], other, *counts[2:]))

    def progress(self, game: MastermindGame) -> float:
        """Return AgentQuest's progress: before the first guess the state is zeros."""
        exact = game.feedback.exact if game.guess else game.code.count("0")
        return exact / len(game.code)


_NOUNS = ("digit", "position")


def findable(rules: Rules, task_id: str) -> str | None:
    """Parse a code that a guess can equal; None if it is invalid or begins with 0."""
    return None if task_id.startswith("0") else rules.code_of(task_id)


def random_findable(rules: Rules, rng: np.random.Generator) -> str:
    """Draw a code that a guess can equal."""
    while (code := rules.random_code(rng)).startswith("0"):
        pass
    return code


DRIVERS: dict[str, Callable[[], AgentQuest | None]] = {
    "aq": lambda: None,
    "agentquest": AgentQuest,
}
