"""Agents, each made by a factory that gets the environment it will play.

``load("random")`` finds one by name. An agent of your own is any class with ``reset``
and ``act`` whose constructor takes the environment; its name is ``module:Class``.
"""

from __future__ import annotations

import pkgutil
from functools import partial

from aq_gym.agents.agent import Agent, AgentFactory
from aq_gym.agents.expert import ExpertAgent
from aq_gym.agents.human import HumanAgent
from aq_gym.agents.random import RandomAgent
from aq_gym.agents.replay import ReplayAgent

__all__ = [
    "Agent",
    "AgentFactory",
    "ExpertAgent",
    "HumanAgent",
    "RandomAgent",
    "ReplayAgent",
    "load",
]


def load(name: str, seed: int = 0) -> AgentFactory:
    """Return the factory of a named agent.

    Args:
        name: "random", "expert", "human", "replay:FILE" or "module:Class".
        seed: Seeds an agent that draws.

    Raises:
        ValueError: If there is no such agent.
    """
    if name == "random":
        return partial(RandomAgent, seed=seed)
    if name == "expert":
        return ExpertAgent
    if name == "human":
        return HumanAgent
    kind, _, rest = name.partition(":")
    if kind == "replay" and rest:
        return partial(ReplayAgent, path=rest)
    if rest:
        return _custom(name)
    raise ValueError(
        f"agent={name!r}: choose random, expert, human, replay:FILE or module:Class"
    )


def _custom(name: str) -> AgentFactory:
    try:
        factory = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"agent={name!r} cannot be loaded: {error}") from error
    if not callable(factory):
        raise ValueError(f"agent={name!r} names {factory!r}, which makes no agent")
    made: AgentFactory = factory
    return made
