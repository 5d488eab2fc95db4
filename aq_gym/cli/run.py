"""``aq-gym run``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
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

from aq_gym.cli.numbers import natural, positive
from aq_gym.cli.refusal import RefusedError, refusing
from aq_gym.cli.setting import HELP, Setting, key_value
from aq_gym.cli.table import print_results
from aq_gym.evaluation import ENGINES, Episode, LimitReached, Suite, Task, run


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "run",
        help="evaluate an agent; the same command continues a run",
        epilog="example: aq-gym run --env aq/Mastermind-v0 --agent expert --out runs/a",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--env",
        nargs="+",
        action="extend",
        metavar="ID",
        help=f"{HELP}; several can be given",
    )
    what.add_argument("--suite", help="a packaged suite (aq-gym suites) or a JSON file")
    parser.add_argument(
        "--agent",
        default="random",
        help="random, expert, llm, replay:FILE or module:Class (default: random)",
    )
    parser.add_argument(
        "--agent-arg",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an argument of the agent, JSON or text; can be repeated",
    )
    parser.add_argument(
        "--episodes",
        type=positive,
        default=10,
        help="of each --env (default: 10)",
    )
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        help="of the first episode, then counting up (default: 0)",
    )
    parser.add_argument(
        "--max-steps", type=positive, help="step cap of --env (default: the id's own)"
    )
    parser.add_argument(
        "--workers", type=positive, default=1, help="episodes at once (default: 1)"
    )
    parser.add_argument(
        "--engine",
        choices=sorted(ENGINES),
        help="where they are played (default: processes, or threads for llm)",
    )
    parser.add_argument(
        "--max-cost", type=float, help="stop when the agent has cost this much"
    )
    parser.add_argument(
        "--max-tokens", type=float, help="stop when the agent has used so many tokens"
    )
    parser.add_argument("--model", help="the model of --agent llm")
    parser.add_argument("--base-url", help="the endpoint of --agent llm")
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="the run's folder, new or to be continued",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(command=command)


def command(options: argparse.Namespace) -> int:
    """Evaluate an agent and print the tables."""
    limits = {"cost": options.max_cost, "tokens": options.max_tokens}
    try:
        with refusing():
            episodes = run_with_bar(
                _suite(options),
                options.out,
                options.agent,
                _agent_params(options),
                engine=_engine(options),
                workers=options.workers,
                limits={key: limit for key, limit in limits.items() if limit},
                quiet=options.quiet,
            )
    except LimitReached as error:
        raise RefusedError(f"{error}; with a higher one the run goes on") from error
    except KeyboardInterrupt:
        sys.stderr.write("\naq-gym: the same command goes on from here")
        raise
    console = Console(highlight=False)
    print_results(console, {options.agent: episodes})
    trajectories = Path(options.out, "trajectories")
    console.print(f"trajectories: {trajectories}", markup=False, soft_wrap=True)
    return 0


def _agent_params(options: argparse.Namespace) -> dict[str, Any]:
    if options.agent == "human":
        raise ValueError("--agent human plays with `aq-gym play`")
    params = dict(map(key_value, options.agent_arg))
    if options.agent == "llm":
        params.update(model=options.model, base_url=options.base_url)
    return params


def _engine(options: argparse.Namespace) -> str:
    if options.engine:
        return str(options.engine)
    if options.workers == 1:
        return "inline"
    # A model is waited for, which threads do best; anything else computes.
    return "threads" if options.agent == "llm" else "processes"


def _suite(options: argparse.Namespace) -> Suite:
    if options.suite:
        return Suite.load(options.suite)
    settings = [Setting.parse(text) for text in dict.fromkeys(options.env)]
    tasks = tuple(
        Task(setting.id, options.seed + n, setting.kwargs, options.max_steps)
        for setting in settings
        for n in range(options.episodes)
    )
    return Suite("command line", tasks)


def run_with_bar(
    suite: Suite,
    directory: str,
    agent: str,
    params: Mapping[str, Any],
    *,
    engine: str = "inline",
    workers: int = 1,
    limits: Mapping[str, float] | None = None,
    quiet: bool = False,
) -> list[Episode]:
    """Run a suite with a progress bar on stderr; in a log there is none."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("success {task.fields[success]:.2f}"),
        TextColumn("progress {task.fields[progress]:.2f}"),
        TimeRemainingColumn(),
    )
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hidden) as bar:
        line = bar.add_task(agent, total=len(suite.tasks), success=0.0, progress=0.0)
        scored: list[Episode] = []

        def show(episode: Episode) -> None:
            if not episode.error:
                scored.append(episode)
            count = max(len(scored), 1)
            bar.update(
                line,
                advance=1,
                success=sum(e.success for e in scored) / count,
                progress=sum(e.progress_rate for e in scored) / count,
            )

        return run(
            suite,
            directory,
            agent,
            params,
            engine=engine,
            workers=workers,
            limits=limits,
            on_episode=show,
        )
