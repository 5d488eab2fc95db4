"""The options of commands that make an agent."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from aq_gym.selection import find_in_current_folder, key_value

__all__ = ["add_agent_options", "agent_params"]


def add_agent_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--agent-arg``, ``--model-args``, ``--model`` and ``--base-url``."""
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


def agent_params(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the agent's constructor.

    Args:
        options: The parsed options.

    Raises:
        ValueError: If an option does not apply to the agent.
    """
    find_in_current_folder(options.agent if ":" in options.agent else "")
    params = _file_params(options.model_args)
    params.update(map(key_value, options.agent_arg))
    given = {"model": options.model, "base_url": options.base_url}
    named = {name: value for name, value in given.items() if value is not None}
    if options.agent == "llm":
        params.update(named)
        if "model" not in params:
            raise ValueError("--agent llm needs --model NAME")
    elif named:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in named)
        verb = "goes" if len(named) == 1 else "go"
        raise ValueError(
            f"{flags} {verb} with --agent llm; for others use --agent-arg KEY=VALUE"
        )
    return params


def _file_params(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        params = json.loads(Path(path).read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(params, dict):
        raise ValueError(f"{path} must hold a JSON object")
    return params
