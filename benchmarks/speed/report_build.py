"""The time and memory to build a report, and its size.

A few episodes are really played; the others are copies of them under other seeds, so
that they have the texts and the lengths of real ones. Each report is built in a process
of its own, as peak memory can't be reset.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from aq_gym.evaluation import Suite, Task, run
from aq_gym.report import write_report
from aq_gym.trajectory import jsonl

_IDS = ("aq/BabyAI-text-v0", "aq/Mastermind-v0", "aq/ALFWorld-v0", "aq/PDDL-v0")
_PLAYED = 50


def make_run(folder: Path, episodes: int, steps: int, seed: int = 0) -> Path:
    """Write a run of so many episodes of at most so many steps.

    Args:
        folder: Where to.
        episodes: How many.
        steps: The step cap; random agents mostly reach it.
        seed: The agent's seed.
    """
    played = range(min(_PLAYED, -(-episodes // len(_IDS))))
    tasks = [Task(name, seed, max_steps=steps) for name in _IDS for seed in played]
    run(Suite("played", tuple(tasks)), folder, "random", {"seed": seed})
    file = folder / "episodes.jsonl"
    rows = jsonl.read(file).records
    rows.sort(key=lambda row: row["seed"])
    texts = {
        row["task"]: (folder / "trajectories" / f"{row['task']}.jsonl").read_bytes()
        for row in rows
    }
    with file.open("w") as out:
        for number in range(episodes):
            row = dict(rows[number % len(rows)])
            text = texts[row["task"]]
            row["task"] = f"{row['task'].rpartition('-')[0]}-seed{number:06d}"
            row["seed"] = number
            (folder / "trajectories" / f"{row['task']}.jsonl").write_bytes(text)
            out.write(json.dumps(row) + "\n")
    return folder


def build(folders: Sequence[Path], out: Path) -> tuple[float, float, int]:
    """Build a report and return seconds, peak megabytes, and bytes."""
    start = process_time()
    write_report(folders, out)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return process_time() - start, peak, out.stat().st_size


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, nargs="+", default=[60, 10_000])
    parser.add_argument("--runs", type=int, default=1, help="among which they are")
    parser.add_argument("--steps", type=int, default=30)
    options = parser.parse_args()
    for episodes in options.episodes:
        with tempfile.TemporaryDirectory() as scratch:
            folders = [
                make_run(
                    Path(scratch, f"run-{n}"),
                    episodes // options.runs,
                    options.steps,
                    n,
                )
                for n in range(options.runs)
            ]
            out = Path(scratch, "report.html")
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                took, peak, size = pool.apply(build, (folders, out))
            print(
                f"{episodes} episodes: {took:.1f} s of processor time, {peak:.0f} MB "
                f"of memory, a page of {size / 1e6:.2f} MB"
            )


if __name__ == "__main__":
    main()
