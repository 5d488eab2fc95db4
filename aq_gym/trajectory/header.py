"""The header of a trajectory."""

from __future__ import annotations

import functools
import json
import platform
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym.trajectory.codec import encode

SCHEMA = 1


def origin_fields(env: gym.Env[Any, Any], packages: Sequence[str]) -> dict[str, Any]:
    """Return the header fields for the environment and the versions."""
    spec, reason = spec_of(env)
    return {
        "kind": "header",
        "schema": SCHEMA,
        "spec": encode(spec),
        "spec_missing": reason,
        "versions": versions_of(env, packages),
        "parent": None,
    }


def request_fields(
    env: gym.Env[Any, Any], seed: int | None, options: object
) -> dict[str, Any]:
    """Return the header fields for the arguments of the reset."""
    random_state = random_state_of(env) if seed is None else None
    return {
        "seed": encode(seed),
        "random_state": encode(random_state),
        "options": encode(options),
    }


def start_fields(
    observation: object, info: Mapping[str, Any], task_key: str
) -> dict[str, Any]:
    """Return the header fields for the result of the reset."""
    return {
        "task_id": encode(info.get(task_key, "")),
        "observation": encode(observation),
        "info": encode(info),
    }


def spec_of(env: gym.Env[Any, Any]) -> tuple[Any, str]:
    """Return an environment's spec as JSON and "", or None and the reason."""
    spec = env.spec
    if spec is None:
        return None, "the environment was not made by gymnasium.make"
    for wrapper in spec.additional_wrappers:
        if wrapper.kwargs is None:
            return None, f"{wrapper.name} does not record its arguments"
    try:
        record = json.loads(spec.to_json())
    except (TypeError, ValueError):
        return None, _why_not_json(spec)
    return record, ""


def random_state_of(env: gym.Env[Any, Any]) -> dict[str, Any] | None:
    """Return the state of an environment's numpy generator, or None."""
    generator = env.np_random
    if not isinstance(generator, np.random.Generator):
        return None
    return dict(generator.bit_generator.state)


def versions_of(env: gym.Env[Any, Any], packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of Python, packages and the environment's distribution."""
    versions = {"python": platform.python_version()}
    for name in ("aq-gym", "gymnasium", "numpy"):
        versions[name] = _version(name)
    entry_point = env.spec.entry_point if env.spec is not None else None
    if isinstance(entry_point, str):
        name = entry_point.partition(":")[0].partition(".")[0].replace("_", "-")
        versions[name] = _version(name)
    versions.update((name, _version(name)) for name in packages)
    return {name: version for name, version in versions.items() if version}


def check_packages(packages: Sequence[str]) -> None:
    """Raise if a package is not installed.

    Raises:
        ValueError: If one of them is not installed.
    """
    missing = [name for name in packages if not _version(name)]
    if missing:
        raise ValueError(f"packages={list(packages)!r}: {missing} are not installed")


@functools.cache
def _version(distribution: str) -> str:
    # Imported late, because it takes longer to import than all wrappers together.
    import importlib.metadata

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _why_not_json(spec: Any) -> str:
    if callable(spec.entry_point):
        return f"{spec.id} is registered with a function, not with 'module:function'"
    owners = [(spec.id, spec.kwargs)]
    owners += [(wrapper.name, wrapper.kwargs) for wrapper in spec.additional_wrappers]
    for owner, arguments in owners:
        for name, value in arguments.items():
            try:
                json.dumps(value)
            except (TypeError, ValueError) as error:
                return f"{owner}({name}=...): {error}"
    return "its spec is not JSON"
