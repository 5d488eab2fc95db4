"""``aq-gym demo``."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from itertools import chain
from pathlib import Path
from textwrap import fill

import gymnasium as gym

from aq_gym.agents import load
from aq_gym.cli.commands.play import Narrator
from aq_gym.cli.options import positive
from aq_gym.cli.output import Screen, make_console
from aq_gym.cli.progress_bar import run_with_bar
from aq_gym.cli.table import bar_of, point, print_errors, verdict
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation import EpisodeResult, Suite, Task, summarize
from aq_gym.evaluation.manifest import agent_label
from aq_gym.evaluation.metrics import METRICS
from aq_gym.evaluation.play import play_in
from aq_gym.evaluation.summary import sources_of
from aq_gym.evaluation.task import wrap_env
from aq_gym.registration import TABLE, Row

_AGENTS = ("random", "expert")
# A fair expert solves it in a few steps, and chance does not.
_SHOWN, _SEED = "aq/Wordle-v0", 1
_NOTE = """
Progress: the share of the task that was done; 1.00 is a solved task. Repeats:
the share of actions that repeat an earlier one, which any agent does that has
few, as in 2048. Valid: the share of valid actions. The expert shows what can be
reached, the random agent what chance reaches. Instances are our own, not those
of a published benchmark of the same name{}.
"""
_METRICS = ("progress rate", "repetition rate", "grounding accuracy")
_HEADINGS = f"{'progress':<16}{'repeats':>7} {'valid':>6}"
_WIDTH = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--episodes",
        type=positive,
        default=1,
        help="episodes of each environment (default: 1)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="the folder of the runs (default: a temporary one)",
    )


def command(options: argparse.Namespace) -> int:
    """Print an episode, and the progress of both agents in every environment."""
    out = Path(options.out or tempfile.mkdtemp(prefix="aq-gym-demo-"))
    rows = [row for row in TABLE if not row.family]
    with user_errors():
        _print_episode()
        names = [agent_label({"agent": agent}) for agent in _AGENTS]
        _print_line("", *names)
        _print_line("", *(_HEADINGS for _ in names))
        played = [
            _play(row, options.episodes, out) for row in rows if not row.missing()
        ]
    sys.stdout.write("\n")
    for name, own in zip(names, zip(*played, strict=True), strict=True):
        sys.stdout.write(f"{fill(verdict(name, list(chain(*own))), _WIDTH)}\n")
    marked = {"generated"} != {sources_of(own) for both in played for own in both}
    sys.stdout.write(_NOTE.format(", except where marked with *" * marked))
    for row in rows:
        if row.missing():
            left = f"left out: {row.id}; {row.hint()}"
            # A command to copy is not broken within a word.
            sys.stdout.write(f"{fill(left, _WIDTH, break_on_hyphens=False)}\n")
    runs = [_folder(out, agent, _SHOWN) for agent in _AGENTS]
    file = runs[-1] / "trajectories" / f"{Task(_SHOWN, 0).name}.jsonl"
    sys.stdout.write(
        f"next: aq-gym report {shlex.join(map(str, runs))}\n"
        f"      aq-gym replay {shlex.quote(str(file))}\n"
        f"      aq-gym play {_SHOWN}\n"
    )
    return 0


def _print_episode() -> None:
    env = wrap_env(gym.make(_SHOWN), extract=False)
    narrator = Narrator(env, Screen(sys.stdout), aloud=True)
    sys.stdout.write(f"The expert plays {_SHOWN}:\n\n")
    play_in(narrator, load("expert"), _SEED)
    narrator.close()
    sys.stdout.write(f"{narrator.summary()}\n\n")


def _play(row: Row, episodes: int, out: Path) -> list[list[EpisodeResult]]:
    """Play an environment with both agents, print its line, and return the episodes."""
    suite = Suite("demo", tuple(Task(row.id, seed) for seed in range(episodes)))
    cells, found = [], []
    for agent in _AGENTS:
        run = _folder(out, agent, row.id)
        played = run_with_bar(suite, str(run), agent, {}, quiet=True)
        print_errors(make_console(), played, run)
        found.append(played)
        known = summarize(played)
        progress, repeats, valid = (point(METRICS[n], known.get(n)) for n in _METRICS)
        share = known["progress rate"].value if known else 0.0
        bar = bar_of(share, sys.stdout.encoding == "ascii")
        cells.append(f"{progress:<4} {bar} {repeats:>7} {valid:>6}")
    generated = sources_of(played) == "generated"
    _print_line(row.id.removeprefix("aq/") + "*" * (not generated), *cells)
    return found


def _folder(out: Path, agent: str, env_id: str) -> Path:
    return out / agent / env_id.rpartition("/")[2]


def _print_line(name: str, *cells: str) -> None:
    line = f"{name:<18}{'  '.join(f'{cell:<30}' for cell in cells)}"
    sys.stdout.write(f"{line.rstrip()}\n")
    # Flushed, so that the reader of a pipe sees each line at once.
    sys.stdout.flush()
