"""``aq-gym audit``."""

from __future__ import annotations

import argparse
import inspect
import json
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium as gym

from aq_gym.cli.options import add_env_modules, import_env_modules, positive
from aq_gym.cli.user_errors import user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation import Suite
from aq_gym.evaluation.suite import packaged_suites
from aq_gym.selection import check_id, find_in_current_folder, parse_env
from aq_gym.testing import Case
from aq_gym.testing.audit import STEPS, Verdict, audit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = (
        "Play environments with agents that must not score, and check their contract. "
        "The exit code is 1 if there is a fault."
    )
    parser.add_argument(
        "target",
        metavar="ID|SUITE|MODULE:CLASS",
        help="an environment, ID?key=value, the settings of a suite, or a class",
    )
    add_env_modules(parser)
    parser.add_argument(
        "--episodes",
        type=positive,
        default=5,
        help="the episodes of each agent (default: 5)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON, with an episode of each agent"
    )


def command(options: argparse.Namespace) -> int:
    """Print the verdicts."""
    found: dict[str, list[Verdict]] = {}
    with user_errors():
        import_env_modules(options)
        for name, case, steps in _cases(options.target, options.env_module):
            found[name] = audit(case, options.episodes, steps)
            if not options.json:
                _print(name, found[name])
        if _is_suite(options.target):
            found[options.target] = [_copies(Suite.load(options.target))]
            if not options.json:
                _print(options.target, found[options.target])
    if options.json:
        listed = {name: [one._asdict() for one in own] for name, own in found.items()}
        sys.stdout.write(f"{json.dumps(listed, indent=1)}\n")
    return int(any(one.verdict == "fault" for own in found.values() for one in own))


def _is_suite(target: str) -> bool:
    return target in packaged_suites() or target.endswith(".json")


def _cases(target: str, modules: list[str]) -> Iterator[tuple[str, Case, int]]:
    """Yield the name, the case and the longest episode of what is audited."""
    if _is_suite(target):
        tasks = {task.env_key: task for task in Suite.load(target).tasks}
        for task in tasks.values():
            kwargs = dict(task.kwargs)
            yield task.setting, Case(task.id, kwargs), task.cap or STEPS
        return
    env_class = _class(target)
    if env_class is not None:
        target = f"audited/{target.rpartition(':')[2]}-v0"
        if target not in gym.registry:
            gym.register(target, env_class, disable_env_checker=True)
    env_id, kwargs = parse_env(target, modules)
    check_id(env_id)
    yield target, Case(env_id, kwargs), STEPS


def _class(target: str) -> Callable[..., gym.Env[Any, Any]] | None:
    """Return the class that ``module:Class`` names, None for an id."""
    if ":" not in target or "/" in target:
        return None
    find_in_current_folder(target)
    try:
        found = pkgutil.resolve_name(target)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{target} cannot be loaded: {error}") from error
    if not (inspect.isclass(found) and issubclass(found, gym.Env)):
        raise ValueError(f"{target} must be a class of gymnasium.Env")
    made: Callable[..., gym.Env[Any, Any]] = found
    return made


def _copies(suite: Suite) -> Verdict:
    """Return whether tasks of a suite are the same instance in the same setting."""
    count: Counter[tuple[str, str]] = Counter()
    for task in suite.tasks:
        env = task.make()
        _, info = env.reset(seed=task.seed)
        env.close()
        count[task.setting, str(info.get("task_id", task.seed))] += 1
    copies = [f"{setting} {one}" for (setting, one), n in count.items() if n > 1]
    instances = plural(len(copies), "instance")
    told = f"{instances} played more than once: {', '.join(copies[:3])}"
    return Verdict("copies", "note" if copies else "ok", told if copies else "")


def _print(name: str, verdicts: list[Verdict]) -> None:
    sys.stdout.write(f"{name:<40}progress  solved\n")
    for one in verdicts:
        scores = ("" if v is None else f"{v:.2f}" for v in (one.progress, one.success))
        cells = "".join(f"{score:>8}" for score in scores)
        line = f"  {one.verdict:<8}{one.check:<30}{cells}  {one.found}"
        sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()
