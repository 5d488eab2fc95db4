"""Uniform and adaptive sizes in ``examples/rl.py``: 2 to 10 blocks, tested on 5.

    python benchmarks/rl_curriculum.py --output rows.jsonl --picture curves.png

Each run is a process with one thread; a run that the output has is not repeated.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aq_gym.evaluation.intervals import Estimate, mean_interval
from aq_gym.report.figure_style import COLORS, legend, new_figure, styled

ROOT = Path(__file__).parents[1]
SIZES = tuple(map(str, range(2, 11)))
TESTED = "5"
RULES = {"adaptive, target 0.5": 0.5, "uniform": None}


def main() -> None:
    """Run what is missing, print the ends of the curves, and draw them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="rows of runs")
    parser.add_argument("--picture", type=Path, help="a PNG file for the curves")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--minutes", default="0.7")
    given = parser.parse_args()
    for seed in range(given.seeds):
        for target in RULES.values():
            found = {(row["seed"], row["target"]) for row in _rows(given.output)}
            if (seed, target) not in found:
                _train(seed, target, given.minutes, given.output)
    rows = _rows(given.output)
    last = {(row["seed"], row["target"]): row["curve"][-1]["success"] for row in rows}
    pairs = [last[seed, 0.5] - last[seed, None] for seed in range(given.seeds)]
    print("difference of success: {:.2f} [{:.2f}, {:.2f}]".format(*_interval(pairs)))
    for name, target in RULES.items():
        ends = [row["curve"][-1] for row in rows if row["target"] == target]
        for value in ("success", "progress"):
            values = [end[value] for end in ends]
            mean, low, high = _interval(values)
            print(f"{name}: {value} {mean:.2f} [{low:.2f}, {high:.2f}] of", *values)
    if given.picture:
        _draw(rows, given.picture)


def _train(seed: int, target: float | None, minutes: str, output: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "rl.py"), "blocksworld"]
    command += ["--method", "pg", "--reward", "sparse", "--minutes", minutes]
    command += ["--sizes", *SIZES, "--test-size", TESTED]
    command += ["--seed", str(seed), "--episodes", "100"]
    command += [] if target is None else ["--target", str(target)]
    command += ["--output", str(output)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def _interval(values: Sequence[float]) -> Estimate:
    """Return the mean of the seeds with Student's interval; none if all are equal."""
    mean, low, high = mean_interval(values, bounds=None)
    return Estimate(mean, mean if low is None else low, mean if high is None else high)


def _draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw the mean of the seeds with its 95% interval."""
    with styled():
        figure, axes = new_figure(1, 1, (4.4, 2.8))
        axis = axes[0][0]
        axis.set(
            xlabel="minutes of processor time", ylabel="held-out success, 5 blocks"
        )
        for color, (name, target) in zip(COLORS, RULES.items(), strict=False):
            curves = [row["curve"] for row in rows if row["target"] == target]
            length = min(map(len, curves))
            points = zip(*(one[:length] for one in curves), strict=True)
            values = [_interval([one["success"] for one in at]) for at in points]
            minutes = [point["seconds"] / 60 for point in curves[0][:length]]
            mean, low, high = zip(*values, strict=True)
            axis.plot(minutes, mean, color=color, label=name)
            axis.fill_between(minutes, low, high, color=color, alpha=0.15, linewidth=0)
        legend(figure)
        figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
