"""Options that several commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aq_gym.core.text import plural
from aq_gym.datasets import FORMATS
from aq_gym.selection import (
    check_id,
    find_in_current_folder,
    import_benchmarks,
    import_named,
    key_value,
    parse_env,
)
from aq_gym.support.json_files import read_object, read_text


def add_dataset_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the format."""
    parser.add_argument(
        "--to",
        choices=tuple(FORMATS),
        default="chat",
        help="chat: JSON Lines, an episode per line; sft: JSON Lines, a prompt and its "
        "completion per line; parquet, csv-steps: a row for each step; csv: a row for "
        "each episode; hf: a folder that load_dataset reads; minari: a folder of "
        "Minari datasets (default: chat)",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="PATH",
        help="the new file, or folder for hf and minari",
    )
    parser.add_argument(
        "--example",
        action="store_true",
        help="include the benchmark's example in the prompt",
    )


def add_prompting(
    parser: argparse.ArgumentParser, choices: Sequence[str], what: str
) -> None:
    """Add ``--prompting``."""
    parser.add_argument(
        "--prompting", choices=choices, default="act", help=f"{what} (default: act)"
    )


def print_counts(counts: Mapping[str, int], out: str, noun: str = "episode") -> None:
    """Print the number of episodes written for each split."""
    shown = ", ".join(
        f"{plural(number, noun)} of split {split}"
        for split, number in sorted(counts.items())
    )
    sys.stdout.write(f"{shown}: {out}\n")


@contextmanager
def opened(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield the folders of runs; a log becomes a run in a temporary folder.

    Raises:
        ValueError: If a log cannot be read as a run.
    """
    from aq_gym.importers.convert import LogRuns

    with LogRuns() as logs:
        yield [str(logs.run_of(path)) for path in paths]


def positive(text: str) -> int:
    """Return an int of at least 1."""
    return _whole(text, 1)


def add_evaluator(parser: argparse.ArgumentParser) -> None:
    """Add the option for clients that may see everything."""
    parser.add_argument(
        "--evaluator",
        action="store_true",
        help="send the whole info, with the progress and the task's id, because no "
        "agent under test controls the client",
    )


def add_replayers(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes that replay episodes."""
    parser.add_argument(
        "--workers",
        type=positive,
        default=1,
        help="the number of processes that replay episodes (default: 1)",
    )


def natural(text: str) -> int:
    """Return an int of at least 0."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be a whole number of at least {least}"
        )
    return number


ENV_HELP = "an id, optionally with arguments: 'aq/Mastermind-v0?code_length=5'"


def add_env(parser: argparse.ArgumentParser) -> None:
    """Add the environment as ``ID``, and ``--env-module``."""
    parser.add_argument("env", metavar="ID", help=ENV_HELP)
    add_env_modules(parser)


def add_env_modules(parser: argparse.ArgumentParser) -> None:
    """Add ``--env-module``, for modules that register environments."""
    parser.add_argument(
        "--env-module",
        action="append",
        default=[],
        metavar="MODULE",
        help="a module that registers environments, imported first; can be repeated",
    )


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add ``--trust``, for commands that make recorded environments."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="make any environment that a trajectory names, with any arguments: it may "
        "read files and run code",
    )


def add_max_steps(parser: argparse.ArgumentParser, what: str = "the step cap") -> None:
    """Add ``--max-steps``."""
    parser.add_argument(
        "--max-steps", type=positive, help=f"{what} (default: the id's own)"
    )


def import_env_modules(options: argparse.Namespace) -> None:
    """Import the modules that register environments: those named, and installed ones.

    Raises:
        ImportError: If a module cannot be imported.
    """
    import_benchmarks()
    for module in options.env_module:
        import_named(module)


def selected_env(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the id and arguments of the requested environment.

    Raises:
        ImportError: If a module cannot be imported.
        ValueError: If there is no such environment, or it has no such argument.
    """
    env_id, kwargs = parse_env(options.env, options.env_module)
    check_id(env_id)
    return env_id, kwargs


def add_runs(parser: argparse.ArgumentParser, what: str = "run") -> None:
    """Add one or more folders of runs as ``RUN``."""
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help=f"the folder of a {what}"
    )


def add_title(parser: argparse.ArgumentParser) -> None:
    """Add ``--title``, of a page."""
    parser.add_argument("--title", default="", help="the title of the page")


def add_agent_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that give an agent's arguments."""
    parser.add_argument(
        "--agent-arg",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an argument of the agent, JSON or text; can be repeated",
    )
    parser.add_argument(
        "--model-args",
        metavar="FILE",
        help="a JSON file with arguments of the agent; --agent-arg replaces them",
    )
    parser.add_argument("--model", help="the model of --agent llm")
    parser.add_argument("--base-url", help="the endpoint of --agent llm")
    parser.add_argument(
        "--system-prompt",
        metavar="FILE",
        help="a text file with the system prompt of --agent llm, in place of the "
        "environments'",
    )


# An agent, or a function that an argument of an agent names.
_NAMED = re.compile(r"[\w.]+:[\w.]+")
_FLAGS = {"model": "--model", "base_url": "--base-url", "system": "--system-prompt"}


def agent_name(text: str) -> str:
    """Return a text; if it names an object, its module may be in the current folder."""
    if _NAMED.fullmatch(text):
        find_in_current_folder(text)
    return text


def agent_params(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the agent's constructor.

    Raises:
        ValueError: If an option does not apply to the agent.
    """
    params = read_object(Path(options.model_args)) if options.model_args else {}
    params.update(map(key_value, options.agent_arg))
    for value in params.values():
        if isinstance(value, str):
            agent_name(value)
    given = {"model": options.model, "base_url": options.base_url}
    if options.system_prompt:
        given["system"] = prompt = read_text(Path(options.system_prompt))
        if not prompt.strip():
            raise ValueError(f"--system-prompt {options.system_prompt} is empty")
    named = {name: value for name, value in given.items() if value is not None}
    if options.agent == "llm":
        params.update(named)
        if "model" not in params:
            raise ValueError("--agent llm needs --model NAME")
    elif named:
        flags = ", ".join(_FLAGS[name] for name in named)
        verb = "goes" if len(named) == 1 else "go"
        raise ValueError(
            f"{flags} {verb} with --agent llm; for others use --agent-arg KEY=VALUE"
        )
    return params
