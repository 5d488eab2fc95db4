"""Do the difficulty labels separate the scores of an agent that is often wrong?

    python benchmarks/validity/difficulty.py aq/Hangman-v0 aq/GSM8K-v0

The agent takes the expert's action with a probability, and otherwise a random one. The
table has its success and progress for each label of a benchmark, over all settings of
the benchmark, and the difference in progress between the first label and the last one,
with an interval for independent samples. The probability is one at which the agent
neither solves nearly all easy tasks nor fails in nearly all: there no label could be
told from another. The program fails if a difference is less than 0.1.

Labels that others published (GAIA's levels, AgentBoard's difficulties in its protocols)
aren't judged. Nor are those of Cipher, Mastermind and Jericho, which state the size of
an instance: errors cost their experts next to nothing, whatever the size.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import mean
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym.evaluation.intervals import mean_interval
from aq_gym.selection import parse_env

_BABYAI = "GoToObj", "GoToLocal", "Pickup", "PutNextLocal", "UnlockPickup", "BossLevel"
_BY_ARGUMENT = "?difficulty=easy", "?difficulty=hard"
# The probability of the expert's action, the settings, and the episodes of each.
LABELLED: Mapping[str, tuple[float, Sequence[str], int]] = {
    "aq/Sudoku-v0": (0.25, _BY_ARGUMENT, 40),
    "aq/Hangman-v0": (0.5, _BY_ARGUMENT, 400),
    "aq/2048-v0": (0.5, ("?goal=512", "?goal=2048"), 40),
    "aq/BabyAI-text-v0": (
        0.25,
        [f"?level={level}-v0&max_episode_steps=30" for level in _BABYAI],
        50,
    ),
    "aq/PDDL-v0": (0.25, _BY_ARGUMENT, 12),
    "aq/ALFWorld-v0": (0.1, ("",), 400),
    "aq/ToolOperation-v0": (0.75, ("?world=todo", "?world=sheet"), 200),
    "aq/GSM8K-v0": (0.5, ("",), 1_000),
}
GRADES = ("easy", "medium", "hard")
LEAST = 0.1


def play(env: gym.Env[Any, Any], seed: int, share: float) -> tuple[str, float, float]:
    """Play an episode; return its difficulty, success and progress."""
    # Not the stream that draws the instance.
    rng = np.random.default_rng([seed, 1])
    expert, other = map(env.get_wrapper_attr, ("expert_action", "sample_action"))
    _, info = env.reset(seed=seed)
    difficulty, over = info["difficulty"], False
    while not over:
        # The expert may give up.
        action = (rng.random() < share and expert()) or other(rng)
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


def separated(name: str) -> bool:
    """Print the row of a benchmark; return whether its labels separate the scores."""
    share, settings, episodes = LABELLED[name]
    found: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for setting in settings:
        env_id, kwargs = parse_env(name + setting)
        env = gym.make(env_id, **kwargs)
        for seed in range(episodes):
            grade, *scores = play(env, seed, share)
            found[grade].append((scores[0], scores[1]))
        env.close()
    known = [(g, *map(list, zip(*found[g], strict=True))) for g in GRADES if g in found]
    cells = ", ".join(
        f"{grade} ({len(success)}) {mean(success):.2f} {mean(progress):.2f}"
        for grade, success, progress in known
    )
    first, last = known[0][2], known[-1][2]
    print(f"| {name} | {share} | {cells} | {difference(first, last)} |", flush=True)
    return bool(mean(first) - mean(last) >= LEAST)


def main() -> None:
    """Print a row for each benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", default=[*LABELLED], choices=[*LABELLED])
    given = parser.parse_args()
    print(
        "| benchmark | expert | label (episodes), success and progress | difference |"
    )
    print("| --- | --- | --- | --- |")
    failed = [name for name in given.ids if not separated(name)]
    if failed:
        raise SystemExit(f"labels that separate less than {LEAST}: {', '.join(failed)}")


if __name__ == "__main__":
    main()
