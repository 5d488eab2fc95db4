"""``aq-gym list``."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec, load_env_creator
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from aq_gym.cli.options import ENV_HELP, add_env_modules, import_env_modules
from aq_gym.cli.output import make_console
from aq_gym.cli.user_errors import user_errors
from aq_gym.registration import Row, rows
from aq_gym.selection import check_id, shown_arguments

_COMMON = "instructions=true, list_actions=false and render_mode=null"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = (
        "List every environment, its arguments, and whether its engine is "
        f"installed, or show the documentation of one. An environment is {ENV_HELP}."
    )
    parser.add_argument(
        "env",
        nargs="?",
        metavar="ID",
        help="show the documentation of this environment",
    )
    add_env_modules(parser)


def command(options: argparse.Namespace) -> int:
    """List every environment, or show the documentation of one."""
    console = make_console()
    known = set(gym.registry)
    with user_errors():
        import_env_modules(options)
        if options.env:
            _explain(console, options.env)
            return 0
    for row in rows():
        if not row.family:
            same = (other for other in rows() if other.entry_point == row.entry_point)
            variants = [other.id for other in same if other.family]
            _print(console, row.id, _availability(row), variants)
    ours = {row.id for row in rows()}
    for env_id in sorted(set(gym.registry) - known - ours):
        _print(console, env_id, "[green]of --env-module[/]")
    console.print(f"Every environment of aq_gym also has {_COMMON}.", markup=False)
    return 0


def _print(
    console: Console, env_id: str, available: str, variants: Sequence[str] = ()
) -> None:
    """Print an id, what it is, its variants, its step cap and its arguments."""
    spec = gym.spec(env_id)
    creator = _creator(spec)
    console.print(f"[bold]{escape(env_id)}[/]  {available}")
    about = (creator.__doc__ or "").strip().partition("\n")[0]
    console.print(f"    {about}", markup=False)
    if variants:
        console.print(f"    {len(variants)} variants: {variants[0]} ...", markup=False)
    cap = spec.max_episode_steps
    at_most = f"at most {cap} steps; " if cap else ""
    console.print(f"    {at_most}arguments:", markup=False)
    for argument in shown_arguments(creator):
        console.print(f"        {argument}", markup=False, soft_wrap=True)


def _creator(spec: EnvSpec) -> Any:
    entry = spec.entry_point
    return load_env_creator(entry) if isinstance(entry, str) else entry


def _explain(console: Console, env_id: str) -> None:
    """Print an environment's documentation, and the ids of its variants."""
    check_id(env_id)
    spec = gym.spec(env_id.rpartition(":")[2])
    text = inspect.getdoc(_creator(spec)) or "No description."
    console.print(f"[bold]{escape(env_id)}[/]\n")
    # Removes reStructuredText's roles, which Markdown does not have.
    console.print(Markdown(re.sub(r":[a-z]+:`~?([^`]*)`", r"\1", text)))
    for row in rows():
        if row.family and row.id != env_id and row.entry_point == spec.entry_point:
            console.print(f"    {row.id}", markup=False)


def _availability(row: Row) -> str:
    return (
        f"[yellow]{escape(row.hint())}[/]" if row.missing() else "[green]installed[/]"
    )
