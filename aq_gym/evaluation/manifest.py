"""The manifest of a run: the contents of ``run.json``."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import gymnasium as gym

from aq_gym._version import __version__
from aq_gym.evaluation.json_files import as_read
from aq_gym.evaluation.suite import Suite
from aq_gym.registration import rows

__all__ = ["run_manifest", "run_notes"]


def run_manifest(suite: Suite, agent: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the manifest that must be equal to continue a run.

    Args:
        suite: The suite.
        agent: The agent's name.
        params: Its parameters, JSON-safe.
    """
    return {
        "suite": {"name": suite.name, "hash": suite.hash},
        "agent": agent,
        "agent_params": as_read(dict(params)),
        "versions": {
            "aq-gym": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in sorted(_packages(suite))},
        },
    }


def run_notes(suite: Suite, workers: int) -> dict[str, Any]:
    """Return the part of the manifest that may differ when a run is continued.

    Args:
        suite: The suite.
        workers: The number of episodes played at once.
    """
    return {
        "git_commit": _git_commit(),
        "protocol": _protocols(suite),
        "tasks": len(suite.tasks),
        "workers": workers,
    }


def _protocols(suite: Suite) -> dict[str, list[str]]:
    """Return the protocols of tasks by id, except for the default."""
    named: dict[str, set[str]] = {}
    for task in suite.tasks:
        if "protocol" in task.kwargs:
            named.setdefault(task.id, set()).add(str(task.kwargs["protocol"]))
    return {env_id: sorted(named[env_id]) for env_id in sorted(named)}


def _git_commit() -> str:
    try:
        git = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return git.stdout.strip() if git.returncode == 0 else ""


def _packages(suite: Suite) -> set[str]:
    """Return the names of the engines' distributions."""
    engines = {row.id: row.requires for row in rows()}
    packages = {"gymnasium", "numpy"}
    # "module:id" imports the module first; the preflight has done so.
    for env_id in {task.id.rpartition(":")[2] for task in suite.tasks}:
        packages.update(engines.get(env_id, ()))
        entry_point = gym.spec(env_id).entry_point
        if isinstance(entry_point, str):
            packages.add(entry_point.partition(":")[0].partition(".")[0])
    return {name.replace("_", "-") for name in packages} - {"aq-gym"}


# Reading it from the file takes longer than the rest of the manifest.
@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
