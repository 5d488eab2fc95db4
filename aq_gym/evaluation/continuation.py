"""Continue the episodes of a run beyond their step cap, in a new run.

AgentQuest (section 4) asks in this way whether an agent that ends at its cap of 60
steps needs more of them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.evaluation.manifest import identity
from aq_gym.evaluation.results import LoadedRun, load_run
from aq_gym.evaluation.suite import Suite
from aq_gym.trajectory.reader import find

_CAP = "max_episode_steps="


class Parent(NamedTuple):
    """The run that another one continues.

    Attributes:
        files: Its trajectories, by the name of the new run's task.
        record: Its name, agent and suite, and the digest of its rows, for ``run.json``.
    """

    files: Mapping[str, Path]
    record: Mapping[str, Any]


def continued_suite(suite: Suite, max_steps: int) -> Suite:
    """Return a suite whose tasks have a larger step cap.

    Args:
        suite: The suite of the parent.
        max_steps: The new cap; tasks with a larger one keep theirs.
    """
    tasks = tuple(
        task if task.cap >= max_steps else replace(task, max_steps=max_steps)
        for task in suite.tasks
    )
    return replace(suite, name=f"{suite.name} (continued to {max_steps})", tasks=tasks)


def parent_of(
    directory: str | os.PathLike[str],
    suite: Suite,
    agent: str,
    params: Mapping[str, Any],
    may_change: Collection[str],
) -> Parent:
    """Return the parent of a run, after checking that it can be continued.

    Raises:
        FileNotFoundError: If the directory holds no run, or a trajectory is missing.
        ValueError: If the parent has another agent, lacks an episode without an error,
            an environment is declared nondeterministic, or a task has several trials.
    """
    run = load_run(directory)
    _check_agent(run, agent, params, may_change)
    rows = {
        (_uncapped(row.setting), row.seed): row for row in run.episodes if not row.error
    }
    files = {}
    for task in suite.tasks:
        spec = gym.registry.get(task.id.rpartition(":")[2])
        if spec is not None and spec.nondeterministic:
            raise ValueError(
                f"{task.id} is declared nondeterministic: its episodes cannot be "
                "continued"
            )
        row = rows.get((_uncapped(task.setting), task.seed))
        if row is None:
            raise ValueError(
                f"{run.path} has no error-free episode of {task.setting} with seed "
                f"{task.seed}: finish the run first, and give its suite"
            )
        if task.trials > 1 or "trials" in row.scores:
            raise ValueError(
                f"{row.task} has several trials, which cannot be continued"
            )
        files[task.name] = find(run.path / "trajectories", row.task)
    digest = hashlib.sha256((run.path / "episodes.jsonl").read_bytes()).hexdigest()
    known = {key: run.what[key] for key in ("suite", "agent", "agent_params")}
    return Parent(files, {"name": run.path.resolve().name, **known, "sha256": digest})


def _check_agent(
    run: LoadedRun, agent: str, params: Mapping[str, Any], may_change: Collection[str]
) -> None:
    now = {"agent": agent, "agent_params": dict(params)}
    before = {key: run.what.get(key) for key in now}
    if identity(before, may_change) != identity(now, may_change):
        raise ValueError(
            f"{run.path} was played by agent={before['agent']!r} with "
            f"{before['agent_params']!r:.500}: only that agent can continue the run"
        )


def _uncapped(setting: str) -> str:
    """Return a setting without its step cap."""
    env_id, _, query = setting.partition("?")
    kept = [one for one in query.split("&") if not one.startswith(_CAP)]
    return "?".join((env_id, "&".join(kept)))
