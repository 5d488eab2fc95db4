"""Do the difficulty labels separate the scores of an agent that is often wrong?

    python benchmarks/validity/difficulty.py "aq/ToolQuery-v0?world=library"

The agent takes the expert's action or a random one, at even odds. The table has its
results for each label, and the difference in progress between the first label and the
last one, with an interval for independent samples. If the interval contains 0, the
labels say nothing about this agent. MMLU's labels can't be judged in this way: an agent
that takes the answer at even odds is as often right in easy as in hard questions of one
step.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from statistics import mean
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym.evaluation.intervals import mean_interval
from aq_gym.selection import parse_env

IDS = (
    "aq/Sudoku-v0?difficulty=easy", "aq/Sudoku-v0?difficulty=hard",
    "aq/Hangman-v0", "aq/Wordle-v0", "aq/PDDL-v0", "aq/ALFWorld-v0",
    "aq/ToolQuery-v0", "aq/ToolOperation-v0", "aq/GSM8K-v0", "aq/WebShop-v0",
    "aq/GAIA-v0", "aq/MMLU-v0",
)  # fmt: skip
GRADES = ("easy", "medium", "hard")


def play(env: gym.Env[Any, Any], seed: int) -> tuple[str, float, float]:
    """Play an episode; return its difficulty, success and progress."""
    # Not the stream that draws the instance.
    rng = np.random.default_rng([seed, 1])
    expert, other = map(env.get_wrapper_attr, ("expert_action", "sample_action"))
    _, info = env.reset(seed=seed)
    difficulty, over = info["difficulty"], False
    while not over:
        action = expert() if rng.random() < 0.5 else other(rng)
        _, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    return difficulty, float(info["success"]), info["best_progress"]


def difference(first: Sequence[float], last: Sequence[float]) -> str:
    """Return the difference of two means with its 95% interval."""
    low, high = mean_interval(first), mean_interval(last)
    value = low.value - high.value
    if low.low is None or low.high is None or high.low is None or high.high is None:
        return f"{value:.2f}"
    down = sqrt((low.value - low.low) ** 2 + (high.high - high.value) ** 2)
    up = sqrt((low.high - low.value) ** 2 + (high.value - high.low) ** 2)
    return f"{value:.2f} [{value - down:.2f}, {value + up:.2f}]"


def row(name: str, episodes: int) -> str:
    """Play all episodes of a setting, and return the row of the table."""
    env_id, kwargs = parse_env(name)
    env = gym.make(env_id, **kwargs)
    played = [play(env, seed) for seed in range(episodes)]
    known = {
        grade: list(zip(*own, strict=True))
        for grade in GRADES
        if (own := [one[1:] for one in played if one[0] == grade])
    }
    cells = ", ".join(
        f"{grade} ({len(own[0])}) {mean(own[0]):.2f} {mean(own[1]):.2f}"
        for grade, own in known.items()
    )
    first, *_, last = (own[1] for own in (*known.values(), *known.values()))
    told = difference(first, last) if len(known) > 1 else "-"
    return f"| {name} | {cells} | {told} |"


def main() -> None:
    """Print a row for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", default=IDS, help="ids with arguments")
    parser.add_argument("--episodes", type=int, default=200, help="(%(default)s)")
    given = parser.parse_args()
    print("| setting | label (episodes), success and progress | difference |")
    print("| --- | --- | --- |")
    for name in given.ids:
        print(row(name, given.episodes), flush=True)


if __name__ == "__main__":
    main()
