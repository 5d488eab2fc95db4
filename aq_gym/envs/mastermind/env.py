"""The Mastermind environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache, partial
from itertools import permutations, product
from typing import Any, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.prompt import PublishedChat
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, separate, task_of
from aq_gym.envs.mastermind import actions, expert, picture, text
from aq_gym.envs.mastermind.logic import Feedback, MastermindGame, Rules
from aq_gym.envs.mastermind.protocol import DRIVERS, findable, random_findable
from aq_gym.papers.agentquest import chat

_LONGEST_EASY_CODE = 4
_MOST_LISTED = 100_000
_DIGITS = "0123456789"
_NOTEBOOK = "agents/mastermind-openai-chat-model-with-metrics.ipynb"


class MastermindEnv(TextEnv):
    """Find a hidden code from the host's counts.

    ## Description
    The host hides a code. Each guess is answered with two counts: symbols that are
    right and in the right position, and further symbols that are right but in a wrong
    one. Every digit counts, leading zeros too, and a repeated symbol is counted as
    often as both the code and the guess have it. AgentQuest (NAACL 2024, sections 2.1
    and 3.3) uses codes of four digits.

    ## Action Space
    Text: a guess, such as ``5618``, ``5 6 1 8`` or ``Guess: 5618``. ``check valid
    actions`` (or ``help``) explains the form at the cost of a step. For other text the
    answer explains what is wrong, and nothing changes.

    ## Observation Space
    Text: the rules and the form of a guess at reset, then the two counts.

    ## Starting State
    A code drawn uniformly with ``np_random``, or the given one; no guess.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of positions at which the *last* guess agrees with the code,
    so it can fall.

    ## Episode End
    Terminated by the right guess. Truncated after 60 steps (``max_episode_steps``), as
    in the paper.

    ## Information
    The keys of :class:`aq_gym.TextEnv`. ``subgoals`` has one entry per position;
    ``difficulty`` is "easy" up to four positions, else "hard"; ``task_id`` is the code
    itself, for the evaluator only.

    ## Arguments
    * ``code_length=4``: number of positions, 1 to 10; at most 10^10 codes with these
      symbols, so that the expert is fast.
    * ``symbols="0123456789"``: at least two different characters, no punctuation.
    * ``repeats=True``: whether a symbol can occur at several positions.
    * ``code=None``: a fixed code.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver, and its
      texts where ``AGENTQUEST_DATA`` names a checkout of it: a guess is a number after
      ``Guess:``, which loses its leading zeros, so that no code begins with 0.
      ``info["agentquest_progress"]`` is its progress, which begins with the
      zeros of the code.
    * ``split="all"``: "train" or "test" draws from one part of the codes.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations). Knuth, "The Computer as
    Master Mind", Journal of Recreational Mathematics 9, 1976.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If the arguments allow no game, or the code does not fit them.
    """

    shared_attributes = frozenset({"_positions", "_tasks", "_theirs", "rules"})
    size_argument = "code_length"
    plain_arguments = frozenset({"code", "code_length", "repeats", "split", "symbols"})

    def __init__(
        self,
        code_length: int = 4,
        symbols: str = _DIGITS,
        repeats: bool = True,
        code: str | None = None,
        split: Split = "all",
        protocol: Literal["aq", "agentquest"] = "aq",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        self._theirs = DRIVERS[protocol]()
        self.parses_free_text = self._theirs is not None
        if self._theirs:
            if not repeats or symbols != _DIGITS:
                raise ValueError(
                    f"protocol={protocol!r}: symbols and repeats are fixed"
                )
            # The expert's first guess begins with the first one; 0 would be lost.
            symbols = _DIGITS[1:] + _DIGITS[:1]
        self.rules = Rules(code_length, symbols, repeats)
        self._code = code
        draw, parse = self.rules.random_code, self.rules.code_of
        form = text.code_form(self.rules)
        if self._theirs:
            draw, parse = (
                partial(random_findable, self.rules),
                partial(findable, self.rules),
            )
            form += ", the first not 0: guesses lose their leading zeros"
        self._tasks = GeneratedTasks(draw, parse, form, split)
        self._goal = text.goal(self.rules)
        self._opening = text.opening(self.rules)
        if self.instructions:
            self._opening = f"{text.instructions(self.rules)}\n{self._opening}"
        if self._theirs:
            self._opening = self._theirs.opening(code_length)
            self.help_actions = frozenset()
        self._positions = _positions(code_length)
        if code is not None:
            self._tasks.get(code, "code")
        if self.list_actions:
            self._check_listable()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        code = self._code
        if code is None or "task_id" in options:
            code, _ = task_of(self._tasks, options, self.np_random)
        self._game = MastermindGame(code)
        hard = self.rules.code_length > _LONGEST_EASY_CODE
        return Start(self._opening, self._goal, code, "hard" if hard else "easy")

    def _step(self, action: str) -> Turn:
        if self._theirs:
            return self._theirs.play(self._game, action)
        guess = actions.read(self.rules, action)
        if not guess:
            return Turn.invalid(text.problem(self.rules, action))
        return Turn(text.answer(self.rules, guess, self._game.play(guess)))

    def subgoals(self) -> dict[str, bool]:
        """Return for each position whether the last guess has the right symbol."""
        return dict(zip(self._positions, self._game.right, strict=True))

    def progress(self) -> float:
        """Return the share of positions that the last guess has right."""
        return self._game.feedback.exact / self.rules.code_length

    def success(self) -> bool:
        """Return whether the last guess equals the code."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """List every guess, in the order of the symbols.

        Raises:
            ValueError: If there are more than 100,000.
        """
        self._check_listable()
        codes = _codes(self.rules)
        if self._theirs:
            return tuple(actions.write(code) for code in codes if code[0] != "0")
        return codes

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a guess."""
        own = separate(rng)
        return actions.write(self.rules.random_code(own))

    def help(self) -> str:
        """Describe the form of a guess."""
        return text.how_to_act(self.rules)

    def _read_action(self, action: str) -> str | None:
        if self._theirs:
            guess = self._theirs.read(action)
        else:
            guess = actions.read(self.rules, action)
        return actions.write(guess) if guess else None

    def expert_action(self) -> str:
        """Return the most informative guess, using only the answers so far.

        In AgentQuest's protocol it knows the code once its guess would begin with 0.
        """
        length = self.rules.code_length
        history = {k: v for k, v in self._game.history.items() if len(k) == length}
        guess = expert.best_guess(self.rules, history)
        if self._theirs and guess[0] == "0":
            guess = self._game.code
        return actions.write(guess)

    def secrets(self) -> tuple[str, ...]:
        """Return the code, which no observation may reveal."""
        return (self._game.code,)

    def published_prompt(self) -> PublishedChat | None:
        """Return the messages of AgentQuest's notebook in its protocol."""
        return chat(_NOTEBOOK) if self._theirs else None

    def extra_info(self) -> dict[str, Any]:
        """Return AgentQuest's progress in its protocol."""
        if self._theirs is None:
            return {}
        return {"agentquest_progress": self._theirs.progress(self._game)}

    def _draw(self) -> Drawing:
        return picture.draw(self.rules, self._game.history)

    def _get_state(self) -> tuple[str, str, tuple[tuple[str, Feedback], ...]]:
        game = self._game
        return game.code, game.guess, tuple(game.history.items())

    def _set_state(
        self, world: tuple[str, str, tuple[tuple[str, Feedback], ...]]
    ) -> None:
        code, guess, history = world
        self._game = MastermindGame(code)
        self._game.history = dict(history)
        if guess:
            self._game.play(guess)

    def _check_listable(self) -> None:
        if self.rules.code_count > _MOST_LISTED:
            raise ValueError(
                f"{self.rules.code_count} guesses are too many to list "
                f"(at most {_MOST_LISTED}): use sample_action, or list_actions=False"
            )


@cache
def _positions(count: int) -> tuple[str, ...]:
    """Return the names of the positions, a tuple that all environments share."""
    return tuple(f"position {i}" for i in range(1, count + 1))


@lru_cache(maxsize=2)
def _codes(rules: Rules) -> tuple[str, ...]:
    """Return every code; at most 7 MB of them, which all environments share."""
    codes = (
        product(rules.symbols, repeat=rules.code_length)
        if rules.repeats
        else permutations(rules.symbols, rules.code_length)
    )
    return tuple(map("".join, codes))
