"""Playing one task."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from aq_gym.agents import AgentFactory
from aq_gym.evaluation.task import Task
from aq_gym.wrappers import RepetitionRate, TrajectoryLogger

__all__ = ["play_episode", "play_in"]


def play_episode(
    task: Task,
    make_agent: AgentFactory,
    directory: str | os.PathLike[str],
    agent: str = "",
    agent_params: Mapping[str, Any] | None = None,
) -> None:
    """Play a task once and leave its trajectory in a file with the task's name.

    Args:
        task: What is played.
        make_agent: Makes the agent, given the environment.
        directory: Where the trajectory goes.
        agent: The agent's name, for the file's header.
        agent_params: The agent's parameters, for the file's header.

    Raises:
        FileExistsError: If the task has a trajectory there.
    """
    env = TrajectoryLogger(
        RepetitionRate(task.make()),
        directory,
        name=task.name,
        agent=agent,
        agent_params=agent_params,
    )
    try:
        play_in(env, make_agent, task.seed)
    finally:
        env.close()


def play_in(env: gym.Env[Any, Any], make_agent: AgentFactory, seed: int | None) -> None:
    """Play one episode in an environment."""
    agent = make_agent(env)
    observation, info = env.reset(seed=seed)
    agent.reset(observation, info)
    over = False
    while not over:
        action = agent.act(observation, info)
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
