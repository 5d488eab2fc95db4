"""Checks made before a run starts, so that mistakes do not end it halfway."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from aq_gym.agents import is_packaged, load
from aq_gym.core.prompt import PublishedTrials
from aq_gym.core.text import did_you_mean
from aq_gym.evaluation.execution.env_pool import POOL
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.task import Task
from aq_gym.support.json_files import as_read
from aq_gym.support.redaction import holds_secret

_NEEDED = ("progress", "best_progress", "success")
# Protocols whose papers have prompts.
_PAPERS = ("agentboard", "agentquest", "reflexion")
_OURS = "ours"


def check_agent(agent: str, params: Mapping[str, Any]) -> None:
    """Check that an agent exists and takes the parameters.

    Raises:
        ValueError: If there is no such agent, or a parameter is a secret, which would
            be written to the run's files.
        TypeError: If the agent does not have these parameters, or one cannot be
            written as JSON.
    """
    for name, value in params.items():
        if holds_secret(name, value):
            raise ValueError(
                f"agent parameter {name!r} would be written to the run's files: give "
                "keys and passwords in the environment (OPENAI_API_KEY)"
            )
        try:
            as_read(value)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"agent parameter {name}={value!r:.200} must be JSON, because it is "
                f"written to the run's files: {error}"
            ) from error
    signature = inspect.signature(load(agent))
    try:
        signature.bind(None, **params)
    except TypeError as error:
        known = list(signature.parameters)[1:]
        unknown = [name for name in params if name not in known]
        hint = did_you_mean(unknown[0], known) if unknown else ""
        raise TypeError(
            f"agent={agent!r} with {dict(params)!r}: {error}: {hint}its arguments are "
            f"{', '.join(known) or 'none'}"
        ) from error


def check_plans(suite: Suite, agent: str, params: Mapping[str, Any]) -> None:
    """Check that an agent that plans between trials has some.

    Raises:
        ValueError: If each task has one trial.
    """
    memories = params.get("memories") if agent == "llm" else None
    if memories and all(task.trials == 1 for task in suite.tasks):
        raise ValueError(
            f"agent='llm' with {memories=} plans between trials, but each task has one "
            "trial: give --trials N (in Python Task(..., trials=N)), or no memories"
        )


def check_tasks(
    suite: Suite, agent: str = "", params: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Make and reset one environment of each setting, and make the agent once.

    The environments are returned to the pool, so that a run plays in them. An agent
    from another package is not made: that may take long, or have effects. Without an
    agent, only the environments are checked.

    Returns:
        For each id whose protocol is a paper's, whose prompt a model is sent: that of
        "AgentBoard", as an example, or "ours"; empty for agents without a model.

    Raises:
        ValueError: If an environment does not report progress, or the agent refuses a
            value of its parameters, or the environment.
        TypeError: If a parameter has the wrong type.
        gymnasium.error.Error: If an environment or its extra is not installed.
        FileNotFoundError: If an environment's data is not installed.
    """
    prompts: dict[str, str] = {}
    for number, task in enumerate(
        {task.env_key: task for task in suite.tasks}.values()
    ):
        env = POOL.lend(task)
        if number == 0 and is_packaged(agent):
            _check_values(agent, params or {}, env)
        _check_info(task, env)
        if agent == "llm" and str(task.kwargs.get("protocol")).startswith(_PAPERS):
            source = prompt_source(env, params or {})
            # One setting in our words is enough to say so.
            if prompts.get(task.id) != _OURS:
                prompts[task.id] = source
        POOL.give_back(task, env)
    return prompts


def prompt_source(env: gym.Env[Any, Any], params: Mapping[str, Any]) -> str:
    """Return whose prompt a model is sent: "ours", or that of a paper's benchmark.

    Args:
        env: An environment that was reset.
        params: The agent's parameters.
    """
    defaults = {"prompting": "act", "prompts": "published", "tools": "text"}
    name = "published_prompt"
    if any(params.get(key, value) != value for key, value in defaults.items()):
        return _OURS
    found = env.get_wrapper_attr(name)() if env.has_wrapper_attr(name) else None
    if params.get("memories") and not isinstance(found, PublishedTrials):
        return _OURS
    return str(found.source) if found is not None else _OURS


def _check_values(
    agent: str, params: Mapping[str, Any], env: gym.Env[Any, Any]
) -> None:
    try:
        load(agent, params)(env)
    except (ValueError, OSError) as error:
        raise ValueError(f"agent={agent!r}: {error}") from error
    except TypeError as error:
        raise TypeError(f"agent={agent!r}: {error}") from error


def _check_info(task: Task, env: gym.Env[Any, Any]) -> None:
    _, info = env.reset(seed=task.seed)
    absent = [key for key in _NEEDED if key not in info]
    if absent:
        raise ValueError(
            f"{task.setting} has no {', '.join(absent)} in info: wrap it with "
            "aq_gym.wrappers.SubgoalProgress and register the wrapped environment"
        )


def check_limits(
    limits: Mapping[str, float], agent: str, params: Mapping[str, Any]
) -> None:
    """Check that each limit is positive and can be reached.

    Raises:
        ValueError: If a limit is not above 0, or the cost of a model without a price
            is limited.
    """
    for name, limit in limits.items():
        if not limit > 0:
            raise ValueError(f"limit of {name}: {limit} must be above 0")
    if "cost" in limits and agent == "llm" and not any(params.get("price", ())):
        raise ValueError(
            f"limit of cost: {limits['cost']:g} is never reached, as agent='llm' has "
            "no price: give the cost of a million tokens, read and written, as "
            '--agent-arg "price=[IN, OUT]"'
        )
