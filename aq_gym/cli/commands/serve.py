"""``aq-gym serve``."""

from __future__ import annotations

import argparse
import os
import sys

from aq_gym.cli.options import (
    add_env,
    add_evaluator,
    add_max_steps,
    natural,
    positive,
    selected_env,
)
from aq_gym.cli.user_errors import user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.preflight import check_tasks
from aq_gym.server.access import LOCAL_NAMES, TOKEN_VARIABLE, Access, read_token
from aq_gym.support.extras import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = f"The token is read from ${TOKEN_VARIABLE} or --token-file."
    add_env(parser)
    add_max_steps(parser)
    add_evaluator(parser)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on; one that other machines can reach needs a "
        "token (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--port", type=natural, default=8000, help="0 for a free port (default: 8000)"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="a file with the token that clients must send "
        f"(default: ${TOKEN_VARIABLE})",
    )
    parser.add_argument(
        "--trajectories", metavar="DIR", help="log episodes to files in this folder"
    )
    parser.add_argument(
        "--max-sessions",
        type=positive,
        default=32,
        help="the maximum number of sessions, each with an environment (default: 32)",
    )
    parser.add_argument(
        "--idle-timeout",
        type=positive,
        default=1800,
        metavar="SECONDS",
        help="end a session after this time without a message (default: 1800)",
    )


def command(options: argparse.Namespace) -> int:
    """Serve an environment in OpenEnv's protocol until Ctrl-C or SIGTERM.

    Returns:
        The exit code: 0, or 1 if a step did not end when the server did.
    """
    with user_errors():
        token = read_token(options.token_file)
        env_id, kwargs = selected_env(options)
        task = Task(env_id, 0, kwargs, options.max_steps)
        openenv = load("aq_gym.integrations.openenv.server", "serve", "openenv")
        asgi = load("aq_gym.server.asgi", "serve", "openenv")
        bound = asgi.bind(options.host, options.port)
        local = asgi.is_local(bound)
        if not local and not token:
            raise ValueError(
                f"--host {options.host} can be reached from other machines: set "
                f"{TOKEN_VARIABLE} or give --token-file"
            )
        check_tasks(Suite("serve", (task,)))
        served = openenv.Served(task, options.trajectories, evaluator=options.evaluator)
    access = Access(token, (*LOCAL_NAMES, options.host) if local else None)
    limits = openenv.Limits(options.max_sessions, options.idle_timeout)
    app = openenv.make_app(served, access, limits)

    def announce() -> None:
        sys.stdout.write(f"{task.id} at {asgi.address(bound)} (Ctrl-C ends it)\n")
        sys.stdout.flush()

    asgi.serve(app, bound, limits.sessions, announce)
    return _leave(len(served.playing))


def _leave(playing: int) -> int:
    """Return the exit code, or exit at once if steps are still running."""
    if playing:
        sys.stderr.write(f"aq-gym: left {plural(playing, 'step')} that did not end\n")
        sys.stderr.flush()
        # Python would wait for their threads.
        os._exit(1)
    return 0
