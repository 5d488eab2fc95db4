"""What is run, as ``run.json`` says it."""

from __future__ import annotations

import inspect
import platform
import re
import subprocess
from collections.abc import Mapping
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import gymnasium as gym

from aq_gym._version import __version__
from aq_gym.agents import is_packaged, load
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.task import Task
from aq_gym.registration import TABLE

__all__ = ["check_agent", "check_limits", "check_values", "notes_of", "what_is_run"]

_SECRET = re.compile(
    r"(?i)^(?:.*_)?(?:access|api|auth|openai|private)_?(?:key|token)$|^(?:key|token)$"
    r"|authorization|bearer|credential|passw|secret"
)
_CREDENTIALS = re.compile(r"(?i)://\S*@|[?&]\w*(?:key|password|secret|token)\w*=")


def check_agent(agent: str, params: Mapping[str, Any]) -> None:
    """Refuse an agent that is not there, or parameters that it does not have.

    Args:
        agent: Its name, as :func:`aq_gym.agents.load` takes it.
        params: What its constructor gets besides the environment.

    Raises:
        ValueError: If there is no such agent, or a parameter is a secret, which would
            be written to the run's files.
        TypeError: If it does not have these parameters.
    """
    for name, value in params.items():
        if _holds_secret(name, value):
            raise ValueError(
                f"agent parameter {name!r} would be written to the run's files: give "
                "keys and passwords in the environment (OPENAI_API_KEY)"
            )
    try:
        inspect.signature(load(agent)).bind(None, **params)
    except TypeError as error:
        raise TypeError(f"agent={agent!r} with {dict(params)!r}: {error}") from error


def _holds_secret(name: str, value: object) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_secret(str(key), item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return any(_holds_secret(name, item) for item in value)
    if not isinstance(value, str):
        return False
    return bool(_SECRET.search(name) or _CREDENTIALS.search(value))


def check_values(agent: str, params: Mapping[str, Any], task: Task) -> None:
    """Make an agent of this package once, to find what is wrong with its parameters.

    One from elsewhere is not made: that may take long, or leave something behind.

    Args:
        agent: Its name.
        params: Its parameters.
        task: Whose environment it gets.

    Raises:
        ValueError: If the agent refuses a value, or the environment.
        TypeError: If a value is of another type.
    """
    if not is_packaged(agent):
        return
    with closing(task.make()) as env:
        try:
            load(agent, params)(env)
        except (ValueError, OSError) as error:
            raise ValueError(f"agent={agent!r}: {error}") from error
        except TypeError as error:
            raise TypeError(f"agent={agent!r}: {error}") from error


def check_limits(
    limits: Mapping[str, float], agent: str, params: Mapping[str, Any]
) -> None:
    """Refuse a limit that would stop nothing, or everything.

    Args:
        limits: What the run may use up.
        agent: The agent's name.
        params: Its parameters.

    Raises:
        ValueError: If a limit is not above 0, or one of the cost is set for a model
            without a price.
    """
    for name, limit in limits.items():
        if not limit > 0:
            raise ValueError(f"limit of {name}: {limit} must be above 0")
    if "cost" in limits and agent == "llm" and not any(params.get("price", ())):
        raise ValueError(
            f"limit of cost: {limits['cost']:g} is never reached, as agent='llm' has "
            "no price: give what a million tokens cost, read and written, as "
            '--agent-arg "price=[IN, OUT]"'
        )


def what_is_run(suite: Suite, agent: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be equal for a run to go on.

    Args:
        suite: What is played.
        agent: The agent's name.
        params: Its parameters.
    """
    return {
        "suite": {"name": suite.name, "hash": suite.hash},
        "agent": agent,
        "agent_params": dict(params),
        "versions": {
            "aq-gym": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in sorted(_packages(suite))},
        },
    }


def notes_of(suite: Suite) -> dict[str, Any]:
    """Return what need not be equal for a run to go on.

    Args:
        suite: What is played.
    """
    return {"git_commit": _git_commit(), "tasks": len(suite.tasks)}


def _git_commit() -> str:
    try:
        git = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return git.stdout.strip() if git.returncode == 0 else ""


def _packages(suite: Suite) -> set[str]:
    """Name the distributions that decide what happens in an episode: the engines."""
    engines = {row.id: row.requires for row in TABLE}
    packages = {"gymnasium", "numpy"}
    # "module:id" imports the module first; the checks have done so.
    for id in {task.id.rpartition(":")[2] for task in suite.tasks}:
        packages.update(engines.get(id, ()))
        entry_point = gym.spec(id).entry_point
        if isinstance(entry_point, str):
            packages.add(entry_point.partition(":")[0].partition(".")[0])
    return {name.replace("_", "-") for name in packages} - {"aq-gym"}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
