"""``aq-gym report``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from aq_gym.cli.options import add_runs, add_title, add_trust, natural, opened
from aq_gym.cli.output import make_console
from aq_gym.cli.user_errors import UserError, user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from aq_gym.report.pictures import MOST_PICTURED

    parser.epilog = "example: aq-gym report runs/a runs/b -o report.html"
    add_runs(parser, "run, or a log that aq-gym import reads")
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="the page to write (default: report.html, unless a table or figures are "
        "requested)",
    )
    add_title(parser)
    parser.add_argument(
        "--figures", metavar="DIR", help="write the figures for a paper to a folder"
    )
    parser.add_argument(
        "--format",
        action="append",
        choices=("pdf", "png", "svg"),
        help="the format of the figures; can be repeated (default: all three)",
    )
    parser.add_argument(
        "--env", metavar="ID", help="only this environment in tables and figures"
    )
    parser.add_argument(
        "--columns",
        type=int,
        choices=(1, 2),
        default=2,
        help="the width of the figures in columns of a paper (default: 2)",
    )
    parser.add_argument(
        "--pictures",
        type=_pictures,
        default=MOST_PICTURED,
        metavar="N",
        help="replay N episodes, all or none, to draw the pictures of their "
        "states (default: 300, first those that the findings name)",
    )
    parser.add_argument(
        "--published",
        action="append",
        default=[],
        metavar="FILE",
        help="show published scores that you wrote into a JSON file beside the runs "
        "on the page (docs/reproducing.md has its form); can be repeated",
    )
    add_trust(parser)
    table = parser.add_mutually_exclusive_group()
    table.add_argument(
        "--markdown", action="store_true", help="print the summary as Markdown"
    )
    table.add_argument(
        "--latex", action="store_true", help="print the summary as LaTeX (booktabs)"
    )


def _pictures(text: str) -> int | None:
    return {"all": None, "none": 0}[text] if text in ("all", "none") else natural(text)


def command(options: argparse.Namespace) -> int:
    """Write the requested page, figures and tables."""
    others = options.markdown or options.latex or options.figures
    if options.published and others and not options.out:
        raise UserError(
            "--published shows scores on the page, not in tables and figures: give the "
            "page too, as -o FILE, or leave it out"
        )
    with user_errors(), opened(options.runs) as options.runs:
        if options.markdown or options.latex:
            _print_table(options)
        if options.figures:
            _write_figures(options)
        if options.out or not others:
            _write_page(options)
    return 0


def _print_table(options: argparse.Namespace) -> None:
    from aq_gym.report import latex_table, load_runs, markdown_table

    table = markdown_table if options.markdown else latex_table
    sys.stdout.write(table(load_runs(options.runs), options.env))


def _write_figures(options: argparse.Namespace) -> None:
    from aq_gym.report import figures, load_runs

    files = figures.write_figures(
        load_runs(options.runs),
        options.figures,
        options.format or figures.FORMATS,
        env=options.env,
        narrow=options.columns == 1,
    )
    _tell(options, f"{len(files)} figures in {options.figures}")


def _write_page(options: argparse.Namespace) -> None:
    from aq_gym.report import write_report

    path = write_report(
        options.runs,
        options.out or "report.html",
        title=options.title,
        pictures=options.pictures,
        trust=options.trust,
        published=options.published,
        track=_shown,
    )
    _tell(options, f"{path}\nopen it in a browser: {path.resolve().as_uri()}")


def _shown(things: Iterable[Any], total: int, what: str) -> Iterable[Any]:
    """Show a bar at a terminal while a loop runs."""
    from rich.progress import track

    console = make_console(stderr=True)
    return track(
        things,
        what,
        total,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _tell(options: argparse.Namespace, text: str) -> None:
    # Not wrapped, because a table on stdout is usually redirected to a file.
    (sys.stderr if options.markdown or options.latex else sys.stdout).write(f"{text}\n")
