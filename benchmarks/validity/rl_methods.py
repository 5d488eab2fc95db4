"""Methods and rewards on the tasks of ``examples/rl.py``, three training seeds each.

    python benchmarks/validity/rl_methods.py --output runs.jsonl --picture curves.png

Two runs are played at once, each in a process with one thread; the budget of a run is
in processor time. A run that the output has is not repeated, so an interrupted
benchmark continues. Printed are the success rates on held-out instances at the end of
the budget: the mean, and the lowest and highest of the seeds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from aq_gym.report.figure_style import COLORS, legend, new_figure, styled

ROOT = Path(__file__).parents[2]
MINUTES = {"pickup": 1.0, "gripper": 1.5, "blocksworld": 1.0, "household": 1.5}
VARIANTS = {
    "random": ("random", "progress"),
    "clone": ("clone", "progress"),
    "policy gradient": ("pg", "progress"),
    "policy gradient, sparse": ("pg", "sparse"),
    "clone, then policy gradient": ("clone+pg", "progress"),
    "clone, then policy gradient, sparse": ("clone+pg", "sparse"),
}
# Elsewhere a short clone solves nearly all, so that the reward can change little.
CLONES_FALL_SHORT = ("household",)
Rows = dict[tuple[str, str], list[dict[str, Any]]]


def main() -> None:
    """Run what is missing, print the table, and draw the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="rows of runs")
    parser.add_argument("--picture", type=Path, help="a PNG file for the curves")
    parser.add_argument("--tasks", nargs="+", default=list(MINUTES), choices=MINUTES)
    parser.add_argument("--variants", nargs="+", default=VARIANTS, choices=VARIANTS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--minutes", type=float, help="other budgets, of all tasks")
    given = parser.parse_args()
    runs = [
        (task, *VARIANTS[variant], seed, given.minutes or MINUTES[task])
        for seed in range(given.seeds)
        for task in given.tasks
        for variant in given.variants
        if _compared(task, variant, seed)
    ]
    found = {_key(row) for row in _rows(given.output)}
    with ThreadPoolExecutor(2) as pool:
        missing = [run for run in runs if run[:4] not in found]
        list(pool.map(lambda run: _train(run, given.output), missing))
    grouped = _grouped(_rows(given.output))
    _print_table(grouped, given.tasks)
    if given.picture:
        _draw(grouped, given.tasks, given.picture)


def _compared(task: str, variant: str, seed: int) -> bool:
    if variant == "random":
        return seed == 0
    return VARIANTS[variant] != ("clone+pg", "sparse") or task in CLONES_FALL_SHORT


def _train(run: Sequence[Any], output: Path) -> None:
    task, method, reward, seed, minutes = map(str, run)
    command = [sys.executable, str(ROOT / "examples" / "rl.py"), task]
    command += ["--method", method, "--reward", reward, "--seed", seed]
    command += ["--minutes", minutes, "--output", str(output)]
    if method == "random":
        command += ["--episodes", "300"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["task"], row["method"], row["reward"], row["seed"]


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def _grouped(rows: Sequence[dict[str, Any]]) -> Rows:
    names = {variant: name for name, variant in VARIANTS.items()}
    grouped: Rows = defaultdict(list)
    for row in sorted(rows, key=_key):
        grouped[row["task"], names[row["method"], row["reward"]]].append(row)
    return grouped


def _print_table(grouped: Rows, tasks: Sequence[str]) -> None:
    minutes = [grouped[task, "clone"][0]["minutes"] for task in tasks]
    heads = [f" {task}, {m:g} min |" for task, m in zip(tasks, minutes, strict=True)]
    print("| method |" + "".join(heads))
    print("|" + "---|" * (1 + len(tasks)))
    for variant in VARIANTS:
        cells = [_cell(grouped.get((task, variant), [])) for task in tasks]
        print(f"| {variant} |" + "".join(cells))


def _cell(rows: Sequence[dict[str, Any]]) -> str:
    ends = [row["curve"][-1]["success"] for row in rows]
    if len(ends) < 2:
        return f" {ends[0]:.2f} |" if ends else " |"
    return f" {np.mean(ends):.2f} ({min(ends):.2f} to {max(ends):.2f}) |"


def _draw(grouped: Rows, tasks: Sequence[str], path: Path) -> None:
    with styled():
        figure, axes = new_figure(1, len(tasks), (2.2 * len(tasks), 2.6))
        for axis, task in zip(axes[0], tasks, strict=True):
            axis.set(title=task, xlabel="minutes of processor time", ylim=(0, 1.02))
            for color, variant in zip(("#000000", *COLORS), VARIANTS, strict=False):
                _line(axis, grouped.get((task, variant), []), variant, color)
        axes[0][0].set_ylabel("success, held-out instances")
        legend(figure)
        figure.savefig(path, dpi=150)


def _line(axis: Any, rows: Sequence[dict[str, Any]], variant: str, color: str) -> None:
    """Draw the mean of the seeds, and a band from the lowest to the highest."""
    if not rows:
        return
    if variant == "random":
        rate = rows[0]["curve"][-1]["success"]
        axis.axhline(rate, color=color, label=variant, linewidth=0.8)
        return
    length = min(len(row["curve"]) for row in rows)
    curves = [[point["success"] for point in row["curve"][:length]] for row in rows]
    minutes = [point["seconds"] / 60 for point in rows[0]["curve"][:length]]
    style = "--" if variant.endswith("sparse") else "-"
    axis.plot(minutes, np.mean(curves, 0), style, color=color, label=variant)
    low, high = np.min(curves, 0), np.max(curves, 0)
    axis.fill_between(minutes, low, high, color=color, alpha=0.15, linewidth=0)


if __name__ == "__main__":
    main()
