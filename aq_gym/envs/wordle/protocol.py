"""The default protocol, and AgentQuest's where its rules differ.

AgentQuest's is written from its published code. Its sentences are read from the user's
checkout; without one the texts are ours. Its dictionary is not part of this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from aq_gym.core.results import Turn
from aq_gym.core.word_families import is_word
from aq_gym.envs.wordle.logic.game import WordleGame
from aq_gym.envs.wordle.logic.marks import GREEN, YELLOW
from aq_gym.papers.agentquest import checkout, data_file, read_json, words


class Protocol(NamedTuple):
    """The rules that differ.

    Attributes:
        separate: Whether each letter is marked on its own, however often the answer has
            it.
        repeats: Whether a word can be guessed again.
        form: The only length, number of guesses and hard mode; None if there are more.
    """

    separate: bool
    repeats: bool
    form: tuple[int, int, bool] | None = None


PROTOCOLS = {
    "aq": Protocol(separate=False, repeats=True),
    "agentquest": Protocol(separate=True, repeats=False, form=(5, 6, False)),
}
_WORD = re.compile(r"word:\s*(\S+)")
_FORM = "Write a guess in this form: Word: <word>"
_SIGNS = {GREEN: "\u2713", YELLOW: "\u26a0"}
_WRONG = "\u2718"
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


class AgentQuest:
    """AgentQuest's driver of Wordle.

    Attributes:
        instances: Its own hidden words, none without a checkout.
    """

    def __init__(self) -> None:
        self._words = words("wordle", _OURS)
        self.instances = _instances()

    def opening(self) -> str:
        """Return the first text."""
        return self._words["get_initial_instructions"][0].fill()

    def read(self, action: str) -> str:
        """Return the word in a text, "" if it has none."""
        match = _WORD.search(action.lower())
        return match[1] if match else ""

    def write(self, word: str) -> str:
        """Return a guess as an action."""
        return f"Word: {word}"

    def play(self, game: WordleGame, known: Collection[str], action: str) -> Turn:
        """Make a guess.

        Args:
            game: The game.
            known: The words that can be guessed besides the hidden one.
            action: Any text.
        """
        word = self.read(action)
        unknown, again, won, green, yellow, grey, lost, left = self._words["step"]
        letters, length = self._words["check_wordle_input"]
        if not word:
            return Turn.invalid(self._words["parse_agent_output"][0].fill())
        if not word.isalpha() or len(word) != 5:
            return Turn.invalid((length if word.isalpha() else letters).fill())
        if word not in known and word != game.answer:
            return Turn.invalid(unknown.fill(word))
        if word in game.guesses:
            return Turn.invalid(again.fill(word))
        game.play(word)
        signs = [_SIGNS.get(mark, _WRONG) for mark in game.marks]
        said = f"{_boxes(word.upper())}\n{_boxes(signs)}\n"
        if game.solved:
            return Turn(said + won.fill(game.answer))
        kinds = {GREEN: green, YELLOW: yellow}
        for letter, mark in zip(word, game.marks, strict=True):
            said += kinds.get(mark, grey).fill(letter)
        said += left.fill(game.left) if game.left else lost.fill(game.answer)
        return Turn(said, terminated=not game.left)


def _instances() -> tuple[str, ...]:
    if checkout() is None:
        return ()
    lists = read_json(data_file("wordle"), dict).values()
    found = (word for words in lists for word in words if isinstance(word, str))
    return tuple(sorted({word for word in found if is_word(word) and len(word) == 5}))


def _boxes(signs: Collection[str]) -> str:
    return "\n" + "".join(f"\u2502 {sign} \u2502" for sign in signs)


DRIVERS: dict[str, Callable[[], AgentQuest | None]] = {
    "aq": lambda: None,
    "agentquest": AgentQuest,
}
