"""Run the benchmarks of speed one after the other, and write RESULTS.md.

    python benchmarks/quiet_run.py --output benchmarks/RESULTS.md

It takes about ten minutes. Run it on a machine that does nothing else, in an
environment with the extra ``test`` and ``requirements.txt``; what is not installed is
named as skipped. ``--quick`` takes few samples, to try it out.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic

from results import processor, section

FOLDER = Path(__file__).parent
PACKAGES = (
    *("gymnasium", "numpy", "rapidfuzz", "gem-llm", "textarena", "minigrid"),
    *("pddlgym", "textworld", "jericho"),
)
# Every script with its options, and those of a quick run.
RUNS: tuple[tuple[str, Sequence[str], Sequence[str]], ...] = (
    (
        "evaluation_speed.py",
        ("--rounds", "8", "--minutes", "0"),
        ("--rounds", "1", "--minutes", "0"),
    ),
    (
        "evaluation_speed.py",
        ("--rounds", "0", "--episodes", "2000", "--envs", "Mastermind"),
        ("--rounds", "0", "--minutes", "1", "--episodes", "1"),
    ),
    ("long_runs.py", (), ("--rounds", "1", "--episodes", "20")),
    ("peers.py", (), ("--rounds", "1")),
    ("search_nodes.py", (), ("--rounds", "1")),
    ("search.py", ("--seeds", "2"), ("--seeds", "1")),
    ("trajectory_logger.py", (), ("--rounds", "1")),
    ("repetition_rate.py", (), ("--steps", "100")),
    ("pddl_large.py", (), ("blocksworld:10",)),
    ("word_games.py", ("steps",), ("steps", "--rounds", "1")),
    ("cipher_step.py", (), ("--rounds", "1")),
    ("mystery_step.py", (), ("--rounds", "1")),
    (
        "vectors.py",
        ("--rounds", "60"),
        ("aq/Mastermind-v0", "--num-envs", "2", "--rounds", "2"),
    ),
    ("pddl_extremes.py", ("--rounds", "2"), ("--rounds", "1")),
    ("jericho_actions.py", (), ("lighthouse", "--nodes", "20")),
    (
        "llm_loop.py",
        (),
        ("--episodes", "1", "--steps", "2", "--rounds", "1"),
    ),
)
MOST_SECONDS = 240


def machine() -> str:
    """Describe the processor, the interpreter and the packages."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return (
        f"{processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}; "
        f"{', '.join(versions)}."
    )


def load() -> str:
    """Return the machine's load, which should be below its number of cores."""
    return ", ".join(f"{one:.1f}" for one in os.getloadavg())


def measured(script: str, options: Sequence[str]) -> str:
    """Run a script and return its section."""
    command = [sys.executable, "-W", "ignore", str(FOLDER / script), *options]
    began = monotonic()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False
        )
        printed = done.stdout.strip()
        if done.returncode:
            printed += f"\n\nfailed: {done.stderr.strip()[-1_000:]}"
    except subprocess.TimeoutExpired as error:
        shown = (error.stdout or b"").decode(errors="replace").strip()
        printed = f"{shown}\n\nstopped after {MOST_SECONDS} s".lstrip()
    took = monotonic() - began
    print(f"{script}: {took:.0f} s, load {load()}", file=sys.stderr, flush=True)
    return section(" ".join((script, *options)), printed)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="the page; by default printed")
    parser.add_argument("--quick", action="store_true", help="take few samples")
    arguments = parser.parse_args()
    before = load()
    sections: list[str] = []
    for script, options, quick in RUNS:
        sections.append(measured(script, quick if arguments.quick else options))
        # The figures so far are kept if the run is ended before its time.
        if arguments.output is not None:
            arguments.output.write_text(page(before, sections), "utf-8")
    if arguments.output is None:
        print(page(before, sections))


def page(before: str, sections: Sequence[str]) -> str:
    """Return the page of the scripts that were run.

    Args:
        before: The load before the first.
        sections: What :func:`measured` returned for each.
    """
    return "\n".join(
        (
            "# Measurements\n",
            "Written by `benchmarks/quiet_run.py`; `benchmarks/results.py` replaces a "
            "single section. [README.md](README.md) explains the scripts. *Ours* and "
            "*other* are medians of processor time. *Ratio* is the median of the "
            "ratios in the same round where it has a target, otherwise the quotient "
            "of two such medians.\n",
            f"{machine()} Load (1, 5, 15 minutes) before {before}, after {load()}.\n",
            *sections,
        )
    )


if __name__ == "__main__":
    main()
