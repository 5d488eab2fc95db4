"""Environments and modules that a user names in text."""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any
from urllib.parse import parse_qsl

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

from aq_gym.core.arguments import argument_hints
from aq_gym.core.text import did_you_mean

# Where a package names the module that registers its benchmarks.
_GROUP = "aq_gym.benchmarks"
# The arguments of gymnasium.make for every environment.
_OF_MAKE = ("max_episode_steps", "disable_env_checker")
_EVERYWHERE = {"render_mode", "instructions", "list_actions"}
_MOST_SIMILAR_IDS = 3
_COMMON = re.compile(r"^aq/|-v\d+$")


def parse_env(text: str, modules: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
    """Return the id and the constructor arguments of ``ID?key=value&key=value``.

    A value is JSON, a Python literal, or else plain text. If the constructor's argument
    is a ``str``, the value is text unless it is quoted.

    Raises:
        ImportError: If a module cannot be imported.
        ValueError: If the part after ``?`` does not have this form, or an argument does
            not exist.
    """
    env_id, _, query = text.partition("?")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError as error:
        raise ValueError(f"{text!r} is not of the form ID?key=value") from error
    env_id = with_modules(env_id, modules)
    hints = check_names(env_id, dict(pairs))
    texts = {name for name, hint in hints.items() if hint in (str, str | None)}
    return env_id, {key: _value(value, key in texts) for key, value in pairs}


def key_value(text: str) -> tuple[str, Any]:
    """Parse ``key=value``; the value is JSON, a Python literal, or plain text.

    Raises:
        ValueError: If there is no ``=``.
    """
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise ValueError(f"{text!r} is not of the form KEY=VALUE")
    return key, _value(value, as_text=False)


def _value(text: str, as_text: bool) -> Any:
    value = _literal(text)
    return text if as_text and not isinstance(value, str | None) else value


def _literal(text: str) -> Any:
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            # Deep nesting raises the last two; a row in a run's files can contain it.
            continue
    return text


def check_names(env_id: str, names: Collection[str]) -> dict[str, Any]:
    """Check the names of constructor arguments of an environment.

    Returns:
        The annotations of the constructor's arguments; empty if they are unknown.

    Raises:
        ValueError: If an argument does not exist.
    """
    hints = _arguments(env_id)
    unknown = sorted(map(str, {*names} - {*(hints or names), *_OF_MAKE}))
    if unknown:
        raise ValueError(
            f"{env_id} has no argument {', '.join(unknown)}: "
            f"{did_you_mean(unknown[0], hints)}it has {', '.join(hints)}"
        )
    return hints


def shown_arguments(creator: Callable[..., Any]) -> list[str]:
    """Return an environment's arguments, but those that all have, as ``name=default``.

    Args:
        creator: The environment's class.
    """
    parameters = inspect.signature(creator).parameters
    return [
        name if one.default is one.empty else f"{name}={_shown(one.default)}"
        for name, one in parameters.items()
        if name not in _EVERYWHERE
    ]


def _shown(value: object) -> str:
    try:
        return json.dumps(value)
    except TypeError:
        return repr(value)


def _arguments(env_id: str) -> dict[str, Any]:
    """Return the annotations of the constructor's arguments; empty if unknown."""
    module, _, name = env_id.rpartition(":")
    try:
        if module:
            importlib.import_module(module)
        entry_point = gym.spec(name).entry_point
        creator: Any = entry_point
        if isinstance(entry_point, str):
            creator = load_env_creator(entry_point)
        hints = argument_hints(getattr(creator, "__init__", creator))
        parameters = inspect.signature(creator).parameters
    except (ImportError, ValueError, TypeError, NameError, gym.error.Error):
        # gymnasium.make will explain what is wrong with the id.
        return {}
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return {}
    return {name: hints.get(name) for name in parameters}


def with_modules(env_id: str, modules: Sequence[str]) -> str:
    """Import the modules that register environments, and return the id to make.

    The returned id includes its module, so that other processes import it too.

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
    """Return the module of the installed benchmark with a given id, or ""."""
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
    own = [env_id for env_id in gym.registry if env_id.startswith("aq/")]
    others = [env_id for env_id in gym.registry if not env_id.startswith("aq/")]
    # What many ids have in common makes none of them similar.
    folded = _COMMON.sub("", name.casefold())
    for ids in (own, others):
        found = [env_id for env_id in ids if folded and folded in env_id.casefold()]
        if found:
            return sorted(found, key=len)[:_MOST_SIMILAR_IDS]
    by_name = {_COMMON.sub("", one.casefold()): one for one in (*others, *own[::-1])}
    close = difflib.get_close_matches(folded, by_name, _MOST_SIMILAR_IDS, 0.7)
    return [by_name[key] for key in close]


def import_named(name: str) -> None:
    """Import a module that is installed or in the current folder.

    Args:
        name: ``module`` or ``package.module``.

    Raises:
        ImportError: If it cannot be imported.
    """
    find_in_current_folder(name)
    importlib.import_module(name)


def find_in_current_folder(name: str) -> None:
    """Allow importing a module from the current folder if it is not installed.

    The folder is added at the end of ``sys.path``, so that its files do not replace
    packages, and only once the user has named a module in it.

    Args:
        name: ``module``, ``package.module`` or ``module:Class``.
    """
    top = name.partition(":")[0].partition(".")[0]
    folder = os.getcwd()
    if not top.isidentifier() or folder in sys.path:
        return
    if top not in sys.modules and importlib.util.find_spec(top) is None:
        sys.path.append(folder)
        importlib.invalidate_caches()


@cache
def benchmark_modules() -> tuple[str, ...]:
    """Return the modules that installed packages name for their benchmarks."""
    return tuple(sorted({point.module for point in entry_points(group=_GROUP)}))


def import_benchmarks() -> None:
    """Import the modules that installed packages name for their benchmarks.

    Raises:
        ImportError: If one cannot be imported.
    """
    for module in benchmark_modules():
        importlib.import_module(module)
