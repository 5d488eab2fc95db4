"""Build the suite, agent and executor from the options of ``aq-gym run``."""

from __future__ import annotations

import argparse
from typing import Any

from aq_gym.cli.continuing import COMMAND_LINE, continue_parent
from aq_gym.cli.options import agent_params, import_env_modules
from aq_gym.evaluation import Suite, Task
from aq_gym.selection import EnvSelection, check_id

EPISODES = 10


def request_of(options: argparse.Namespace) -> tuple[Suite, dict[str, Any]]:
    """Return the suite to be played and the arguments of the agent's constructor.

    ``options.agent`` is set if it was not given.

    Raises:
        ValueError: If there is no such suite, or an option does not apply to the suite
            or the agent.
    """
    import_env_modules(options)
    suite = _suite(options)
    params: dict[str, Any] = {}
    if options.parent is not None or options.continue_to is not None:
        suite, params = continue_parent(options, suite)
        options.model = options.model or params.get("model")
    options.agent = options.agent or "random"
    if suite is None:
        raise ValueError("give --env ID, --suite NAME or --from RUN")
    if options.agent == "human":
        raise ValueError("--agent human plays with `aq-gym play`")
    return suite, {**params, **agent_params(options)}


def _suite(options: argparse.Namespace) -> Suite | None:
    """Return the named suite, or a suite of the named environments."""
    if options.suite:
        if options.seed is not None:
            raise ValueError("--seed goes with --env; a suite has its own")
        return Suite.load(options.suite).part(
            only=options.only,
            episodes=options.episodes,
            limit=options.limit,
            max_steps=options.max_steps,
        )
    if options.only or options.limit:
        raise ValueError("--only and --limit go with --suite")
    if not options.env:
        return None
    named = dict.fromkeys(options.env)
    settings = [EnvSelection.parse(text, options.env_module) for text in named]
    for setting in settings:
        check_id(setting.id)
    tasks = tuple(
        Task(setting.id, (options.seed or 0) + n, setting.kwargs, options.max_steps)
        for setting in settings
        for n in range(options.episodes or EPISODES)
    )
    return Suite(COMMAND_LINE, tasks)


def executor_of(options: argparse.Namespace) -> str:
    """Return the name of the executor: the given one, or that which fits the agent."""
    if options.executor:
        return str(options.executor)
    if options.workers == 1:
        return "inline"
    # Threads suit agents that wait for a model; other agents compute.
    return "threads" if options.agent == "llm" else "processes"
