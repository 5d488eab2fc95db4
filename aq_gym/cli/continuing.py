"""``aq-gym run --from RUN``: the suite and the agent of a run that is continued."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

import gymnasium as gym

from aq_gym.agents import is_packaged, may_change
from aq_gym.evaluation import LoadedRun, Suite, Task, load_run, packaged_suites
from aq_gym.evaluation.continuation import continued_suite
from aq_gym.selection import EnvSelection
from aq_gym.trajectory.trust import UntrustedError, untrusted

# The name of the suite of --env.
COMMAND_LINE = "command line"


def continue_parent(
    options: argparse.Namespace, suite: Suite | None
) -> tuple[Suite, dict[str, Any]]:
    """Return the suite of a continued run, and its agent's parameters.

    ``options.agent`` becomes the run's if it was not given. A file can name anything:
    agents of other packages and endpoints are taken only from the command line.

    Args:
        options: The options of ``aq-gym run``, with ``parent`` and ``continue_to``.
        suite: The suite that the options name; None for that of the run.

    Raises:
        ValueError: If an option is missing, or the run names what only the command line
            may name.
    """
    if options.parent is None or options.continue_to is None:
        raise ValueError("--from RUN and --continue-to N go together")
    run = load_run(options.parent)
    agent = run.what["agent"]
    if options.agent is None and not is_packaged(agent):
        raise ValueError(f"{run.path} was played by {agent!r}: give --agent {agent}")
    options.agent = options.agent or agent
    params = {}
    if options.agent == agent:
        changeable = may_change(agent)
        known = run.what.get("agent_params", {})
        params = {key: known[key] for key in known if key not in changeable}
    return continued_suite(suite or _suite(run), options.continue_to), params


def _suite(run: LoadedRun) -> Suite:
    name = run.what["suite"]["name"]
    if name in packaged_suites():
        return Suite.load(name)
    if name != COMMAND_LINE:
        raise ValueError(f"{run.path} played {name!r}: give --suite and its options")
    return Suite(name, tuple(_task(run, row.setting, row.seed) for row in run.episodes))


def _task(run: LoadedRun, setting: str, seed: int) -> Task:
    # Making an id of the form module:id would import the module.
    if setting.partition("?")[0] not in gym.registry:
        raise ValueError(f"{run.path} played {setting}: give it with --env")
    chosen = EnvSelection.parse(setting)
    kwargs = dict(chosen.kwargs)
    cap = kwargs.pop("max_episode_steps", None)
    registered = gym.spec(chosen.id)
    spec = replace(registered, kwargs={**registered.kwargs, **kwargs})
    problem = untrusted(spec)
    if problem:
        raise UntrustedError(f"{run.path} names {problem}", registered=True)
    return Task(chosen.id, seed, kwargs, cap)
