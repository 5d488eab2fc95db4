"""The Hangman environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import task_of
from aq_gym.core.word_families import is_word, word_tasks
from aq_gym.envs.hangman import expert, picture
from aq_gym.envs.hangman.agentquest import AgentQuestProtocol
from aq_gym.envs.hangman.game import (
    LENGTHS,
    Difficulty,
    HangmanGame,
    difficulty_of,
    words_to_draw,
)
from aq_gym.envs.hangman.protocol import HangmanProtocol, letters_left

PROTOCOLS = {"aq": HangmanProtocol, "agentquest": AgentQuestProtocol}
_MOST_LIVES = 26
# Shared by all environments, so that the names compare fast, by identity.
_POSITIONS = {
    length: tuple(f"position {i}" for i in range(1, length + 1)) for length in LENGTHS
}


class HangmanEnv(TextEnv):
    """Find a hidden word by guessing its letters before all lives are lost.

    ## Description
    The host hides an English word and shows how many letters it has. A guessed letter
    is shown at all its positions; a letter that is not in the word costs a life, and so
    does a wrong whole word. AgentQuest's second version has Hangman with words of 3 to
    6 letters and six lives, and accepts only letters. The words here are 37,753 common
    English ones from SCOWL.

    ## Action Space
    Text: a letter, such as ``e``, ``letter e`` or ``Guess: e``, or the whole word, such
    as ``apple`` or ``Guess: apple``. A letter or word that was guessed before is
    invalid: it costs a step, but not a life. ``check valid actions`` (or ``help``,
    which is guessed as a word with ``Guess: help``) lists, at the cost of a step, the
    letters that are left. Other text changes nothing, and the answer explains what is
    wrong.

    ## Observation Space
    Text: at reset the rules and the form of a guess, then the result of each guess;
    always with the word, letter by letter, the wrong guesses and the lives left.

    ## Starting State
    A word that ``np_random`` draws uniformly from the words of the length, difficulty
    and split; no letter is shown.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of the word's positions that are shown, as in AgentQuest, and
    never falls.

    ## Episode End
    Terminated when the word is found, or with the last life. Truncated after 60 steps
    (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`, and ``lives``: the number of lives left.
    ``subgoals`` has one entry per position, true when it is shown; ``task_id`` is the
    word, for the evaluator only. ``difficulty`` is "hard" for a word with three rivals
    or more, else "easy". Rivals share a word's pattern when one letter is hidden, as
    ``fight`` shares ``_ight`` with ``light``. The expert finds 96% of the easy words of
    4 to 10 letters and 65% of the hard ones, with six lives.

    ## Arguments
    * ``length=(4, 10)``: the number of letters, 3 to 12, or the smallest and the
      largest number.
    * ``lives=6``: the number of wrong guesses that ends the game, 1 to 26.
    * ``difficulty="all"``: "easy" or "hard" draws only from these words.
    * ``split="all"``: "train" or "test" draws from one part of the words.
    * ``word=None``: a fixed word of 3 to 12 letters; it excludes ``length``,
      ``difficulty`` and ``split``.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver: six lives,
      and only letters, after ``Letter:``. Its texts are used if ``AGENTQUEST_DATA``
      names a checkout.
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
    protocol: HangmanProtocol
    _game: HangmanGame

    def __init__(
        self,
        length: int | tuple[int, int] = (4, 10),
        lives: int = 6,
        difficulty: Difficulty = "all",
        split: Split = "all",
        word: str | None = None,
        protocol: Literal["aq", "agentquest"] = "aq",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if word is not None:
            if (length, difficulty, split) != ((4, 10), "all", "all"):
                raise ValueError(
                    f"word={word!r:.40}: omit length, difficulty and split"
                )
            length, self.source = len(word), "user"
            if not is_word(word):
                raise ValueError(f"word={word!r:.40} must be letters from a to z")
        shortest, longest = (length, length) if isinstance(length, int) else length
        if not LENGTHS[0] <= shortest <= longest <= LENGTHS[-1]:
            raise ValueError(
                f"length={length!r}: give {LENGTHS[0]} to {LENGTHS[-1]}, or the fewest "
                "and the most letters"
            )
        if not 1 <= lives <= _MOST_LIVES:
            raise ValueError(f"lives={lives!r}: give 1 to {_MOST_LIVES}")
        self._set_protocol(PROTOCOLS[protocol](lives, range(shortest, longest + 1)))
        self._lives = lives
        words = words_to_draw(shortest, longest, difficulty, split)
        if not words:
            raise ValueError(
                f"difficulty={difficulty!r}: with length={length!r} and "
                f"split={split!r} there is no word"
            )
        self._tasks = word_tasks(words if word is None else (word,))

    def _reset(self, options: Mapping[str, Any]) -> Start:
        word, _ = task_of(self._tasks, options, self.np_random)
        game = self._game = HangmanGame(word, self._lives)
        opening = self.protocol.opening(game, self.instructions)
        return Start(opening, self.protocol.goal(game), word, difficulty_of(word))

    def subgoals(self) -> dict[str, bool]:
        """Return whether the letter at each position is shown."""
        shown = self._game.shown
        return dict(zip(_POSITIONS[len(shown)], map(bool, shown), strict=True))

    def success(self) -> bool:
        """Return whether the word is found."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """List the letters that were not guessed; any word can be guessed, too."""
        return tuple([self._write(letter) for letter in letters_left(self._game)])

    def expert_action(self) -> str:
        """Return the expert's guess, which uses only what is shown."""
        game = self._game
        guess = expert.best_guess(game.shown, game.wrong, game.lives)
        return self._write(self.protocol.advice(game, guess))

    def secrets(self) -> tuple[str, ...]:
        """Return the word, which no observation may reveal."""
        return (self._game.word,)

    def secrets_left(self) -> int | None:
        """Return how many packaged words agree with what is shown and all guesses.

        None if the hidden word is not one of them.
        """
        words = expert.agreeing(self._game.shown, self._game.wrong)
        return len(words) if self._game.word in words else None

    def extra_info(self) -> dict[str, Any]:
        """Return the number of lives left."""
        return {"lives": self._game.lives}

    def _draw(self) -> Drawing:
        return picture.draw(self._game)

    def _get_state(self) -> tuple[str, tuple[str, ...]]:
        return self._game.word, tuple(self._game.tried)

    def _set_state(self, world: tuple[str, tuple[str, ...]]) -> None:
        word, tried = world
        self._game = HangmanGame(word, self._lives)
        for guess in tried:
            self._game.play(guess)
