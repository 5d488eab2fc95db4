"""``aq-gym list``."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Callable
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from aq_gym.cli.env_options import ENV_HELP
from aq_gym.cli.output import make_console
from aq_gym.cli.user_errors import user_errors
from aq_gym.registration import TABLE, Row
from aq_gym.selection import check_id

_EVERYWHERE = {"render_mode", "instructions", "list_actions"}
_COMMON = "instructions=true, list_actions=false and render_mode=null"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command.

    Args:
        parser: The parser of the command.
    """
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


def command(options: argparse.Namespace) -> int:
    """List every environment, or show the documentation of one.

    Args:
        options: The parsed options.
    """
    console = make_console()
    if options.env:
        with user_errors():
            _explain(console, options.env)
        return 0
    for row in TABLE:
        if row.family:
            continue
        creator = load_env_creator(row.entry_point)
        console.print(f"[bold]{row.id}[/]  {_availability(row)}")
        about = (creator.__doc__ or "").strip().partition("\n")[0]
        console.print(f"    {about}", markup=False)
        variants = [other.id for other in TABLE if other.family and _same(other, row)]
        if variants:
            console.print(
                f"    {len(variants)} variants: {variants[0]} ...", markup=False
            )
        cap = gym.spec(row.id).max_episode_steps
        console.print(f"    at most {cap} steps; arguments:", markup=False)
        for argument in _arguments(creator):
            console.print(f"        {argument}", markup=False, soft_wrap=True)
    console.print(f"Every environment also has {_COMMON}.", markup=False)
    return 0


def _explain(console: Console, env_id: str) -> None:
    """Print an environment's documentation, and the ids of its variants."""
    check_id(env_id)
    spec = gym.spec(env_id.rpartition(":")[2])
    entry = spec.entry_point
    creator: Any = load_env_creator(entry) if isinstance(entry, str) else entry
    console.print(f"[bold]{escape(env_id)}[/]\n")
    console.print(Markdown(inspect.getdoc(creator) or "No description."))
    for row in TABLE:
        if row.family and row.id != env_id and row.entry_point == spec.entry_point:
            console.print(f"    {row.id}", markup=False)


def _same(variant: Row, row: Row) -> bool:
    return variant.entry_point == row.entry_point


def _availability(row: Row) -> str:
    return (
        f"[yellow]{escape(row.hint())}[/]" if row.missing() else "[green]installed[/]"
    )


def _arguments(creator: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(creator).parameters
    return [
        f"{name}={json.dumps(parameter.default)}"
        for name, parameter in parameters.items()
        if name not in _EVERYWHERE
    ]
