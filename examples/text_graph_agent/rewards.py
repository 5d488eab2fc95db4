"""Success as a reward, with a potential that guides the learner and pays nothing."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym


class PotentialReward(gym.Wrapper[str, str, str, str]):
    """Pays success, and the discounted change of a potential of the state.

    The reward is ``success + discount * potential(next) - potential(now)``, and the
    potential is 0 where an episode ends. If it begins at 0, the discounted sum of an
    episode is that of success alone, so that the best policy is the same (Ng, Harada
    and Russell 1999), and nothing is won by reaching a subgoal twice or by stopping at
    it. A learner whose values begin at 0 behaves as if they began at the potential
    (Wiewiora 2003): it should be at least 0, or what is known looks better than what is
    new.

    Args:
        env: An environment with ``progress`` and ``success`` in its info.
        discount: The learner's.
        potential: A function of info; by default the progress of the state.
        cut_off_ends: Whether an episode that is cut off has ended for the learner;
            False if it goes on with the value of the last state.
    """

    def __init__(
        self,
        env: gym.Env[str, str],
        discount: float,
        potential: Callable[[dict[str, Any]], float] = lambda info: info["progress"],
        cut_off_ends: bool = True,
    ) -> None:
        super().__init__(env)
        self.discount, self.potential = discount, potential
        self.cut_off_ends = cut_off_ends
        self.now = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.now = self.potential(info)
        return observation, info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take an action."""
        observation, _, terminated, truncated, info = self.env.step(action)
        over = terminated or (truncated and self.cut_off_ends)
        before, self.now = self.now, 0.0 if over else self.potential(info)
        reward = float(info["success"]) + self.discount * self.now - before
        return observation, reward, terminated, truncated, info
