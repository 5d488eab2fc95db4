"""The wrappers of an evaluation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    TrajectoryLogger,
    Trials,
)

_REPETITION_KEYS = ("repetitions", "repetition_rate", "action_repeated")


def wrap_env(
    env: gym.Env[Any, Any],
    directory: str | os.PathLike[str] | None = None,
    name: str = "episode-{n:05d}",
    agent: str = "",
    agent_params: Mapping[str, Any] | None = None,
    *,
    extract: bool = True,
    trials: int = 1,
) -> gym.Env[Any, Any]:
    """Wrap an environment in the wrappers of an evaluation.

    They are, outermost first, TrajectoryLogger, Trials if there are several,
    ExtractAction and RepetitionRate.

    Args:
        env: The environment.
        directory: The directory of the trajectories; None logs none.
        name: The names of the trajectories, as :class:`TrajectoryLogger` takes them.
        agent: The agent's name, for the trajectories.
        agent_params: Its parameters, for the trajectories.
        extract: Whether actions are completions, from which the action is extracted.
        trials: The most trials in an episode.
    """
    env = RepetitionRate(env)
    if extract:
        env = ExtractAction(env)
    if trials > 1:
        env = Trials(env, trials)
    if directory is None:
        return env
    return TrajectoryLogger(env, directory, name, agent, agent_params)


def wrap_for_task(
    env: gym.Env[Any, Any], max_invalid: int | None, raw_repetition: bool
) -> gym.Env[Any, Any]:
    """Wrap an environment as a task asks for; see :class:`aq_gym.evaluation.Task`."""
    if max_invalid is not None:
        env = StepCap(env, max_invalid=max_invalid)
    if raw_repetition:
        keys = {name: f"{name}_raw" for name in _REPETITION_KEYS}
        env = RepetitionRate(env, raw=True, keys=keys)
    return env
