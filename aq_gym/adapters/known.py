"""The environments that have their own words for actions and observations."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
from gymnasium import spaces

from aq_gym.adapters.actions import Named

# The modules with the words of a class and its subclasses; imported on first use.
_KNOWN = {
    "gymnasium.envs.toy_text.frozen_lake:FrozenLakeEnv": "toy_text:FROZEN_LAKE",
    "gymnasium.envs.toy_text.taxi:TaxiEnv": "toy_text:TAXI",
    "gymnasium.envs.toy_text.cliffwalking:CliffWalkingEnv": "toy_text:CLIFF_WALKING",
    "gymnasium.envs.toy_text.blackjack:BlackjackEnv": "toy_text:BLACKJACK",
    "minigrid.minigrid_env:MiniGridEnv": "minigrid:MINIGRID",
}


@dataclass(frozen=True)
class Words:
    """The words of an environment.

    Attributes:
        introduction: What the task is.
        actions: The names of the actions in the order of their numbers, each with its
            synonyms.
        observe: Returns the text of an observation of an environment.
    """

    introduction: str
    actions: Mapping[str, Sequence[str]]
    observe: Callable[[Any, gym.Env[Any, Any]], str]


def words_of(env: gym.Env[Any, Any]) -> Words | None:
    """Return the words of an environment, or None if it has none.

    Args:
        env: The environment. A wrapper that changes its observations or actions may
            have changed their meaning, so it has none then.
    """
    layer = env
    while isinstance(layer, gym.Wrapper):
        if isinstance(layer, gym.ObservationWrapper | gym.ActionWrapper):
            return None
        layer = layer.env
    for cls in type(layer).__mro__:
        place = _KNOWN.get(f"{cls.__module__}:{cls.__qualname__}")
        if place is not None:
            module, _, name = place.partition(":")
            found = getattr(importlib.import_module(f"aq_gym.adapters.{module}"), name)
            if len(found.actions) == getattr(env.action_space, "n", None):
                # Looked up by name, so mypy does not know its type.
                return found  # type: ignore[no-any-return]
    return None


def named(words: Words, space: spaces.Discrete) -> Named:
    """Return the format of named actions; their numbers are understood too."""
    actions, synonyms = {}, {}
    for number, (name, others) in enumerate(words.actions.items(), int(space.start)):
        actions[name] = number
        synonyms.update(dict.fromkeys((*others, str(number)), number))
    return Named(actions, synonyms)
