"""``aq-gym run``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from aq_gym.cli.setting import HELP, Setting
from aq_gym.cli.table import print_results
from aq_gym.evaluation import Episode, Task, run


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "run", help="evaluate an agent; the same command continues a run"
    )
    parser.add_argument(
        "--env", nargs="+", required=True, metavar="ID", help=f"{HELP}; several can be"
    )
    parser.add_argument(
        "--agent",
        default="random",
        help="random, expert, replay:FILE or module:Class (default: random)",
    )
    parser.add_argument(
        "--episodes", type=_positive, default=10, help="per environment (default: 10)"
    )
    parser.add_argument(
        "--seed", type=_natural, default=0, help="of the first episode (default: 0)"
    )
    parser.add_argument(
        "--max-steps", type=_positive, help="step cap (default: the id's own)"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="where it all goes")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(command=command)


def command(options: argparse.Namespace) -> int:
    """Evaluate an agent and print the table."""
    # As for `python -m`: an agent in the current folder can be named.
    sys.path.insert(0, os.getcwd())
    settings = [Setting.parse(text) for text in dict.fromkeys(options.env)]
    tasks = [
        Task(setting.id, options.seed + n, setting.kwargs, options.max_steps)
        for setting in settings
        for n in range(options.episodes)
    ]
    episodes = run_with_bar(
        tasks, options.out, options.agent, options.seed, options.quiet
    )
    console = Console(highlight=False)
    print_results(console, {options.agent: episodes})
    trajectories = Path(options.out, "trajectories")
    console.print(f"trajectories: {trajectories}", markup=False, soft_wrap=True)
    return 0


def run_with_bar(
    tasks: Sequence[Task], directory: str, agent: str, seed: int, quiet: bool = False
) -> list[Episode]:
    """Run tasks with a progress bar on stderr; in a log there is none."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("progress rate {task.fields[rate]:.2f}"),
        TimeRemainingColumn(),
    )
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hidden) as bar:
        line = bar.add_task(agent, total=len(tasks), rate=0.0)
        rates: list[float] = []

        def show(episode: Episode) -> None:
            rates.append(episode.progress_rate)
            bar.update(line, advance=1, rate=sum(rates) / len(rates))

        return run(tasks, directory, agent, seed, on_episode=show)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} must be at least 1")
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} must not be negative")
    return number
