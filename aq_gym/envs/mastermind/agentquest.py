"""AgentQuest's protocol of Mastermind, written from its published code."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.mastermind.game import DIGITS, MastermindGame, Rules
from aq_gym.envs.mastermind.protocol import MastermindProtocol, all_codes
from aq_gym.papers.agentquest import chat, words

_GUESS = re.compile(r"guess:\s*(\d+)")
_NOTEBOOK = "agents/mastermind-openai-chat-model-with-metrics.ipynb"
_FORM = "Write a guess in this form: Guess: <number>"
# Our texts, used if there is no checkout with AgentQuest's.
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
_NOUNS = ("digit", "position")


class AgentQuestProtocol(MastermindProtocol):
    """AgentQuest's protocol: a guess is a number of any length.

    A guess loses its leading zeros, so no code begins with 0. Digits beyond the code's
    length are cut off. A shorter guess is compared with the code's first digits.

    The sentences are read from the user's checkout of AgentQuest; without a checkout
    our own are used.
    """

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True

    def __init__(self, rules: Rules) -> None:
        if not rules.repeats or rules.symbols != DIGITS:
            raise ValueError("protocol='agentquest': symbols and repeats are fixed")
        # 0 comes last, because the expert's first guess begins with the first symbol.
        super().__init__(Rules(rules.code_length, DIGITS[1:] + DIGITS[:1], True))
        self.code_form += ", the first not 0: guesses lose their leading zeros"
        self._words = words("mastermind", _OURS)

    def opening(self, instructions: bool) -> str:
        """Return the first observation, which always explains the game."""
        (text,) = self._words["get_initial_instructions"]
        return self._words["reset"][0].fill(text.fill(), self.rules.code_length)

    def random_code(self, rng: np.random.Generator) -> str:
        """Draw a code that a guess can equal."""
        while (code := self.rules.random_code(rng)).startswith("0"):
            pass
        return code

    def code_of(self, task_id: str) -> str | None:
        """Parse a code that a guess can equal; None if it is not one."""
        return None if task_id.startswith("0") else self.rules.code_of(task_id)

    def guesses(self) -> tuple[str, ...]:
        """List the guesses that do not begin with 0."""
        codes = all_codes(self.rules)
        return tuple(f"Guess: {code}" for code in codes if code[0] != "0")

    def advice(self, game: MastermindGame, guess: str) -> str:
        """Return the expert's guess, or the code if that guess begins with 0."""
        return game.code if guess[0] == "0" else guess

    def extra_info(self, game: MastermindGame) -> dict[str, Any]:
        """Return AgentQuest's progress, whose state begins with zeros."""
        exact = game.feedback.exact if game.guess else game.code.count("0")
        return {"agentquest_progress": exact / len(game.code)}

    def read(self, game: MastermindGame, text: str) -> str | None:
        """Find a number of any length anywhere in an answer."""
        if not (match := _GUESS.search(text.lower())):
            return None
        digits = "".join(str(int(digit)) for digit in match[1])
        return digits.lstrip("0") or "0"

    def play(self, game: MastermindGame, guess: str) -> Turn:
        """Answer a guess with both counts."""
        won, wrong = self._words["step"]
        exact, other = game.play(guess[: len(game.code)])
        if game.solved:
            return Turn(won.fill())
        counts = [f"{w}s" if n > 1 else w for n in (exact, other) for w in _NOUNS]
        return Turn(wrong.fill(exact, *counts[:2], other, *counts[2:]))

    def refuse(self, game: MastermindGame, text: str) -> Turn:
        """Describe the form of a guess."""
        return Turn.invalid(self._words["parse_agent_output"][0].fill())

    def prompt(self, game: MastermindGame) -> PublishedPrompt | None:
        """Return the messages of AgentQuest's notebook."""
        return chat(_NOTEBOOK)
