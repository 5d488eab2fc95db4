"""``aq-gym suites``."""

from __future__ import annotations

import argparse

from rich.markup import escape
from rich.padding import Padding

from aq_gym.cli.output import make_console
from aq_gym.cli.table import size_of
from aq_gym.evaluation import Suite, packaged_suites


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command: there are none."""


def command(options: argparse.Namespace) -> int:
    """List the packaged suites."""
    console = make_console()
    for name in packaged_suites():
        suite = Suite.load(name)
        console.print(f"[bold]{name}[/]  {size_of(suite)}, hash {suite.hash}")
        for text in filter(None, (suite.description, suite.note)):
            console.print(Padding(escape(text), (0, 0, 0, 4), expand=False))
    return 0
