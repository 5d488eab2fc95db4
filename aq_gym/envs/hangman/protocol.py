"""AgentQuest's rules for texts, guesses and answers.

Written from its published code. Its sentences and figures are read from the user's
checkout; without one the texts are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from aq_gym.core.results import Turn
from aq_gym.envs.hangman.logic.game import HangmanGame
from aq_gym.papers.agentquest import words

LIVES = 6
_LETTER = re.compile(r"letter:\s*([a-z])")
_FORM = "Write a guess in this form: Letter: <letter>"
_OURS = {
    "get_initial_instructions": (f"Find the hidden word letter by letter. {_FORM}\n",),
    "reset": ("{}It has {} letters.\n{}",),
    "step": (
        "You have tried {} before.\n{}",
        "Yes, the word has {}. \n",
        "No, the word has no {}. \n",
        "You have lost. It was {}. \n",
        "You have found it. \n",
    ),
    "parse_agent_output": (f"That is not a guess. {_FORM}",),
    "describe_state": ("Word: {}\nLives: {}\nTried: {}\n{}\n{}\n",),
    "display_states": tuple(f"[{'x' * n:6}]" for n in range(LIVES + 1)),
}


class AgentQuest:
    """AgentQuest's driver of Hangman, which knows letters only."""

    def __init__(self) -> None:
        self._words = words("hangman", _OURS)

    def opening(self, game: HangmanGame) -> str:
        """Return the first text."""
        (rules,) = self._words["get_initial_instructions"]
        return self._words["reset"][0].fill(
            rules.fill(), len(game.word), self._state(game)
        )

    def read(self, action: str) -> str:
        """Return the letter in a text, "" if it has none."""
        match = _LETTER.search(action.lower())
        return match[1] if match else ""

    def write(self, letter: str) -> str:
        """Return a guess as an action."""
        return f"Letter: {letter}"

    def play(self, game: HangmanGame, action: str) -> Turn:
        """Make a guess."""
        letter = self.read(action)
        again, right, wrong, lost, won = self._words["step"]
        if not letter:
            return Turn.invalid(self._words["parse_agent_output"][0].fill())
        if letter in game.tried:
            return Turn.invalid(again.fill(letter, self._state(game)))
        said = (right if game.play(letter) else wrong).fill(letter)
        if game.lost:
            said += lost.fill(game.word)
        elif game.solved:
            said += won.fill()
        return Turn(said + self._state(game), terminated=game.lost)

    def _state(self, game: HangmanGame) -> str:
        shown = "".join(letter or "?" for letter in game.shown)
        figure = self._words["display_states"][LIVES - game.lives].fill()
        return self._words["describe_state"][0].fill(
            shown, game.lives, ", ".join(game.tried), "-" * 25, figure
        )


DRIVERS: dict[str, Callable[[], AgentQuest | None]] = {
    "aq": lambda: None,
    "agentquest": AgentQuest,
}
