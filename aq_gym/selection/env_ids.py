"""Ids given by a user: modules that register them, and similar ids."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import gymnasium as gym

from aq_gym.selection.modules import (
    benchmark_modules,
    import_benchmarks,
    import_named,
)

__all__ = ["check_id", "with_modules"]

_MOST = 3


def with_modules(env_id: str, modules: Sequence[str]) -> str:
    """Import the modules that register environments, and return the id to be made.

    The id is given its module, so that other processes import it too.

    Args:
        env_id: The id that the user named.
        modules: The modules, installed or in the current folder.

    Raises:
        ImportError: If a module cannot be imported.
    """
    owner = ""
    known = env_id in gym.registry
    for module in modules:
        import_named(module)
        if not owner and env_id in gym.registry:
            owner = module
    if not owner and ":" not in env_id:
        owner = _package_of(env_id)
    foreign = not known or not env_id.startswith("aq/")
    return f"{owner}:{env_id}" if owner and foreign and ":" not in env_id else env_id


def _package_of(env_id: str) -> str:
    """Return the module of the installed benchmark that has an id, "" if none has."""
    if env_id not in gym.registry:
        import_benchmarks()
    spec = gym.registry.get(env_id)
    top = str(spec.entry_point).partition(":")[0].partition(".")[0] if spec else ""
    found = (name for name in benchmark_modules() if name.partition(".")[0] == top)
    return next(found, "")


def check_id(env_id: str) -> None:
    """Check that an id is registered.

    Args:
        env_id: The id; one with a module, ``module:id``, imports it first.

    Raises:
        ImportError: If the module cannot be imported.
        ValueError: If the id is not registered; the message has similar ids.
    """
    module, _, name = env_id.rpartition(":")
    if module:
        import_named(module)
    if name in gym.registry:
        return
    similar = _similar(name)
    hint = f"did you mean {' or '.join(similar)}? " if similar else ""
    raise ValueError(
        f"there is no environment {env_id!r}: {hint}`aq-gym list` shows all ids"
    )


def _similar(name: str) -> list[str]:
    """Return registered ids that contain a name or are spelled similarly."""
    ours = [env_id for env_id in gym.registry if env_id.startswith("aq/")]
    others = [env_id for env_id in gym.registry if not env_id.startswith("aq/")]
    folded = name.casefold()
    for ids in (ours, others):
        found = [env_id for env_id in ids if folded and folded in env_id.casefold()]
        if found:
            return sorted(found, key=len)[:_MOST]
    by_name = {env_id.casefold(): env_id for env_id in reversed([*ours, *others])}
    by_name |= {env_id.casefold().removeprefix("aq/"): env_id for env_id in ours}
    close = difflib.get_close_matches(folded, by_name, _MOST, 0.6)
    return list(dict.fromkeys(by_name[key] for key in close))
