"""AgentQuest's protocol of Hangman, written from its published code."""

from __future__ import annotations

import re
from typing import ClassVar

from aq_gym.core.results import Turn
from aq_gym.envs.hangman.game import LENGTHS, HangmanGame
from aq_gym.envs.hangman.protocol import HangmanProtocol
from aq_gym.papers.agentquest import words

_LETTER = re.compile(r"letter:\s*([a-z])")
_LIVES = 6
_FORM = "Write a guess in this form: Letter: <letter>"
# Our texts, used if there is no checkout with AgentQuest's.
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
    "display_states": tuple(f"[{'x' * n:6}]" for n in range(_LIVES + 1)),
}


class AgentQuestProtocol(HangmanProtocol):
    """AgentQuest's protocol: only letters can be guessed, and there are six lives.

    The sentences and figures are read from the user's checkout of AgentQuest; without a
    checkout our own texts are used.
    """

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True
    prefix: ClassVar[str] = "Letter: "

    def __init__(self, lives: int, lengths: range = LENGTHS) -> None:
        super().__init__(lives, lengths)
        if lives != _LIVES:
            raise ValueError(f"protocol='agentquest' needs lives={_LIVES}")
        self._words = words("hangman", _OURS)

    def opening(self, game: HangmanGame, instructions: bool) -> str:
        """Return the first observation, which always explains the game."""
        (rules,) = self._words["get_initial_instructions"]
        return self._words["reset"][0].fill(
            rules.fill(), len(game.word), self._state(game)
        )

    def read(self, game: HangmanGame, text: str) -> str | None:
        """Find a letter anywhere in an answer."""
        match = _LETTER.search(text.lower())
        return match[1] if match else None

    def play(self, game: HangmanGame, guess: str) -> Turn:
        """Guess a letter, unless it was guessed before."""
        again, right, wrong, lost, won = self._words["step"]
        if guess in game.tried:
            return Turn.invalid(again.fill(guess, self._state(game)))
        answer = (right if game.play(guess) else wrong).fill(guess)
        if game.lost:
            answer += lost.fill(game.word)
        elif game.solved:
            answer += won.fill()
        return Turn(answer + self._state(game), terminated=game.lost)

    def refuse(self, game: HangmanGame, text: str) -> Turn:
        """Describe the form of a guess."""
        return Turn.invalid(self._words["parse_agent_output"][0].fill())

    def advice(self, game: HangmanGame, guess: str) -> str:
        """Return the expert's letter, or the first hidden letter of its word."""
        if len(guess) == 1:
            return guess
        return next(x for x, y in zip(guess, game.shown, strict=True) if not y)

    def _state(self, game: HangmanGame) -> str:
        """Show the word, the lives, every guess and the figure."""
        shown = "".join(letter or "?" for letter in game.shown)
        figure = self._words["display_states"][_LIVES - game.lives].fill()
        return self._words["describe_state"][0].fill(
            shown, game.lives, ", ".join(game.tried), "-" * 25, figure
        )
