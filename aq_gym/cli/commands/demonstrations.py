"""``aq-gym demonstrations``."""

from __future__ import annotations

import argparse

from aq_gym.cli.options import (
    ENV_HELP,
    add_dataset_options,
    add_env_modules,
    add_max_steps,
    add_prompting,
    natural,
    positive,
    print_counts,
)
from aq_gym.cli.user_errors import user_errors
from aq_gym.datasets import demonstrations, write
from aq_gym.selection import parse_env


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "example: aq-gym demonstrations --env aq/Sudoku-v0 --episodes 1000 "
        "--out demos.jsonl"
    )
    parser.add_argument("--env", required=True, metavar="ID", help=ENV_HELP)
    add_env_modules(parser)
    parser.add_argument(
        "--episodes", type=positive, required=True, help="the number of episodes"
    )
    parser.add_argument(
        "--split",
        choices=("train", "test"),
        default="train",
        help="the split of the instances (default: train)",
    )
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        help="the seed of the first episode; the others count up from it (default: 0)",
    )
    add_max_steps(parser)
    add_prompting(parser, ("act", "chat"), "the form of the answers in the prompt")
    add_dataset_options(parser)


def command(options: argparse.Namespace) -> int:
    """Write demonstrations of an environment's expert."""
    with user_errors():
        env_id, kwargs = parse_env(options.env, options.env_module)
        if "split" in kwargs:
            raise ValueError(f"--env {options.env}: give the split with --split")
        episodes = demonstrations(
            env_id,
            options.episodes,
            options.split,
            kwargs,
            seed=options.seed,
            max_steps=options.max_steps,
            prompting=options.prompting,
            example=options.example,
        )
        counts = write(episodes, options.to, options.out)
    print_counts(counts, options.out)
    return 0
