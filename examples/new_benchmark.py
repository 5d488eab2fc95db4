"""A new benchmark in one file, registered and tested against the contract.

Run it: python examples/new_benchmark.py
"""

from typing import Any

import gymnasium as gym

from aq_gym import Start, TextEnv, Turn
from aq_gym.core.text import normalize
from aq_gym.testing import check_contract

NEAR = {"within 30": 30, "within 10": 10, "within 3": 3, "found": 0}


class HigherLowerEnv(TextEnv):
    """Find a number from 1 to 100; each answer is "higher" or "lower"."""

    def _reset(self, options: Any) -> Start:
        task_id = options.get("task_id") or str(self.np_random.integers(1, 101))
        if task_id not in self.admissible_actions():
            raise ValueError(f"task_id={task_id!r}: give a number from 1 to 100")
        self.number, self.low, self.high = int(task_id), 1, 100
        self.guess: int | None = None
        rules = f"I have a number. {self.help()} " if self.instructions else ""
        return Start(f"{rules}Your guess?", "Find the number.", task_id)

    def _read(self, text: str) -> int | None:
        guess = normalize(text)  # " 50. " is "50"
        return int(guess) if guess in self.admissible_actions() else None

    def _step(self, action: int) -> Turn:
        self.guess = action
        if action < self.number:
            self.low = max(self.low, action + 1)
            return Turn("Higher.")
        if action > self.number:
            self.high = min(self.high, action - 1)
            return Turn("Lower.")
        return Turn("You found it!")

    def help(self) -> str:
        """Return the form of a guess."""
        return "Say a number from 1 to 100, in digits."

    def subgoals(self) -> dict[str, bool]:
        """Return how near the last guess is, as subgoals."""
        distance = 100 if self.guess is None else abs(self.guess - self.number)
        return {name: distance <= most for name, most in NEAR.items()}

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
