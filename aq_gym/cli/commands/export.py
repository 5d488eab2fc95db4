"""``aq-gym export``."""

from __future__ import annotations

import argparse
import sys

from aq_gym.cli.options import (
    add_dataset_options,
    add_env_modules,
    add_prompting,
    add_trust,
    import_env_modules,
    print_counts,
)
from aq_gym.cli.user_errors import user_errors
from aq_gym.datasets import played_episodes, write

# Formats of one file that trainers read.
_FOR_TRAINING = ("chat", "sft", "parquet")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = "example: aq-gym export runs/a --split train --out chat.jsonl"
    parser.add_argument("run", metavar="RUN", help="the folder of a run")
    add_dataset_options(parser)
    parser.add_argument(
        "--success", action="store_true", help="only episodes whose task was solved"
    )
    parser.add_argument(
        "--min-progress",
        type=float,
        default=0.0,
        metavar="RATE",
        help="only episodes with this progress rate, 0.0 to 1.0 (default: 0.0)",
    )
    parser.add_argument(
        "--split",
        default="all",
        help="only episodes of this split, such as train or test (default: all)",
    )
    add_prompting(
        parser,
        ("act", "react", "memory", "chat"),
        "the prompt of episodes that no language model played",
    )
    add_env_modules(parser)
    add_trust(parser)


def command(options: argparse.Namespace) -> int:
    """Write the episodes of a run as a dataset."""
    with user_errors():
        import_env_modules(options)
        episodes = played_episodes(
            options.run,
            success=options.success,
            min_progress=options.min_progress,
            split=None if options.split == "all" else options.split,
            prompting=options.prompting,
            example=options.example,
            trust=options.trust,
        )
        counts = write(episodes, options.to, options.out)
    print_counts(counts, options.out)
    if len(counts) > 1 and options.to in _FOR_TRAINING:
        sys.stderr.write(
            "the file has episodes of several splits: for training choose the rows "
            "whose column split is train, or give --split train\n"
        )
    return 0
