"""AgentQuest's protocol of Wordle, written from its published code."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import ClassVar

from aq_gym.core.results import Turn
from aq_gym.core.word_families import is_word
from aq_gym.envs.wordle.game import GREEN, YELLOW, WordleGame
from aq_gym.envs.wordle.protocol import WordleProtocol
from aq_gym.papers.agentquest import checkout, data_file, read_json, words

_WORD = re.compile(r"word:\s*(\S+)")
_FORM = "Write a guess in this form: Word: <word>"
_SIGNS = {GREEN: "\u2713", YELLOW: "\u26a0"}
_WRONG = "\u2718"
# Our texts, used if there is no checkout with AgentQuest's.
_OURS = {
    "get_initial_instructions": (
        f"Find the hidden word of 5 letters in 6 guesses. {_FORM}",
    ),
    "step": (
        "{} is not a word that can be guessed.",
        "You have guessed {} before.",
        "You have found it: {}",
        "{}: green\n",
        "{}: yellow\n",
        "{}: grey\n",
        "You have lost. It was {}.\n",
        "{} guesses are left.\n",
    ),
    "parse_agent_output": (f"That is not a guess. {_FORM}",),
    "check_wordle_input": ("Only letters are allowed.", "Only 5 letters are allowed."),
}


class AgentQuestProtocol(WordleProtocol):
    """AgentQuest's protocol: letters are marked separately, and no word repeats.

    The sentences, and more words that can be hidden, are read from the user's checkout
    of AgentQuest; without a checkout our own texts are used. AgentQuest's dictionary is
    not part of this package.
    """

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True
    prefix: ClassVar[str] = "Word: "
    separate: ClassVar[bool] = True

    def __init__(self, length: int, guesses: int, hard_mode: bool) -> None:
        if (length, guesses, hard_mode) != (5, 6, False):
            raise ValueError(
                "protocol='agentquest' needs length=5, guesses=6 and hard_mode=False, "
                f"not length={length!r}, guesses={guesses!r} and "
                f"hard_mode={hard_mode!r}"
            )
        self._words = words("wordle", _OURS)
        self.more = _hidden_words()
        super().__init__(length, guesses, hard_mode)

    def opening(self, instructions: bool) -> str:
        """Return the first observation, which always explains the game."""
        return self._words["get_initial_instructions"][0].fill()

    def guesses(self, game: WordleGame) -> Sequence[str]:
        """List the words that were not guessed yet, sorted."""
        return [word for word in self.lexicon.guesses if word not in game.guesses]

    def read(self, game: WordleGame, text: str) -> str | None:
        """Find a guess anywhere in an answer; it can have any characters."""
        match = _WORD.search(text.lower())
        return match[1] if match else None

    def play(self, game: WordleGame, guess: str) -> Turn:
        """Make a guess, unless it is not a word or was made before."""
        unknown, again, won, green, yellow, grey, lost, left = self._words["step"]
        letters, length = self._words["check_wordle_input"]
        if not guess.isalpha() or len(guess) != 5:
            return Turn.invalid((length if guess.isalpha() else letters).fill())
        if guess not in self.lexicon.known and guess != game.answer:
            return Turn.invalid(unknown.fill(guess))
        if guess in game.guesses:
            return Turn.invalid(again.fill(guess))
        game.play(guess)
        signs = [_SIGNS.get(mark, _WRONG) for mark in game.marks]
        answer = f"{_boxes(guess.upper())}\n{_boxes(signs)}\n"
        if game.solved:
            return Turn(answer + won.fill(game.answer))
        kinds = {GREEN: green, YELLOW: yellow}
        for letter, mark in zip(guess, game.marks, strict=True):
            answer += kinds.get(mark, grey).fill(letter)
        answer += left.fill(game.left) if game.left else lost.fill(game.answer)
        return Turn(answer, terminated=not game.left)

    def refuse(self, game: WordleGame, text: str) -> Turn:
        """Describe the form of a guess."""
        return Turn.invalid(self._words["parse_agent_output"][0].fill())


def _hidden_words() -> tuple[str, ...]:
    """Return AgentQuest's own hidden words; empty without a checkout."""
    if checkout() is None:
        return ()
    lists = read_json(data_file("wordle"), dict).values()
    found = (word for words in lists for word in words if isinstance(word, str))
    return tuple(sorted({word for word in found if is_word(word) and len(word) == 5}))


def _boxes(signs: Collection[str]) -> str:
    return "\n" + "".join(f"\u2502 {sign} \u2502" for sign in signs)
