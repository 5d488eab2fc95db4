"""Shared arguments and output of the commands for datasets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from aq_gym.core.text import plural
from aq_gym.datasets import FORMATS


def add_dataset_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the format."""
    parser.add_argument(
        "--to",
        choices=tuple(FORMATS),
        default="chat",
        help="chat: JSON Lines, an episode per line; sft: JSON Lines, a prompt and its "
        "completion per line; parquet: a row for each step; hf: a folder that "
        "load_dataset reads; minari: a folder of Minari datasets (default: chat)",
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


def print_counts(counts: Mapping[str, int], out: str) -> None:
    """Print what was written."""
    shown = ", ".join(
        f"{plural(number, 'episode')} of split {split}"
        for split, number in sorted(counts.items())
    )
    sys.stdout.write(f"{shown}: {out}\n")
