"""The manifest of a run, ``run.json``, and what a continued run may change in it."""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

import gymnasium as gym

from aq_gym._version import __version__
from aq_gym.agents import is_packaged, is_privileged, load
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.task import Task
from aq_gym.papers.agentboard import annotated_if_there
from aq_gym.registration import rows
from aq_gym.support.json_files import as_read
from aq_gym.support.redaction import recordable

# The benchmarks that use AgentBoard's subgoals if its data are available.
_ANNOTATED = {"aq/BabyAI-text-v0": "babyai", "aq/Jericho-v0": "jericho"}


def run_manifest(suite: Suite, agent: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the manifest that determines the episodes.

    To continue a run, all of it except the versions of other packages must be equal.
    """
    source = {} if is_packaged(agent) else {"agent_source": _source_hash(agent)}
    privileged = {"privileged": True} if is_privileged(load(agent)) else {}
    return {
        "suite": suite.identity,
        "agent": agent,
        **privileged,
        **source,
        "agent_params": recordable(as_read(dict(params))),
        "versions": {
            "aq-gym": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in sorted(_packages(suite))},
        },
    }


def _source_hash(agent: str) -> str:
    """Return a hash of the source of an agent's own module, "" if it has none."""
    module = sys.modules.get(agent.partition(":")[0])
    file = getattr(module, "__file__", None)
    try:
        return hashlib.sha256(Path(file or "").read_bytes()).hexdigest()[:12]
    except OSError:
        return ""


def run_notes(suite: Suite, workers: int, prompts: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of the manifest that may differ when a run is continued."""
    sent: dict[str, Any] = {"prompts": dict(prompts)} if prompts else {}
    judged = {
        task.id: _judge(task)
        for task in suite.tasks
        if task.id in _ANNOTATED and task.kwargs.get("protocol") == "agentboard"
    }
    sent |= {"subgoals": judged} if judged else {}
    return {
        **sent,
        "git_commit": _git_commit(),
        "protocol": _protocols(suite),
        "tasks": len(suite.tasks),
        "workers": workers,
    }


def _judge(task: Task) -> str:
    """Return the source of the subgoals that score a task in AgentBoard's protocol."""
    given = task.kwargs.get("patterns")
    if given or annotated_if_there(_ANNOTATED[task.id], task.kwargs.get("data_dir")):
        return "AgentBoard"
    return "ours"


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
    # "module:id" imports the module first; the preflight has already done so.
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
        # A module can have a different name from its distribution.
        found = packages_distributions().get(package.replace("-", "_"))
        return version(found[0]) if found else "not installed as a package"


_VERSION = "versions."


def fixed_part(
    record: Mapping[str, Any], may_change: Collection[str]
) -> dict[str, Any]:
    """Return the part of a manifest that must be equal to continue a run.

    It excludes the versions of Python and of other packages, and the agent's parameters
    that may change.
    """
    fixed = dict(record)
    params, versions = record.get("agent_params"), record.get("versions")
    if isinstance(params, dict):
        fixed["agent_params"] = {
            key: value for key, value in params.items() if key not in may_change
        }
    if isinstance(versions, dict):
        fixed["versions"] = {"aq-gym": versions.get("aq-gym")}
    return fixed


def with_changes(
    before: Mapping[str, Any], now: Mapping[str, Any], episodes: int
) -> dict[str, Any] | None:
    """Return the contents of ``run.json`` with the current differences.

    The values of the first session stay. Each entry of ``changes`` in the notes has the
    new values, with None for a removed value, and as ``after`` the number of rows in
    ``episodes.jsonl`` that were written before the change.

    Returns:
        None if nothing changed.
    """
    held = _settings(with_last_changes(before))
    new = _settings(now)
    changed = {key: new.get(key) for key in new | held if new.get(key) != held.get(key)}
    if not changed:
        return None
    changes = [*_changes(before), {"after": episodes, **changed}]
    return {**before, "notes": {**_part(before, "notes"), "changes": changes}}


def with_last_changes(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of ``run.json`` with the values that held at the end.

    Args:
        record: The contents, whose notes have the changes made by continuing the run.
    """
    parts = {
        name: _part(record, name) for name in ("agent_params", "versions", "notes")
    }
    fields = {**record, **parts}
    owners = {"agent": fields, "agent_source": fields}
    owners |= {"privileged": fields, "workers": parts["notes"]}
    for change in _changes(record):
        for key in change.keys() - {"after"}:
            owner, name = owners.get(key, parts["agent_params"]), key
            if key.startswith(_VERSION):
                owner, name = parts["versions"], key.removeprefix(_VERSION)
            owner[name] = change[key]
            if change[key] is None:
                del owner[name]
    return fields


def agent_label(record: Mapping[str, Any]) -> str:
    """Return the agent's name as it stands beside its scores.

    Args:
        record: The contents of ``run.json``. Those of earlier versions do not say which
            agents are privileged.
    """
    agent = str(record.get("agent", "agent"))
    known = agent in ("expert", "human") or agent.startswith("replay:")
    told = [one.get("privileged") for one in (record, *_changes(record))]
    return f"{agent} (privileged)" if known or True in told else agent


def _changes(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    changes = _part(record, "notes").get("changes")
    changes = changes if isinstance(changes, list) else []
    return [change for change in changes if isinstance(change, dict)]


def _part(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a copy of an object in a file's contents; empty if it is not an object."""
    part = record.get(name)
    return dict(part) if isinstance(part, dict) else {}


def _settings(record: Mapping[str, Any]) -> dict[str, Any]:
    versions = _part(record, "versions")
    return {
        "workers": _part(record, "notes").get("workers"),
        "agent": record.get("agent"),
        "agent_source": record.get("agent_source"),
        "privileged": record.get("privileged"),
        **_part(record, "agent_params"),
        **{f"{_VERSION}{name}": number for name, number in versions.items()},
    }


_ABSENT = object()


def differences(here: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return each difference as text, such as "versions.x: 1 here, 2 now".

    Args:
        here: The contents of ``run.json``; keys that ``now`` lacks are ignored.
        now: The manifest of the run to be made, which gives the order. Its ``notes``
            may differ; only the number of tasks is read from them.
    """
    found = []
    for key, value in now.items():
        before = here.get(key, _ABSENT)
        if key == "notes" or before == value:
            continue
        if key == "suite" and isinstance(before, Mapping):
            found.append(f"suite: {_suite(here)} here, {_suite(now)} now")
        else:
            found += _leaves(key, before, value)
    return found


def _leaves(key: str, before: Any, now: Any) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in sorted({*before, *now}):
            values = before.get(name, _ABSENT), now.get(name, _ABSENT)
            yield from _leaves(f"{key}.{name}", *values)
    elif before != now:
        yield f"{key}: {_shown(before)} here, {_shown(now)} now"


def _shown(value: object) -> str:
    return "none" if value is _ABSENT else f"{value!r:.200}"


def _suite(manifest: Mapping[str, Any]) -> str:
    suite, notes = manifest["suite"], manifest.get("notes")
    count = notes.get("tasks") if isinstance(notes, Mapping) else None
    tasks = "" if count is None else f", {count} tasks"
    return f"{suite.get('name')!r} ({suite.get('hash')}{tasks})"
