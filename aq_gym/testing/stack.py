"""Wrap an environment in every wrapper of the package."""

from __future__ import annotations

import gymnasium as gym

from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    SuccessReward,
    TrajectoryLogger,
    Trials,
)

_NEVER = r"(?!)"


def never(
    observation: object, reward: float, terminated: bool, info: dict[str, object]
) -> bool:
    """Return False: the subgoal is never reached."""
    return False


def full_stack(env: gym.Env[str, str], directory: str) -> gym.Env[str, str]:
    """Wrap an environment in every wrapper; only its reward is replaced."""
    names = ("progress", "best_progress", "subgoals", "success")
    env = SubgoalProgress(
        env,
        {"text": _NEVER, "call": {"function": f"{__name__}:never"}},
        keys={name: f"never_{name}" for name in names},
    )
    env = RepetitionRate(SuccessReward(env), threshold=0.8)
    env = StepCap(env, max_steps=50, max_invalid=20, max_repeated=30)
    return TrajectoryLogger(Trials(ExtractAction(env), trials=1), directory)
