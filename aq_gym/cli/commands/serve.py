"""``aq-gym serve``."""

from __future__ import annotations

import argparse
import os
import sys

from aq_gym.cli.options import add_env, add_max_steps, natural, positive, selected_env
from aq_gym.cli.serve_token import VARIABLE, read_token
from aq_gym.cli.user_errors import user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.preflight import check_tasks
from aq_gym.support.extras import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = f"The token is read from ${VARIABLE} or --token-file."
    add_env(parser)
    add_max_steps(parser)
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
        help=f"a file with the token that clients must send (default: ${VARIABLE})",
    )
    parser.add_argument(
        "--trajectories", metavar="DIR", help="log episodes to files in this folder"
    )
    _add_limits(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "--max-age",
        type=positive,
        default=86400,
        metavar="SECONDS",
        help="end a session after this time (default: 86400)",
    )
    parser.add_argument(
        "--max-message",
        type=positive,
        default=16 * 1024 * 1024,
        metavar="BYTES",
        help="the longest message of a client (default: 16777216)",
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
        server = load("aq_gym.integrations.openenv.server", "serve", "openenv")
        listening = load("aq_gym.integrations.listening", "serve", "openenv")
        listener = listening.bind(options.host, options.port)
        local = listening.is_local(listener)
        if not local and not token:
            raise ValueError(
                f"--host {options.host} can be reached from other machines: set "
                f"{VARIABLE} or give --token-file"
            )
        check_tasks(Suite("serve", (task,)))
        served = server.Served(task, options.trajectories)
    limits = server.Limits(
        options.max_sessions,
        options.idle_timeout,
        options.max_age,
        options.max_message,
    )
    app = server.make_app(served, limits, token, options.host if local else None)
    line = f"{task.id} at {listening.address(listener)} (Ctrl-C ends it)\n"

    def announce() -> None:
        sys.stdout.write(line)
        sys.stdout.flush()

    listening.serve(
        app, listener, limits.sessions, announce, longest_message=limits.message
    )
    return _leave(len(served.playing))


def _leave(playing: int) -> int:
    """Return the exit code, or exit at once if steps are still running."""
    if playing:
        sys.stderr.write(f"aq-gym: left {plural(playing, 'step')} that did not end\n")
        sys.stderr.flush()
        # Python would wait for their threads.
        os._exit(1)
    return 0
