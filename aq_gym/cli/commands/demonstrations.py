"""``aq-gym demonstrations``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from aq_gym.cli.options import (
    ENV_HELP,
    add_dataset_options,
    add_env_modules,
    add_max_steps,
    add_prompting,
    add_trust,
    import_env_modules,
    natural,
    positive,
    print_counts,
)
from aq_gym.cli.user_errors import user_errors
from aq_gym.datasets import Played, corrections, demonstrations, write
from aq_gym.selection import parse_env


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "example: aq-gym demonstrations --env aq/Sudoku-v0 --episodes 1000 "
        "--out demos.jsonl"
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--env", metavar="ID", help=ENV_HELP)
    source.add_argument(
        "--from",
        dest="run",
        metavar="RUN",
        help="a run: write the expert's action in each state that its agent acted in",
    )
    add_env_modules(parser)
    parser.add_argument(
        "--episodes", type=positive, help="the number of episodes, required with --env"
    )
    parser.add_argument(
        "--split",
        choices=("train", "test", "all"),
        default="train",
        help="the split of the instances; all only with --from (default: train)",
    )
    parser.add_argument(
        "--seed",
        type=natural,
        help="the seed of the first episode of --env; the others count up from it "
        "(default: 0)",
    )
    add_max_steps(parser, "the step cap of --env")
    add_prompting(parser, ("act", "chat"), "the form of the answers in the prompt")
    add_dataset_options(parser)
    add_trust(parser)


def command(options: argparse.Namespace) -> int:
    """Write demonstrations of an environment's expert."""
    with user_errors():
        episodes = _corrections(options) if options.run else _played(options)
        counts = write(episodes, options.to, options.out)
    print_counts(counts, options.out, "state" if options.run else "episode")
    return 0


def _corrections(options: argparse.Namespace) -> Iterator[Played]:
    for name in ("episodes", "seed", "max_steps"):
        if getattr(options, name) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise ValueError(f"{flag} is for --env: --from takes all states of the run")
    import_env_modules(options)
    return corrections(
        options.run,
        None if options.split == "all" else options.split,
        prompting=options.prompting,
        example=options.example,
        trust=options.trust,
    )


def _played(options: argparse.Namespace) -> Iterator[Played]:
    env_id, kwargs = parse_env(options.env, options.env_module)
    if "split" in kwargs or options.split == "all":
        raise ValueError(
            f"--env {options.env}: give the split with --split, train or test"
        )
    if options.episodes is None:
        raise ValueError(f"--env {options.env}: give --episodes N")
    return demonstrations(
        env_id,
        options.episodes,
        options.split,
        kwargs,
        seed=options.seed or 0,
        max_steps=options.max_steps,
        prompting=options.prompting,
        example=options.example,
    )
