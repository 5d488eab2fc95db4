"""``aq-gym list``."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator
from rich.console import Console

from aq_gym.cli.setting import HELP
from aq_gym.registration import TABLE, Row

_EVERYWHERE = {"render_mode", "instructions", "list_actions"}


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
        console.print(f"[bold]{row.id}[/]  {_availability(row)}")
        cap = gym.spec(row.id).max_episode_steps
        console.print(f"    at most {cap} steps", markup=False)
        for argument in _arguments(row):
            console.print(f"    {argument}", markup=False)
    console.print(
        f"all of them: {', '.join(sorted(_EVERYWHERE))}", markup=False, soft_wrap=True
    )
    return 0


def _availability(row: Row) -> str:
    missing = row.missing()
    if not missing:
        return "[green]installed[/]"
    return rf"[yellow]needs {missing}: pip install 'aq-gym\[{row.extra}]'[/]"


def _arguments(row: Row) -> list[str]:
    creator = load_env_creator(row.entry_point)
    parameters = inspect.signature(creator).parameters
    return [
        f"{name}={parameter.default!r}"
        for name, parameter in parameters.items()
        if name not in _EVERYWHERE
    ]
