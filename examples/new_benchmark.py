"""A new benchmark in one file, registered and tested against the contract.

Run it: python examples/new_benchmark.py
"""

from typing import Any

import gymnasium as gym

from aq_gym import Start, TextEnv, Turn
from aq_gym.core.text import normalize
from aq_gym.testing import check_contract

BANDS = {"within 30": 30, "within 10": 10, "within 3": 3, "found": 0}


class HigherLowerEnv(TextEnv):
    """Find a number from 1 to 100; each answer is "higher" or "lower"."""

    def _reset(self, options: Any) -> Start:
        task_id = options.get("task_id") or str(self.np_random.integers(1, 101))
        if task_id not in self.admissible_actions():
            raise ValueError(f"task_id={task_id!r}: give a number from 1 to 100")
        self.number, self.low, self.high = int(task_id), 1, 100
        self.guess: int | None = None
        rules = "I have a number from 1 to 100. " if self.instructions else ""
        return Start(f"{rules}Your guess?", "Find the number.", task_id)

    def _step(self, action: str) -> Turn:
        guess = normalize(action)  # " 50. " is "50"
        if guess not in self.admissible_actions():
            return Turn.invalid("Say a number from 1 to 100, in digits.")
        self.guess = int(guess)
        if self.guess < self.number:
            self.low = max(self.low, self.guess + 1)
            return Turn("Higher.")
        if self.guess > self.number:
            self.high = min(self.high, self.guess - 1)
            return Turn("Lower.")
        return Turn("You found it!")

    def subgoals(self) -> dict[str, bool]:
        """Return how close the last guess is, as subgoals."""
        distance = 100 if self.guess is None else abs(self.guess - self.number)
        return {name: distance <= band for name, band in BANDS.items()}

    def admissible_actions(self) -> tuple[str, ...]:
        """List every number."""
        return tuple(map(str, range(1, 101)))

    def expert_action(self) -> str:
        """Return the middle of the numbers that are left."""
        return str((self.low + self.high) // 2)

    def _get_state(self) -> Any:
        return self.number, self.guess, self.low, self.high

    def _set_state(self, world: Any) -> None:
        self.number, self.guess, self.low, self.high = world


ID = "mine/HigherLower-v0"
if ID not in gym.registry:
    gym.register(ID, "new_benchmark:HigherLowerEnv", max_episode_steps=10)

if __name__ == "__main__":
    check_contract(ID)
    print(f"{ID} keeps the whole contract")
