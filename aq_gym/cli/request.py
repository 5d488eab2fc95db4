"""Build the suite, agent and executor from the options of ``aq-gym run``."""

from __future__ import annotations

import argparse
from typing import Any

from aq_gym.cli.options import agent_params, import_env_modules
from aq_gym.evaluation import Suite, Task
from aq_gym.selection import EnvSelection, check_id

__all__ = ["EPISODES", "agent_params_of", "executor_of", "suite_of"]

EPISODES = 10


def suite_of(options: argparse.Namespace) -> Suite:
    """Return the named suite, or a suite of the named environments.

    Args:
        options: The parsed options.

    Raises:
        ValueError: If there is no such suite, or an option does not apply to a suite.
    """
    if options.suite:
        if options.seed is not None:
            raise ValueError("--seed goes with --env; a suite has its own")
        import_env_modules(options)
        return Suite.load(options.suite).part(
            only=options.only,
            episodes=options.episodes,
            limit=options.limit,
            max_steps=options.max_steps,
        )
    if options.only or options.limit:
        raise ValueError("--only and --limit go with --suite")
    named = dict.fromkeys(options.env)
    settings = [EnvSelection.parse(text, options.env_module) for text in named]
    for setting in settings:
        check_id(setting.id)
    tasks = tuple(
        Task(setting.id, (options.seed or 0) + n, setting.kwargs, options.max_steps)
        for setting in settings
        for n in range(options.episodes or EPISODES)
    )
    return Suite("command line", tasks)


def agent_params_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the agent's constructor.

    Args:
        options: The parsed options.

    Raises:
        ValueError: If an option does not apply to the agent.
    """
    if options.agent == "human":
        raise ValueError("--agent human plays with `aq-gym play`")
    return agent_params(options)


def executor_of(options: argparse.Namespace) -> str:
    """Return the name of the executor: the given one, or the one that fits the agent.

    Args:
        options: The parsed options.
    """
    if options.executor:
        return str(options.executor)
    if options.workers == 1:
        return "inline"
    # Waiting for a model is best done in threads; other agents compute.
    return "threads" if options.agent == "llm" else "processes"
