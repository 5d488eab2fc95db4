"""Add progress, repetition, caps and a log to an environment of another package.

Run it: python examples/wrap_third_party.py
"""

import tempfile
from typing import Any

import gymnasium as gym

import aq_gym.trajectory
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    SuccessReward,
    TrajectoryLogger,
)

MOVES = {"left": 0, "down": 1, "right": 2, "up": 3}


class InWords(gym.Wrapper):
    """Gymnasium's FrozenLake with text observations and actions."""

    def reset(self, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """Return the first observation."""
        square, info = self.env.reset(**arguments)
        return f"You stand on square {square}. Go left, down, right or up.", info

    def step(self, action: str) -> tuple[str, Any, bool, bool, dict[str, Any]]:
        """Move, or explain that the action is not a move."""
        if action not in MOVES:
            return "Go where?", 0.0, False, False, {"action_valid": False}
        square, reward, won, truncated, info = self.env.step(MOVES[action])
        words = f"You stand on square {square}."
        return words, reward, won, truncated, info | {"action_valid": True}


def make(directory: str) -> gym.Env[str, str]:
    """Wrap it in all wrappers, in the recommended order."""
    env: gym.Env[Any, Any] = InWords(gym.make("FrozenLake-v1", is_slippery=False))
    env = SubgoalProgress(
        env,
        {
            "half way": r"square (8|9|10)\b",  # a pattern in the observation
            "last row": r"square 1[345]\b",
            "goal": lambda observation, reward, terminated, info: reward > 0,
        },
    )
    env = SuccessReward(RepetitionRate(env))
    env = StepCap(env, max_steps=20, max_invalid=3, max_repeated=8)
    return TrajectoryLogger(ExtractAction(env), directory, agent="by heart")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        env = make(directory)
        env.reset(seed=0)
        for move in ("down", "Action: down", "right", "swim", "right", "down", "right"):
            observation, reward, _, _, info = env.step(move)
            print(
                f"{move:13} {observation:26} reward {reward}, "
                f"progress {info['progress']:.2f}, "
                f"repetition rate {info['repetition_rate']:.2f}"
            )
        env.close()
        print(next(aq_gym.trajectory.iter_trajectories(directory)).end)
