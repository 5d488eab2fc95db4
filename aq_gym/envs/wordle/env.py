"""The Wordle environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import separate, task_of
from aq_gym.core.word_families import is_word, word_tasks
from aq_gym.envs.wordle import expert, picture
from aq_gym.envs.wordle.agentquest import AgentQuestProtocol
from aq_gym.envs.wordle.game import (
    GREEN,
    LENGTHS,
    WordleGame,
    words_to_draw,
)
from aq_gym.envs.wordle.protocol import WordleProtocol

PROTOCOLS = {"aq": WordleProtocol, "agentquest": AgentQuestProtocol}
_POSITIONS = tuple(f"position {i}" for i in range(1, LENGTHS[-1] + 1))
_MOST_GUESSES = 20


class WordleEnv(TextEnv):
    """Find a hidden word from the marks of guessed words.

    ## Description
    The host hides a common English word of five letters. Each guess is a word, and each
    of its letters is marked: green if it is in the right position, yellow if the word
    has it in another position, otherwise grey. A repeated letter gets as many green and
    yellow marks as the hidden word has of it, greens first, then from left to right.
    AgentQuest's second version has Wordle with six guesses and 228 words. The 1,364
    answers and 6,361 guesses here are from SCOWL.

    ## Action Space
    Text: a word, such as ``crane``, ``c r a n e`` or ``Guess: crane``. A word that is
    too short, too long or not in the list costs a step, but not a guess. ``show board``
    shows all guesses and the known facts about the word; ``check valid actions`` (or
    ``help``, which is guessed as a word with ``Guess: help``) explains the form. Both
    cost a step, but not a guess. Other text changes nothing, and the answer explains
    what is wrong.

    ## Observation Space
    Text: at reset the rules and the form of a guess, then the marks of each guess,
    letter by letter ("c: green, r: grey, ..."), and the number of guesses left.

    ## Starting State
    A word that ``np_random`` draws uniformly from the answers of the length and
    split; no guess.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of green letters of the *last* guess, so it can fall.
    AgentQuest's progress counts the positions that were green in any guess so far. It
    can be 1 before the word is found, so it has its own key in info.

    ## Episode End
    Terminated by the right guess, or with the last guess. Truncated after 60 steps
    (``max_episode_steps``), as invalid actions cost no guess.

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``guesses_left``; ``agentquest_progress``: the
    share of positions that were green in any guess so far. ``subgoals`` has one entry
    per position, true while the last guess is green there; ``task_id`` is the word, for
    the evaluator only.

    ## Arguments
    * ``length=5``: the number of letters, 4 to 8.
    * ``guesses=6``: the number of guesses, 1 to 20.
    * ``hard_mode=False``: whether a guess has to use all hints: green letters in their
      positions, and other letters as often as they were green or yellow. A guess that
      does not is invalid and does not count.
    * ``split="all"``: "train" or "test" draws from one part of the answers.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's code. Each letter is
      marked separately (a second ``e`` is yellow even if the word has only one), no
      word can be guessed twice, and a guess follows ``Word:``. It has only words of
      five letters, six guesses and no hard mode. If ``AGENTQUEST_DATA`` names a
      checkout, its texts are used, and the words of its list can be guessed besides
      ours.
    * ``word=None``: a fixed word; it excludes ``split``. It can be
      guessed even if it is not packaged.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations). SCOWL, Kevin Atkinson,
    http://wordlist.aspell.net.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If the arguments allow no game, or no word fits them.
    """

    shared_attributes = frozenset({"_tasks"})
    plain_arguments = frozenset({"word"})
    protocol: WordleProtocol
    _game: WordleGame

    def __init__(
        self,
        length: int = 5,
        guesses: int = 6,
        hard_mode: bool = False,
        split: Split = "all",
        protocol: Literal["aq", "agentquest"] = "aq",
        word: str | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if word is not None:
            self.source = "user"
            if split != "all":
                raise ValueError(f"word={word!r:.40}: omit split")
            if not is_word(word) or len(word) != length:
                raise ValueError(
                    f"word={word!r:.40} must be {length} letters from a to z"
                )
        if length not in LENGTHS:
            raise ValueError(f"length={length!r}: give {LENGTHS[0]} to {LENGTHS[-1]}")
        if not 1 <= guesses <= _MOST_GUESSES:
            raise ValueError(f"guesses={guesses!r}: give 1 to {_MOST_GUESSES}")
        self._set_protocol(PROTOCOLS[protocol](length, guesses, hard_mode))
        self._length = length
        self._limit = guesses
        self._hard_mode = hard_mode
        words = words_to_draw(length, split) if word is None else (word,)
        self._tasks = word_tasks(words)
        self._goal = self.protocol.goal()
        self._opening = self.protocol.opening(self.instructions)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        word, _ = task_of(self._tasks, options, self.np_random)
        self._game = WordleGame(word, self._limit, self.protocol.separate)
        return Start(self._opening, self._goal, word)

    def subgoals(self) -> dict[str, bool]:
        """Return whether the last guess is green at each position."""
        green = [mark == GREEN for mark in self._game.marks]
        return dict(zip(_POSITIONS, green, strict=False))

    def success(self) -> bool:
        """Return whether the last guess is the word."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """List every guess, sorted; in hard mode only guesses that use all hints."""
        return tuple(map(self._write, self.protocol.guesses(self._game)))

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a word that can be guessed."""
        own = separate(rng)
        words = self.protocol.guesses(self._game)
        return self._write(words[int(own.integers(len(words)))])

    def expert_action(self) -> str | None:
        """Return the most informative guess, using only the marks so far.

        With a checkout of AgentQuest the expert knows which words are in AgentQuest's
        list.
        """
        guess = expert.best_guess(
            self._length,
            self._game.clues,
            self._hard_mode,
            self.protocol.separate,
            self.protocol.more,
        )
        return self._write(guess) if guess else None

    def secrets(self) -> tuple[str, ...]:
        """Return the word, which no observation may reveal."""
        return (self._game.answer,)

    def secrets_left(self) -> int | None:
        """Return how many words that can be hidden agree with all marks.

        None if the hidden word is not one of the packaged answers.
        """
        protocol, game = self.protocol, self._game
        words = expert.agreeing(
            self._length, game.clues, protocol.separate, protocol.more
        )
        return len(words) if game.answer in words else None

    def extra_info(self) -> dict[str, Any]:
        """Return the number of guesses left, and AgentQuest's own progress."""
        game = self._game
        return {
            "guesses_left": game.left,
            "agentquest_progress": len(game.found) / self._length,
        }

    def _draw(self) -> Drawing:
        return picture.draw(self._game)

    def _get_state(self) -> tuple[str, tuple[str, ...]]:
        game = self._game
        return game.answer, tuple(game.guesses)

    def _set_state(self, world: tuple[str, tuple[str, ...]]) -> None:
        answer, guesses = world
        self._game = WordleGame(answer, self._limit, self.protocol.separate)
        for guess in guesses:
            self._game.play(guess)
