"""``aq-gym run``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aq_gym.cli.dry_run import print_estimate
from aq_gym.cli.options import (
    ENV_HELP,
    add_agent_options,
    add_env_modules,
    add_max_steps,
    agent_name,
    natural,
    positive,
)
from aq_gym.cli.output import make_console, print_wrapped
from aq_gym.cli.progress_bar import run_with_bar
from aq_gym.cli.request import EPISODES, executor_of, request_of
from aq_gym.cli.table import (
    print_attempts,
    print_errors,
    print_results,
    size_of,
    used_texts,
)
from aq_gym.cli.user_errors import UserError, interruptible, user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation import (
    EXECUTORS,
    EpisodeResult,
    LimitReachedError,
    RunStoppedError,
    Suite,
    load_run,
    usage_totals,
)
from aq_gym.evaluation.results import run_names
from aq_gym.evaluation.summary import run_warnings
from aq_gym.papers.suites import playable, prompt_lines, subgoal_lines
from aq_gym.support.json_files import read_object

if TYPE_CHECKING:
    from aq_gym.report.trackers import Trackers


_SAME = "the same command continues the run"
# Reading the trajectories of more episodes takes long beside a run without a model.
_MOST_READ = 200
# The environments whose failures are told.
_MOST_TOLD = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "example: aq-gym run --env aq/Mastermind-v0 --agent expert --out runs/a "
        "(exit code 1: an episode ended with an error, or a limit was reached)"
    )
    played = parser.add_mutually_exclusive_group()
    played.add_argument(
        "--env",
        nargs="+",
        action="extend",
        metavar="ID",
        help=f"{ENV_HELP}; several can be given",
    )
    played.add_argument(
        "--suite", help="a packaged suite (aq-gym suites) or a JSON file"
    )
    add_env_modules(parser)
    parser.add_argument(
        "--agent",
        type=agent_name,
        help="random, expert, llm, replay:FILE or module:Class (default: random, or "
        "that of --from)",
    )
    add_agent_options(parser)
    parser.add_argument(
        "--only",
        action="extend",
        nargs="+",
        default=[],
        metavar="ID",
        help="play only these environments of the suite",
    )
    parser.add_argument(
        "--limit",
        type=positive,
        metavar="N",
        help="play only the suite's first N tasks",
    )
    parser.add_argument(
        "--episodes",
        type=positive,
        help=f"episodes of each --env (default: {EPISODES}), or the maximum for "
        "each setting of the suite",
    )
    parser.add_argument(
        "--seed",
        type=natural,
        help="the seed of the first episode of each --env; the others count up from it "
        "(default: 0)",
    )
    parser.add_argument(
        "--attempts",
        type=positive,
        metavar="K",
        help="play each task K times with other seeds of the agent, for pass@k and "
        "pass^k",
    )
    add_max_steps(parser, "the step cap of each episode")
    parser.add_argument(
        "--workers",
        type=positive,
        default=1,
        help="the number of episodes to play in parallel (default: 1)",
    )
    parser.add_argument(
        "--executor",
        choices=sorted(EXECUTORS),
        help="how episodes are run in parallel (default: processes; threads for llm)",
    )
    parser.add_argument(
        "--max-cost",
        type=float,
        help="stop when the agent has cost this much; for llm give the price of a "
        'million tokens read and written: --agent-arg "price=[IN, OUT]"',
    )
    parser.add_argument(
        "--max-tokens", type=float, help="stop when the agent has used this many tokens"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="the folder of the run; an existing run is continued",
    )
    parser.add_argument(
        "--from",
        dest="parent",
        metavar="RUN",
        help="continue the episodes of this finished run that ended at their step cap; "
        "the suite and the agent are its own",
    )
    parser.add_argument(
        "--continue-to",
        type=positive,
        metavar="N",
        help="the step cap of the episodes of --from",
    )
    parser.add_argument(
        "--retry-errors",
        action="store_true",
        help="play again the episodes that ended with an error",
    )
    parser.add_argument(
        "--allow-changes",
        action="store_true",
        help="continue the run in --out although its suite, agent, a parameter or the "
        "version of aq-gym is another one; run.json notes what changed",
    )
    parser.add_argument(
        "--stop-after",
        type=positive,
        default=1,
        metavar="N",
        help="stop after N episodes in a row that a wrong key, an unknown model, an "
        "exhausted quota or an unreachable host has ended (default: 1)",
    )
    parser.add_argument(
        "--compact",
        action="store_true",
        help="compress the trajectories of the finished run (aq-gym compact)",
    )
    parser.add_argument(
        "--log",
        action="append",
        default=[],
        choices=("tensorboard", "wandb"),
        help="also log to an experiment tracker; can be repeated",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="run no episode: print the number of episodes, the maximum numbers of "
        "steps, requests and tokens, their cost, and what is missing",
    )
    parser.add_argument("--quiet", action="store_true", help="hide the progress bar")


def command(options: argparse.Namespace) -> int:
    """Evaluate an agent and print the tables.

    Returns:
        The exit code: 0, or 1 if an episode ended with an error.
    """
    try:
        with user_errors(), interruptible(), _named(options.parent):
            suite, params = request_of(options)
            suite, missing = playable(suite)
            for kind, why in missing.items():
                sys.stderr.write(f"left out: {kind}: {why}\n")
            if options.suite or options.parent:
                sys.stderr.write(f"{suite.name}: {size_of(suite)}\n")
            if suite.note:
                sys.stderr.write(f"{suite.name}: {suite.note}\n")
            lines = [*subgoal_lines(suite)]
            if options.agent == "llm":
                lines += prompt_lines(suite, params)
            sys.stderr.writelines(f"{line}\n" for line in lines)
            if options.dry_run:
                return print_estimate(suite, params, options)
            episodes = _run(suite, params, options)
    except RunStoppedError as error:
        done = f"after {len(error.episodes)} of {len(suite.tasks)} episodes"
        if error.episodes:
            _report(suite, error.episodes, Path(options.out))
            sys.stdout.flush()
        limited = isinstance(error, LimitReachedError)
        how = "raise the limit to continue" if limited else _SAME
        raise UserError(f"{error} {done}; {how}") from error
    except KeyboardInterrupt:
        sys.stderr.write(f"aq-gym: {_SAME}")
        raise
    _report(suite, episodes, Path(options.out))
    return int(any(episode.error for episode in episodes))


@contextmanager
def _named(parent: str | None) -> Iterator[None]:
    """Name the file of the parent's parameters in an error of the agent's."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if parent is None or not str(error).startswith("agent"):
            raise
        file = Path(parent, "run.json")
        raise ValueError(
            f"{error}; what --agent-arg does not give is in agent_params of {file}, "
            "which may be damaged"
        ) from error


def _run(
    suite: Suite, params: Mapping[str, Any], options: argparse.Namespace
) -> list[EpisodeResult]:
    """Play the suite, and log it to the requested trackers."""
    limits = {"cost": options.max_cost, "tokens": options.max_tokens}
    here = os.getcwd()
    with _trackers(options) as trackers:
        try:
            return run_with_bar(
                suite,
                options.out,
                options.agent,
                params,
                executor=executor_of(options),
                workers=options.workers,
                limits={key: n for key, n in limits.items() if n is not None},
                retry_errors=options.retry_errors,
                stop_after=options.stop_after,
                quiet=options.quiet,
                on_episode=trackers.add if trackers else None,
                compact=options.compact,
                parent=options.parent,
                allow_changes=options.allow_changes,
            )
        finally:
            # An agent may have changed the current folder, to which paths are relative.
            os.chdir(here)


def _trackers(options: argparse.Namespace) -> AbstractContextManager[Trackers | None]:
    if not options.log:
        return nullcontext()
    from aq_gym.report.trackers import Trackers

    return Trackers(options.log, os.path.abspath(options.out))


def _report(suite: Suite, episodes: Sequence[EpisodeResult], out: Path) -> None:
    console = make_console()
    # Its name as in a report.
    print_results(console, run_names([load_run(out)])[0], episodes)
    print_attempts(console, episodes)
    used = usage_totals(episodes)
    if used or len(episodes) <= _MOST_READ:
        from aq_gym.report.content import reasons

        why, *told = reasons(out, episodes) or [""]
        if told:
            order = ", the best first" * bool(told[1:])
            left = plural(len(told[_MOST_TOLD:]), "more environment")
            told[_MOST_TOLD:] = [f"{left}: see the report"] * bool(told[_MOST_TOLD:])
            console.print()
            print_wrapped(console, f"{why} What explains most{order}:")
            print_wrapped(console, "\n".join(f"- {line}" for line in told), "  ")
    else:
        from aq_gym.report.data import Run
        from aq_gym.report.overview import stuck_told

        print_wrapped(console, f"\n{stuck_told([Run('', out, {}, episodes)])}")
    superseded = read_object(out / "summary.json").get("superseded")
    earlier = superseded.get("usage", {}) if isinstance(superseded, dict) else {}
    if total := {key: used.get(key, 0) + earlier.get(key, 0) for key in used | earlier}:
        console.print(f"\nused: {', '.join(used_texts(total))}", markup=False)
    if earlier:
        part = ", ".join(used_texts(earlier))
        console.print(
            f"of it by interrupted or repeated attempts: {part}", markup=False
        )
    for warning in run_warnings(used):
        console.print(f"warning: {warning}", markup=False)
    print_errors(console, episodes, out)
    if any(episode.error for episode in episodes):
        console.print("the same command with --retry-errors plays them again")
    console.print(f"\nsuite: {suite.name} ({suite.hash})", markup=False)
    console.print(
        f"trajectories: {out / 'trajectories'}\n"
        f"next: aq-gym report {shlex.quote(str(out))}",
        markup=False,
        soft_wrap=True,
    )
