"""Playing many tasks into a directory."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym._version import __version__
from aq_gym.agents import load
from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.rollout import play_episode
from aq_gym.evaluation.store import RunDirectory
from aq_gym.evaluation.task import Task

__all__ = ["run"]


def run(
    tasks: Iterable[Task],
    directory: str | os.PathLike[str],
    agent: str = "random",
    agent_seed: int = 0,
    on_episode: Callable[[Episode], None] | None = None,
) -> list[Episode]:
    """Play tasks with an agent; what the directory has already is not played again.

    Args:
        tasks: What is played, each task once.
        directory: Where the run goes, or continues.
        agent: The agent's name, as :func:`aq_gym.agents.load` takes it.
        agent_seed: Seeds an agent that draws.
        on_episode: Called with each episode, played or found.

    Returns:
        The episodes in the order of the tasks.

    Raises:
        ValueError: If there is no such agent, or the directory holds another run.
    """
    make_agent = load(agent, agent_seed)
    params = {"seed": agent_seed}
    store = RunDirectory(directory, _what(agent, params))
    episodes = []
    try:
        for task in tasks:
            episode = store.finished(task)
            if episode is None:
                play_episode(task, make_agent, store.trajectories, agent, params)
                episode = store.add(task)
            episodes.append(episode)
            if on_episode:
                on_episode(episode)
    finally:
        store.close()
    return episodes


def _what(agent: str, params: dict[str, Any]) -> dict[str, Any]:
    return {
        "agent": agent,
        "agent_params": params,
        "versions": {
            "aq-gym": __version__,
            "gymnasium": gym.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }
