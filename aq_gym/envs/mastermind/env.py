"""The Mastermind environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, separate, task_of
from aq_gym.envs.mastermind import expert, picture
from aq_gym.envs.mastermind.agentquest import AgentQuestProtocol
from aq_gym.envs.mastermind.game import DIGITS, Feedback, MastermindGame, Rules
from aq_gym.envs.mastermind.protocol import MastermindProtocol

PROTOCOLS = {"aq": MastermindProtocol, "agentquest": AgentQuestProtocol}
_LONGEST_EASY_CODE = 4
_MOST_LISTED = 100_000


class MastermindEnv(TextEnv):
    """Find a hidden code from the host's counts.

    ## Description
    The host hides a code. Each guess is answered with two counts: the right symbols in
    the right position, and the further right symbols in a wrong position. Leading zeros
    count like any other digit. A repeated symbol counts as often as both the code and
    the guess have it. AgentQuest (NAACL 2024, sections 2.1 and 3.3) uses codes of four
    digits.

    ## Action Space
    Text: a guess, such as ``5618``, ``5 6 1 8`` or ``Guess: 5618``. ``check valid
    actions`` (or ``help``) explains the form at the cost of a step. Other text changes
    nothing, and the answer explains what is wrong.

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
    * ``code_length=4``: the number of positions, 1 to 10. There can be at most 10^10
      codes, so that the expert is fast.
    * ``symbols="0123456789"``: at least two different characters, no punctuation.
    * ``repeats=True``: whether a symbol can occur at several positions.
    * ``code=None``: a fixed code.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver. A guess is a
      number after ``Guess:`` that loses its leading zeros, so no code begins with 0.
      ``info["agentquest_progress"]`` is its progress; before the first guess it counts
      the zeros of the code. Its texts are used if ``AGENTQUEST_DATA`` names a checkout.
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

    shared_attributes = frozenset({"_positions", "_tasks", "rules"})
    plain_arguments = frozenset({"code", "code_length", "repeats", "split", "symbols"})
    protocol: MastermindProtocol
    _game: MastermindGame

    def __init__(
        self,
        code_length: int = 4,
        symbols: str = DIGITS,
        repeats: bool = True,
        code: str | None = None,
        split: Split = "all",
        protocol: Literal["aq", "agentquest"] = "aq",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        chosen = PROTOCOLS[protocol](Rules(code_length, symbols, repeats))
        self._set_protocol(chosen)
        self.rules = chosen.rules
        self._code = code
        self._tasks = GeneratedTasks(
            chosen.random_code, chosen.code_of, chosen.code_form, split
        )
        self._goal = chosen.goal()
        self._opening = chosen.opening(self.instructions)
        self._positions = _positions(code_length)
        if code is not None:
            self._tasks.get(code, "code")
            self.source = "user"
        if self.list_actions:
            self._check_listable()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        code = self._code
        if code is None or "task_id" in options:
            code, _ = task_of(self._tasks, options, self.np_random)
        self._game = MastermindGame(code)
        hard = self.rules.code_length > _LONGEST_EASY_CODE
        return Start(self._opening, self._goal, code, "hard" if hard else "easy")

    def subgoals(self) -> dict[str, bool]:
        """Return whether the last guess has the right symbol at each position."""
        return dict(zip(self._positions, self._game.right, strict=True))

    def success(self) -> bool:
        """Return whether the last guess equals the code."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """List every guess, in the order of the symbols.

        Raises:
            ValueError: If there are more than 100,000.
        """
        self._check_listable()
        return self.protocol.guesses()

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a guess."""
        return self._write(self.rules.random_code(separate(rng)))

    def expert_action(self) -> str:
        """Return the most informative guess, using only the answers so far.

        In AgentQuest's protocol it returns the code if its guess would begin with 0.
        """
        length = self.rules.code_length
        history = {k: v for k, v in self._game.history.items() if len(k) == length}
        guess = expert.best_guess(self.rules, history)
        return self._write(self.protocol.advice(self._game, guess))

    def secrets(self) -> tuple[str, ...]:
        """Return the code, which no observation may reveal."""
        return (self._game.code,)

    def secrets_left(self) -> int | None:
        """Return how many codes agree with all answers; None for very many codes.

        In AgentQuest's protocol codes that begin with 0 count too, because the agent is
        not told that there are none.
        """
        return expert.count_codes(self.rules, self._game.history)

    def extra_info(self) -> dict[str, Any]:
        """Return AgentQuest's progress in its protocol."""
        return self.protocol.extra_info(self._game)

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
