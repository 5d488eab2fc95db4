"""Build the suite, agent and executor from the options of ``aq-gym run``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection
from dataclasses import replace
from itertools import chain, islice, permutations
from operator import itemgetter
from pathlib import Path
from typing import Any

import gymnasium as gym

from aq_gym.agents import is_packaged, load, may_change
from aq_gym.cli.options import agent_params, import_env_modules, natural
from aq_gym.core.arguments import check_arguments
from aq_gym.evaluation import LoadedRun, Suite, Task, load_run, packaged_suites
from aq_gym.evaluation.results import read_episodes
from aq_gym.evaluation.runner import continued_suite
from aq_gym.evaluation.suite import COMMAND_LINE
from aq_gym.papers.suites import playable
from aq_gym.selection import (
    benchmark_modules,
    check_id,
    key_value,
    parse_env,
)
from aq_gym.support.redaction import is_recorded
from aq_gym.trajectory.trust import UntrustedError, untrusted

EPISODES = 10
# The number of orders of the settings of --env that are tried.
_MOST_ORDERS = 720


def request_of(options: argparse.Namespace) -> tuple[Suite, dict[str, Any]]:
    """Return the suite to play, and the arguments of the agent's constructor.

    ``options.agent`` is set if it was not given.

    Raises:
        ValueError: If there is no such suite, or an option does not apply to the suite
            or the agent.
    """
    import_env_modules(options)
    suite = _suite(options)
    if options.attempts is not None:
        if suite is None:
            raise ValueError("--attempts goes with --suite and --env")
        suite = suite.repeated(options.attempts)
    params: dict[str, Any] = {}
    if options.parent is not None or options.continue_to is not None:
        suite, params = _continue_parent(options, suite)
        options.model = options.model or params.get("model")
    options.agent = options.agent or "random"
    if suite is None:
        raise ValueError("give --env ID, --suite NAME or --from RUN")
    if options.agent == "human":
        raise ValueError("--agent human plays with `aq-gym play`")
    given = agent_params(options)
    for name in params.keys() - given.keys():
        if not is_recorded(params[name]):
            raise ValueError(
                f"{options.parent} does not record all of {name!r}, because it may "
                f"contain a key: give it with --agent-arg {name}=..."
            )
    return suite, {**params, **given}


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
    settings = [parse_env(text, options.env_module) for text in named]
    for env_id, _ in settings:
        check_id(env_id)
    tasks = tuple(
        Task(
            env_id,
            (options.seed or 0) + n,
            kwargs,
            options.max_steps,
        )
        for env_id, kwargs in settings
        for n in range(options.episodes or EPISODES)
    )
    return Suite(COMMAND_LINE, tasks)


def _continue_parent(
    options: argparse.Namespace, suite: Suite | None
) -> tuple[Suite, dict[str, Any]]:
    """Return the suite of a continued run, and its agent's parameters.

    ``options.agent`` becomes the run's if it was not given. Because a file can name
    anything, agents of other packages, endpoints and functions that count tokens are
    only taken from the command line.

    Raises:
        ValueError: If an option is missing, or the run names what only the command line
            may name.
    """
    if options.parent is None or options.continue_to is None:
        raise ValueError("--from RUN and --continue-to N go together")
    run = load_run(options.parent)
    agent = run.manifest["agent"]
    if options.agent is None and not is_packaged(agent):
        raise ValueError(f"{run.path} was played by {agent!r}: give --agent {agent}")
    options.agent = options.agent or agent
    params = {}
    if options.agent == agent:
        given = {*may_change(agent), *getattr(load(agent), "code", ())}
        known = run.manifest.get("agent_params", {})
        params = {key: known[key] for key in known if key not in given}
    suite = suite or played_suite(run, modules=options.env_module)
    return continued_suite(suite, options.continue_to), params


def played_suite(
    run: LoadedRun, given: Suite | None = None, modules: Collection[str] = ()
) -> Suite:
    """Return the suite that a run names.

    Args:
        run: The run. The tasks of one that was played with ``--env`` are those of its
            rows; their hash in ``run.json`` says whether they are complete.
        given: The user's suite that was played, whole or in part; None for a packaged
            one.
        modules: The modules that may be imported to make its environments.

    Raises:
        ValueError: If its suite is not packaged and not given, or a task's environment
            is not registered.
        UntrustedError: If an argument of a task may run code or read files.
    """
    named = run.manifest["suite"]
    name, attempts = str(named["name"]), named.get("attempts", 1)
    if given is None and name.partition(" (")[0] == COMMAND_LINE:
        suite = _suite_of_rows(run, modules)
    else:
        suite = _named_suite(name, given, run.path)
    # A file can name any number.
    known = type(attempts) is int and 1 <= attempts <= max(len(run.episodes), 1)
    return suite.repeated(attempts) if known else suite


def _named_suite(name: str, given: Suite | None, path: Path) -> Suite:
    if given is not None and name == given.name:
        return given
    if given is None and name in packaged_suites():
        return Suite.load(name)
    # The last of the parts that were taken one after another.
    part = re.fullmatch(r"(.+) \((\w+[ =].+?)\)", name)
    if part is None:
        raise ValueError(f"{path} played {name!r}: give --suite and its file")
    suite, text = _named_suite(part[1], given, path), part[2]
    if text.startswith("without "):
        return playable(suite)[0]
    if text.startswith("continued to "):
        return continued_suite(suite, natural(text.removeprefix("continued to ")))
    chosen = dict(map(key_value, re.split(", (?=[a-z_]+=)", text)))
    if only := chosen.pop("only", ""):
        chosen["only"] = str(only).split(",")
    check_arguments(Suite.part, chosen)
    return suite.part(**chosen)


def _suite_of_rows(run: LoadedRun, modules: Collection[str]) -> Suite:
    """Return the tasks of a run's rows, in the order that has the suite's hash."""
    # Episodes end in about the order of the suite.
    ended = read_episodes(run.path)[0]
    tasks: dict[str, list[Task]] = {row.setting: [] for row in ended}
    played = dict.fromkeys((row.setting, row.seed) for row in ended)
    for setting, seed in sorted(played, key=itemgetter(1)):
        tasks[setting].append(_task(run, setting, seed, modules))
    name, digest = (run.manifest["suite"][key] for key in ("name", "hash"))
    orders = islice(permutations(tasks.values()), _MOST_ORDERS)
    suites = [Suite(name, (*chain.from_iterable(order),)) for order in orders]
    return next((suite for suite in suites if suite.hash == digest), suites[0])


def _task(run: LoadedRun, setting: str, seed: int, modules: Collection[str]) -> Task:
    module, _, name = setting.partition("?")[0].rpartition(":")
    # Refused, because making an id of the form module:id would import the module.
    if name not in gym.registry or module not in ("", *modules, *benchmark_modules()):
        hint = f", or --env-module {module}" if module else ""
        raise ValueError(f"{run.path} played {setting}: give it with --env{hint}")
    env_id, kwargs = parse_env(setting)
    cap = kwargs.pop("max_episode_steps", None)
    registered = gym.spec(name)
    spec = replace(registered, kwargs={**registered.kwargs, **kwargs})
    problem = untrusted(spec)
    if problem:
        raise UntrustedError(f"{run.path} names {problem}", registered=True)
    return Task(env_id, seed, kwargs, cap)


def executor_of(options: argparse.Namespace) -> str:
    """Return the name of the executor: the given one, or one that suits the agent."""
    if options.executor:
        return str(options.executor)
    if options.workers == 1:
        return "inline"
    # Threads suit agents that wait for a model; other agents compute.
    return "threads" if options.agent == "llm" else "processes"
