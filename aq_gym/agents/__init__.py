"""Agents; each is created by a factory that gets a view of the environment to play.

``load("random")`` returns a factory by name. Any class with ``reset`` and ``act``
whose constructor takes the view is an agent; its name is ``module:Class``.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Collection, Mapping
from functools import partial
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from aq_gym.agents.agent import Agent, AgentFactory
from aq_gym.agents.baselines import ExpertAgent, ExpertGaveUpError, RandomAgent
from aq_gym.agents.human import HumanAgent
from aq_gym.agents.view import AgentView, is_privileged

if TYPE_CHECKING:
    from aq_gym.agents.llm import LLMAgent
    from aq_gym.agents.recorded import ReplayAgent, requests_of

__all__ = [
    "Agent",
    "AgentFactory",
    "AgentView",
    "ExpertAgent",
    "ExpertGaveUpError",
    "HumanAgent",
    "LLMAgent",
    "RandomAgent",
    "ReplayAgent",
    "attempt_params",
    "is_packaged",
    "is_privileged",
    "load",
    "may_change",
    "requests_of",
]


_NAMED: Mapping[str, str] = {
    "random": "RandomAgent",
    "expert": "ExpertAgent",
    "human": "HumanAgent",
    "llm": "LLMAgent",
}
# Imported on first access, because workers should not wait for modules they don't need.
_MODULES = {
    "LLMAgent": "aq_gym.agents.llm",
    "ReplayAgent": "aq_gym.agents.recorded",
    "requests_of": "aq_gym.agents.recorded",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load(name: str, params: Mapping[str, Any] | None = None) -> AgentFactory:
    """Return the factory of a named agent.

    Args:
        name: "random", "expert", "human", "llm", "replay:FILE" or "module:Class".
        params: The constructor's arguments besides the environment.

    Raises:
        ValueError: If there is no such agent.
    """
    kind, _, rest = name.partition(":")
    factory: AgentFactory
    if name in _NAMED:
        factory = getattr(sys.modules[__name__], _NAMED[name])
    elif kind == "replay" and rest:
        factory = partial(__getattr__("ReplayAgent"), path=rest)
    elif rest:
        factory = _custom(name)
    else:
        raise ValueError(
            f"agent={name!r}: choose {', '.join(_NAMED)}, replay:FILE or module:Class"
        )
    return partial(factory, **params) if params else factory


def attempt_params(
    name: str, params: Mapping[str, Any], attempt: int
) -> Mapping[str, Any]:
    """Return an agent's parameters for an attempt: its seed is counted up.

    It is the parameter ``seed``, or that in ``request`` of :class:`LLMAgent`. An agent
    without a seed gets the same parameters.

    Args:
        name: The agent's name, as :func:`load` takes it.
        params: The parameters of the first attempt.
        attempt: The number of the attempt, from 1.
    """
    if attempt == 1:
        return params
    request = params.get("request")
    if isinstance(request, dict) and isinstance(request.get("seed"), int):
        varied = {**request, "seed": request["seed"] + attempt - 1}
        return {**params, "request": varied}
    known = signature(load(name)).parameters.get("seed")
    first = params.get("seed", known.default if known else None)
    return {**params, "seed": first + attempt - 1} if type(first) is int else params


def is_packaged(name: str) -> bool:
    """Return whether an agent is packaged; creating it has no side effects.

    Args:
        name: The agent's name, as :func:`load` takes it.
    """
    return name in _NAMED or name.partition(":")[0] == "replay"


def may_change(name: str) -> Collection[str]:
    """Return the names of an agent's parameters that a continued run may change.

    A class or function names them in its attribute ``may_change``.

    Args:
        name: The agent's name, as :func:`load` takes it.

    Raises:
        ValueError: If there is no such agent.
    """
    names: Collection[str] = getattr(load(name), "may_change", ())
    return names


def _custom(name: str) -> AgentFactory:
    try:
        factory = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"agent={name!r} cannot be loaded: {error}") from error
    if not callable(factory):
        raise ValueError(f"agent={name!r} names {factory!r}, which is not callable")
    if isinstance(factory, type):
        absent = [method for method in ("reset", "act") if not hasattr(factory, method)]
        if absent:
            raise ValueError(f"agent={name!r} has no method {' and no '.join(absent)}")
    made: AgentFactory = factory
    return made
