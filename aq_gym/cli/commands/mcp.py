"""``aq-gym mcp``."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from aq_gym.cli.options import (
    ENV_HELP,
    add_env_modules,
    add_max_steps,
    import_env_modules,
    natural,
    positive,
    selected_env,
)
from aq_gym.cli.serve_token import VARIABLE, read_token
from aq_gym.cli.user_errors import UserError, user_errors
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.preflight import check_tasks
from aq_gym.support.extras import load

_IDLE = 1800.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "Without --port, a client starts this command and plays one session over "
        f"standard input and output. The token of --port is read from ${VARIABLE} or "
        "--token-file, or else generated and printed."
    )
    parser.add_argument("env", metavar="ID", nargs="?", help=ENV_HELP)
    add_env_modules(parser)
    add_max_steps(parser)
    parser.add_argument(
        "--seed", type=natural, default=0, help="the seed of the episode (default: 0)"
    )
    parser.add_argument(
        "--task",
        default="",
        metavar="TASK_ID",
        help="play this instance, as info['task_id'] names it",
    )
    parser.add_argument(
        "--suite",
        help="play the tasks of a suite in turn, one for each session; with --log "
        "those that are not logged yet",
    )
    parser.add_argument("--log", metavar="DIR", help="the folder for trajectories")
    parser.add_argument(
        "--port",
        type=natural,
        help="serve many sessions over HTTP on 127.0.0.1; 0 for a free port",
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="a file with the token of --port"
    )
    parser.add_argument(
        "--max-sessions",
        type=positive,
        default=32,
        help="the maximum number of sessions with --port (default: 32)",
    )


def command(options: argparse.Namespace) -> int:
    """Serve episodes over the Model Context Protocol."""
    with user_errors():
        tasks = _tasks(options)
        check_tasks(Suite("mcp", tuple(tasks)))
        server, episodes, sessions = (
            load(f"aq_gym.integrations.mcp_server.{name}", "mcp", "mcp")
            for name in ("server", "episode", "sessions")
        )
        directory = None if options.log is None else Path(options.log)
        _check(tasks[0], options.task, directory)
        plan = episodes.Plan(tasks, options.task, directory)

        def make() -> Any:
            return episodes.ServedEpisode(plan.take(), directory, _report)

        own = sessions.Sessions(make, _IDLE)
        served = server.make_server(own)
        if options.port is None:
            asyncio.run(server.serve_stdio(served))
        else:
            _serve_http(options, server, served, own)
    return 0


def _check(task: Task, task_id: str, directory: Path | None) -> None:
    """Raise an error now that would otherwise reach the client of the first session."""
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
    if task_id:
        env = task.make()
        try:
            env.reset(seed=task.seed, options={"task_id": task_id})
        finally:
            env.close()


def _serve_http(
    options: argparse.Namespace, server: ModuleType, served: Any, own: Any
) -> None:
    listening = load("aq_gym.integrations.listening", "mcp", "mcp")
    token = read_token(options.token_file)
    made = "" if token else secrets.token_urlsafe(32)
    bound = listening.bind("127.0.0.1", options.port)
    app = server.make_app(
        served, own, token or made, most=options.max_sessions, idle=_IDLE
    )

    def announce() -> None:
        sys.stdout.write(f"{listening.address(bound)}{server.PATH} (Ctrl-C ends it)\n")
        if made:
            sys.stdout.write(f"Authorization: Bearer {made}\n")
        sys.stdout.flush()

    server.serve_http(app, bound, options.max_sessions, announce)


def _tasks(options: argparse.Namespace) -> list[Task]:
    if (options.env is None) == (options.suite is None):
        raise UserError("name an environment, or a suite with --suite")
    if options.suite is None:
        env_id, kwargs = selected_env(options)
        return [Task(env_id, options.seed, kwargs, options.max_steps)]
    if options.task:
        raise UserError("--task names an instance of one environment, not of a suite")
    import_env_modules(options)
    return list(Suite.load(options.suite).tasks)


def _report(line: str) -> None:
    """Print a result for the operator of the server; the client never sees it."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
