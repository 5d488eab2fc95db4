"""The game, its words and the environment."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Unpack

import numpy as np

from aq_gym import Start, TextEnv, Turn
from aq_gym.core import SharedArguments
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, task_of
from aq_gym.core.text import normalize
from aq_higher_lower import expert

HIGHEST = 1_000
NEAR = {"within 100": 100, "within 30": 30, "within 10": 10, "found": 0}
FORM = f"Say a number from 1 to {HIGHEST}, in digits."
RULES = (
    f"I have a number from 1 to {HIGHEST}. After each guess I say whether it is higher "
    f"or lower. {FORM}"
)


class Game(NamedTuple):
    """A number to find, the last guess, and the numbers that the answers leave."""

    number: int
    guess: int | None = None
    low: int = 1
    high: int = HIGHEST


class HigherLowerEnv(TextEnv):
    """Find a number from 1 to 1,000; each answer is higher or lower.

    ## Arguments
    * ``split="all"``: "train" or "test" draws from one part of the numbers.
    """

    plain_arguments = frozenset({"split"})

    _game: Game

    def __init__(self, split: Split = "all", **shared: Unpack[SharedArguments]) -> None:
        super().__init__(**shared)
        self._tasks = GeneratedTasks(_draw, self._read, FORM, split)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, number = task_of(self._tasks, options, self.np_random)
        self._game = Game(number)
        rules = f"{RULES}\n" if self.instructions else ""
        return Start(f"{rules}Your guess?", "Find the number.", task_id, "easy")

    def _read(self, text: str) -> int | None:
        guess = normalize(text)
        if not (guess.isascii() and guess.isdecimal() and len(guess) <= 4):
            return None
        return int(guess) if 1 <= int(guess) <= HIGHEST else None

    def _step(self, action: int) -> Turn:
        number, _, low, high = self._game
        if action < number:
            self._game = Game(number, action, max(low, action + 1), high)
            return Turn("Higher.")
        if action > number:
            self._game = Game(number, action, low, min(high, action - 1))
            return Turn("Lower.")
        self._game = Game(number, action, number, number)
        return Turn("You found it!")

    def _refuse(self, text: str) -> Turn:
        return Turn.invalid(FORM)

    def help(self) -> str:
        """Return the form of a guess."""
        return FORM

    def subgoals(self) -> dict[str, bool]:
        """Return how near the last guess is."""
        number, guess, *_ = self._game
        distance = HIGHEST if guess is None else abs(guess - number)
        return {name: distance <= most for name, most in NEAR.items()}

    def admissible_actions(self) -> tuple[str, ...]:
        """List every number."""
        return tuple(map(str, range(1, HIGHEST + 1)))

    def expert_action(self) -> str:
        """Return the guess that halves what the answers leave."""
        return expert.best_guess(self._game.low, self._game.high)

    def _get_state(self) -> Game:
        return self._game

    def _set_state(self, world: Game) -> None:
        self._game = world


def _draw(rng: np.random.Generator) -> str:
    return str(rng.integers(1, HIGHEST + 1))
