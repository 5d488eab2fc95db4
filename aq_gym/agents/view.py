"""The part of an environment and of info that an agent may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec

from aq_gym.agents.agent import Agent, AgentFactory

# An agent, and the function that returns its part of info.
Seated: TypeAlias = tuple[Agent, Callable[[dict[str, Any]], dict[str, Any]]]

# The keys of info that an agent may see, besides those that ``public_info`` declares.
PUBLIC_INFO = ("action_valid", "feedback", "admissible_actions", "goal", "tools")
_PUBLIC = frozenset(
    {
        "annotate",
        "canonical_action",
        "help_actions",
        "image",
        "parses_free_text",
        "published_action",
        "published_prompt",
        "said",
        "sample_action",
        "stated_answer",
        "task_prompt",
        "tools",
        "understands",
    }
)
_REFUSED = (
    "agents do not see this part of an environment: a class that needs it says "
    "privileged = True, which is shown beside its scores"
)


def public_info(env: gym.Env[Any, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that returns the public part of an info dict.

    Args:
        env: The environment. It and its wrappers declare further public keys in their
            attribute ``public_info``.
    """
    keys = dict.fromkeys(PUBLIC_INFO)
    layer: Any = env
    while layer is not None:
        keys.update(dict.fromkeys(getattr(layer, "public_info", ())))
        layer = layer.env if isinstance(layer, gym.Wrapper) else None
    # Looked up once an episode; a step only reads the keys.
    names = tuple(keys)
    return lambda info: {name: info[name] for name in names if name in info}


class AgentView(gym.Env[Any, Any]):
    """An environment as an agent sees it: what it may ask, without the state.

    It has the spaces, ``metadata``, and the methods of the environment for the agent:
    ``task_prompt``, ``tools``, ``image``, ``understands``, ``sample_action``,
    ``annotate`` and the like, also through ``get_wrapper_attr``. It guards against
    accidents and temptation; code that is not trusted needs another process.

    Args:
        env: The environment.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._find = env.get_wrapper_attr
        self._text: Callable[[], str] = env.__str__
        self.action_space = env.action_space
        self.observation_space = env.observation_space
        self.metadata = env.metadata

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the environment that agents may see.

        Raises:
            AttributeError: If the environment has none, or agents may not see it.
        """
        if name not in _PUBLIC:
            raise AttributeError(f"{name!r}: {_REFUSED}")
        return self._find(name)

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]
        """The id and the step cap, without the constructor's arguments."""
        spec: EnvSpec | None = self._find("unwrapped").spec
        return spec and replace(spec, kwargs={}, additional_wrappers=())

    def generator(self, seed: int) -> np.random.Generator:
        """Return random numbers for the episode; equal seeds give equal ones.

        Args:
            seed: The agent's own seed, at least 0.
        """
        # The seed is -1 if the generator was set by hand.
        return np.random.default_rng([seed, max(0, self._find("np_random_seed"))])

    def _refuse(self) -> NoReturn:
        """Let ``__getattr__`` refuse what a Gymnasium environment has."""
        raise AttributeError

    reset = step = render = close = property(_refuse)
    np_random = np_random_seed = property(_refuse)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a copy of the environment: {_REFUSED}")

    def __str__(self) -> str:
        return self._text()


def is_privileged(factory: AgentFactory) -> bool:
    """Return whether an agent is given the environment itself and the whole info."""
    while isinstance(factory, partial):
        factory = factory.func
    return getattr(factory, "privileged", False) is True


def seat(env: gym.Env[Any, Any], make_agent: AgentFactory) -> Seated:
    """Create an agent, and return the function that gives it its part of info.

    Args:
        env: The environment; the agent gets a view of it unless it is privileged.
        make_agent: Creates the agent.
    """
    if is_privileged(make_agent):
        return make_agent(env), lambda info: info
    return make_agent(AgentView(env)), public_info(env)
