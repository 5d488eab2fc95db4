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
from rich.markup import escape

from aq_gym.cli.setting import HELP
from aq_gym.registration import TABLE, Row

_EVERYWHERE = {"render_mode", "instructions", "list_actions"}
_COMMON = "instructions=true, list_actions=false and render_mode=null"


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "list",
        help="ids, arguments, and what is installed",
        description="List every environment, its arguments, and whether its engine is "
        f"installed. An environment is named by {HELP}.",
    )
    parser.set_defaults(command=command)


def command(options: argparse.Namespace) -> int:
    """List every environment."""
    console = Console(highlight=False)
    for row in TABLE:
        if row.family:
            continue
        creator = load_env_creator(row.entry_point)
        console.print(f"[bold]{row.id}[/]  {_availability(row)}")
        about = (creator.__doc__ or "").strip().partition("\n")[0]
        console.print(f"    {about}", markup=False)
        variants = [other.id for other in TABLE if other.family and _same(other, row)]
        if variants:
            more = f"    {len(variants)} variants: {variants[0]} ... {variants[-1]}"
            console.print(more, markup=False, soft_wrap=True)
        cap = gym.spec(row.id).max_episode_steps
        console.print(f"    at most {cap} steps; arguments:", markup=False)
        for argument in _arguments(creator):
            console.print(f"        {argument}", markup=False, soft_wrap=True)
    console.print(f"Every environment has {_COMMON} too.", markup=False)
    return 0


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
