"""Methods and rewards on the tasks of ``examples/rl.py``: the picture of a page.

    python benchmarks/validity/rl_methods.py --output runs.jsonl --picture curves.png

Two runs are played at once, each in a process with one thread; the budget of a run is
in processor time. A run that is in the output already is not repeated, so an
interrupted benchmark continues. The picture shows the success rate on held-out
instances: the mean of the training seeds, and a band from the lowest to the highest.
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

SCRIPT = Path(__file__).parents[2] / "examples" / "rl.py"
MINUTES = {"pickup": 1.0, "gripper": 1.5, "blocksworld": 1.0, "household": 1.5}
VARIANTS = {
    ("random", "progress"): "random",
    ("clone", "progress"): "clone",
    ("pg", "progress"): "policy gradient",
    ("pg", "sparse"): "policy gradient, sparse",
    ("clone+pg", "progress"): "clone, then policy gradient",
    ("clone+pg", "sparse"): "clone, then policy gradient, sparse",
}
Rows = dict[tuple[str, ...], list[dict[str, Any]]]


def compared(task: str, variant: tuple[str, str], seed: int) -> bool:
    """Return whether a run shows anything.

    On all tasks but the household a short clone solves nearly all instances, so that
    the reward can change little; random actions need only one seed.
    """
    if variant[0] == "random":
        return seed == 0
    return variant != ("clone+pg", "sparse") or task == "household"


def rows(path: Path) -> Rows:
    """Return the rows of an output by task, method and reward."""
    found: Rows = defaultdict(list)
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        row = json.loads(line)
        found[row["task"], row["method"], row["reward"]].append(row)
    return found


def line(axis: Any, runs: Sequence[dict[str, Any]], label: str, color: str) -> None:
    """Draw the runs of a method that differ in their seeds."""
    length = min(len(run["curve"]) for run in runs)
    points = np.array(
        [[[p["seconds"] / 60, p["success"]] for p in run["curve"][:length]]
         for run in runs]
    )  # fmt: skip
    if label == "random":
        axis.axhline(points[0, -1, 1], color=color, label=label, linewidth=0.8)
        return
    minutes, rates = points[0, :, 0], points[:, :, 1]
    style = "--" if label.endswith("sparse") else "-"
    axis.plot(minutes, rates.mean(0), style, color=color, label=label)
    axis.fill_between(
        minutes, rates.min(0), rates.max(0), color=color, alpha=0.15, linewidth=0
    )


def main() -> None:
    """Run what is missing, and draw the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="rows of runs")
    parser.add_argument("--picture", type=Path, required=True, help="a PNG file")
    parser.add_argument("--seeds", type=int, default=2, help="(%(default)s)")
    given = parser.parse_args()
    found = {
        (*key, row["seed"]) for key, of in rows(given.output).items() for row in of
    }
    commands = [
        [sys.executable, str(SCRIPT), task, "--method", variant[0], "--reward",
         variant[1], "--seed", str(seed), "--minutes", str(minutes),
         "--output", str(given.output)]
        for seed in range(given.seeds)
        for task, minutes in MINUTES.items()
        for variant in VARIANTS
        if compared(task, variant, seed) and (task, *variant, seed) not in found
    ]  # fmt: skip
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda one: subprocess.run(one, check=True), commands))
    known = rows(given.output)
    with styled():
        figure, axes = new_figure(1, len(MINUTES), (2.2 * len(MINUTES), 2.6))
        for axis, task in zip(axes[0], MINUTES, strict=True):
            axis.set(title=task, xlabel="minutes of processor time", ylim=(0, 1.02))
            for color, variant in zip(("#000000", *COLORS), VARIANTS, strict=False):
                if runs := known.get((task, *variant)):
                    line(axis, runs, VARIANTS[variant], color)
        axes[0][0].set_ylabel("success, held-out instances")
        legend(figure)
        figure.savefig(given.picture, dpi=150)


if __name__ == "__main__":
    main()
