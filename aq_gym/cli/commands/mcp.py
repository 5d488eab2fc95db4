"""``aq-gym mcp``."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from aq_gym.cli.options import (
    ENV_HELP,
    add_env_modules,
    add_evaluator,
    add_max_steps,
    import_env_modules,
    natural,
    positive,
    selected_env,
)
from aq_gym.cli.user_errors import UserError, user_errors
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.preflight import check_tasks
from aq_gym.integrations.mcp_episode import Plan, ServedEpisode
from aq_gym.server.access import (
    LOCAL_NAMES,
    TOKEN_VARIABLE,
    Access,
    new_token,
    read_token,
)
from aq_gym.support.data import state_folder
from aq_gym.support.extras import load

_IDLE = 1800.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "Without --port, a client starts this command and plays one session over "
        "standard input and output. The token of --port is read from "
        f"${TOKEN_VARIABLE} or --token-file, or else generated and printed."
    )
    parser.add_argument("env", metavar="ID", nargs="?", help=ENV_HELP)
    add_env_modules(parser)
    add_max_steps(parser)
    add_evaluator(parser)
    parser.add_argument(
        "--seed",
        type=natural,
        help="the seed of the episode (default: one that nobody can know)",
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
    parser.add_argument(
        "--log",
        metavar="DIR",
        help="the folder for trajectories, which only you can read; a relative one is "
        "in ~/.local/state/aq_gym/mcp (or where your system keeps such files), because "
        "clients start this command where their agent reads",
    )
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
    with user_errors(), _only_for_the_user():
        tasks = _tasks(options)
        check_tasks(Suite("mcp", tuple(tasks)))
        server = load("aq_gym.integrations.mcp_server", "mcp", "mcp")
        directory = None
        if options.log is not None:
            directory = state_folder("mcp") / Path(options.log).expanduser()
            if options.port is None:
                _check_outside(directory)
        _check(tasks[0], options.task, directory)
        plan = Plan(tasks, options.task, directory)

        def make() -> ServedEpisode:
            return ServedEpisode(plan.take(), directory, _report, options.evaluator)

        sessions = server.Sessions(make, _IDLE)
        if options.port is None:
            asyncio.run(server.serve_stdio(sessions))
        else:
            _serve_http(options, server, sessions)
    return 0


@contextmanager
def _only_for_the_user() -> Iterator[None]:
    """Let no other user read the files that are created: they contain the answers."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _check_outside(directory: Path) -> None:
    """Raise an error for a folder in that of the client, where its agent reads."""
    here = Path.cwd()
    inside = directory.resolve().is_relative_to(here)
    if inside and here not in state_folder("mcp").parents:
        raise UserError(
            f"--log {directory} is in {here}, where the client's agent may read it: "
            "give a name, for a folder of yours, or a path elsewhere"
        )


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


def _serve_http(options: argparse.Namespace, server: ModuleType, sessions: Any) -> None:
    asgi = load("aq_gym.server.asgi", "mcp", "mcp")
    given = read_token(options.token_file)
    token = given or new_token()
    bound = asgi.bind("127.0.0.1", options.port)
    access = Access(token, LOCAL_NAMES)
    app = server.make_app(sessions, access, options.max_sessions, _IDLE)

    def announce() -> None:
        sys.stdout.write(f"{asgi.address(bound)}{server.PATH} (Ctrl-C ends it)\n")
        if not given:
            sys.stdout.write(f"Authorization: Bearer {token}\n")
        sys.stdout.flush()

    asgi.serve(app, bound, options.max_sessions, announce)


def _tasks(options: argparse.Namespace) -> list[Task]:
    if (options.env is None) == (options.suite is None):
        raise UserError("name an environment, or a suite with --suite")
    if options.suite is None:
        env_id, kwargs = selected_env(options)
        # An agent that knew the seed could reset the environment, and read the answer.
        seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
        return [Task(env_id, seed, kwargs, options.max_steps)]
    if options.task:
        raise UserError("--task names an instance of one environment, not of a suite")
    import_env_modules(options)
    return list(Suite.load(options.suite).tasks)


def _report(line: str) -> None:
    """Print a result for the operator of the server; the client never sees it."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
