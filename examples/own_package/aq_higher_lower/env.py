"""The environment."""

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from aq_gym import Start, TextEnv, Turn
from aq_gym.core import SharedArguments
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, task_of
from aq_higher_lower import actions, expert, text
from aq_higher_lower.logic import HIGHEST, Game

BANDS = {"within 100": 100, "within 30": 30, "within 10": 10, "found": 0}


class HigherLowerEnv(TextEnv):
    """Find a number from 1 to 1,000; each answer is higher or lower.

    ## Arguments
    * ``split="all"``: "train" or "test" draws from one part of the numbers.
    """

    plain_arguments = frozenset({"split"})

    def __init__(self, split: Split = "all", **shared: Unpack[SharedArguments]) -> None:
        super().__init__(**shared)
        self._tasks = GeneratedTasks(_draw, actions.read, text.FORM, split)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, number = task_of(self._tasks, options, self.np_random)
        self._game = Game(number)
        rules = f"{text.INSTRUCTIONS}\n" if self.instructions else ""
        return Start(f"{rules}{text.OPENING}", text.GOAL, task_id, "easy")

    def _step(self, action: str) -> Turn:
        guess = actions.read(action)
        if guess is None:
            return Turn.invalid(text.FORM)
        self._game.play(guess)
        return Turn(text.answer(self._game))

    def subgoals(self) -> dict[str, bool]:
        """Return how near the last guess is."""
        return {name: self._game.distance <= band for name, band in BANDS.items()}

    def admissible_actions(self) -> tuple[str, ...]:
        """List every number."""
        return tuple(map(str, range(1, HIGHEST + 1)))

    def _read_action(self, action: str) -> str | None:
        guess = actions.read(action)
        return None if guess is None else str(guess)

    def help(self) -> str:
        """Return the form of a guess."""
        return text.FORM

    def expert_action(self) -> str:
        """Return the guess that halves what the answers leave."""
        return expert.best_guess(self._game)

    def _get_state(self) -> tuple[int, tuple[int, ...]]:
        return self._game.number, self._game.guesses

    def _set_state(self, world: tuple[int, tuple[int, ...]]) -> None:
        self._game = Game(*world)


def _draw(rng: np.random.Generator) -> str:
    return str(rng.integers(1, HIGHEST + 1))
