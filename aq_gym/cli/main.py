"""The command line interface: the parser and its commands."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from aq_gym._version import __version__
from aq_gym.cli.user_errors import INTERRUPTED, UserError
from aq_gym.core.text import did_you_mean
from aq_gym.support.escaping import safe_output
from aq_gym.support.process import exit_despite_threads


class Command(NamedTuple):
    """A command.

    Attributes:
        module: Its module in ``aq_gym.cli.commands``, which is imported when the
            command is used.
        help: Its line in ``aq-gym --help``.
    """

    module: str
    help: str


COMMANDS = {
    "list": Command(
        "list_ids", "list environments, their arguments, and whether they are installed"
    ),
    "suites": Command("suites", "list the packaged suites"),
    "demo": Command(
        "demo", "print an episode, and run two agents in every environment"
    ),
    "play": Command("play", "play one episode, or watch an agent play it"),
    "run": Command("run", "evaluate an agent; the same command continues a run"),
    "score": Command("score", "add a metric to a finished run without repeating it"),
    "rate": Command("rate", "let models rate the episodes of a finished run"),
    "import": Command(
        "import_logs", "turn logs of Harbor (ATIF), Inspect or tau2 into a run"
    ),
    "compare": Command(
        "compare",
        "print the paired differences of two runs of the same tasks; rank more",
    ),
    "report": Command(
        "report", "write a page on runs: summary, curves, findings, every episode"
    ),
    "watch": Command("watch", "serve the report of runs in progress on this machine"),
    "ui": Command("ui", "serve a start page: runs, reports, games to play"),
    "leaderboard": Command(
        "leaderboard", "write a sortable page on many runs of one suite"
    ),
    "serve": Command("serve", "serve an environment over the network, for OpenEnv"),
    "mcp": Command("mcp", "serve episodes to any client of the Model Context Protocol"),
    "publish": Command(
        "publish", "write a package for the Environments Hub, or an OpenEnv Space"
    ),
    "replay": Command("replay", "replay a trajectory and report the first difference"),
    "verify": Command(
        "verify", "replay all episodes of runs, and compute their scores again"
    ),
    "audit": Command(
        "audit", "play an environment with agents that must not score, and check it"
    ),
    "compact": Command("compact", "compress the trajectories of finished runs"),
    "export": Command("export", "write the episodes of a run as a dataset"),
    "demonstrations": Command(
        "demonstrations", "write demonstrations of an expert as a dataset"
    ),
    "download": Command(
        "download", "download official data; an interrupted download is continued"
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: The arguments after ``aq-gym``; by default those of the process.

    Returns:
        The exit code: 0, or 1 if a replay or a verified run differs, an episode of a
        run ended with an error, a limit was reached or the command failed.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Agents write characters that a terminal cannot encode.
            stream.reconfigure(errors="backslashreplace")
    with safe_output():
        try:
            code = _run(sys.argv[1:] if arguments is None else arguments)
            sys.stdout.flush()
        except UserError as error:
            sys.stderr.write(f"aq-gym: {error}\n")
            return 1
        except KeyboardInterrupt:
            sys.stderr.write("\naq-gym: interrupted\n")
            return INTERRUPTED
        except BrokenPipeError:
            # The reader has closed the pipe; Python must not flush it at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except Exception:  # noqa: BLE001 (a bug; its traceback may hold a key)
            sys.stderr.write(traceback.format_exc())
            return 1
    return code


def entry() -> int:
    """Run the command as a process, which ends even if an agent has left threads."""
    warnings.formatwarning = _in_one_line
    code = main()
    exit_despite_threads(code)
    return code


def _in_one_line(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    return f"aq-gym: {message}\n"


def _run(arguments: Sequence[str]) -> int:
    asked = next((one for one in arguments if not one.startswith("-")), "")
    if asked and asked not in COMMANDS:
        hint = did_you_mean(asked, COMMANDS)
        names = ", ".join(COMMANDS)
        _parser("").error(f"there is no command {asked!r}: {hint}choose one of {names}")
    options = _parser(_named(arguments)).parse_args(arguments)
    return int(options.command(options))


def _named(arguments: Sequence[str]) -> str:
    """Return the requested command, or ""."""
    return next((name for name in arguments if name in COMMANDS), "")


def _parser(named: str) -> argparse.ArgumentParser:
    """Return the parser, with the arguments of the named command only."""
    parser = argparse.ArgumentParser(
        prog="aq-gym", description="Play, evaluate and replay text environments."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        about = f"{command.help[0].upper()}{command.help[1:]}."
        own = commands.add_parser(name, help=command.help, description=about)
        if name == named:
            module = import_module(f"aq_gym.cli.commands.{command.module}")
            module.add_arguments(own)
            own.set_defaults(command=module.command)
    return parser
