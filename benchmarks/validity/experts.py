"""How often, in how many steps and how fast do the experts solve their instances?

    python benchmarks/validity/experts.py "aq/Cipher-v0?cipher=vigenere" --episodes 500
    python benchmarks/validity/experts.py aq/Wordle-v0 --task-ids words.txt

Episodes are drawn by the seeds 0, 1, ..., or named by a file with a task id per line.
Times are processor time: of a reset, and of the choice of an action.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym.selection import parse_env

IDS = (
    *(f"aq/Hangman-v0?difficulty={one}" for one in ("easy", "hard", "all")),
    *(f"aq/Wordle-v0?hard_mode={one}" for one in ("false", "true")),
    *(f"aq/2048-v0?goal={one}" for one in (512, 2048)),
    *(
        f"aq/Cipher-v0?cipher={cipher}&difficulty={keys}"
        for cipher in ("caesar", "atbash", "affine", "vigenere", "railfence")
        for keys in ("easy", "hard")
    ),
    "aq/Mystery-v0",
    "aq/PDDL-v0",
)


def play(env: gym.Env[Any, Any], reset: dict[str, Any]) -> tuple[bool, list[float]]:
    """Play an episode; return whether it is solved, and the time of each call.

    It ends where the expert gives up.
    """
    expert = env.get_wrapper_attr("expert_action")
    start = process_time()
    env.reset(**reset)
    times, over, solved = [process_time() - start], False, False
    while not over:
        start = process_time()
        action = expert()
        times.append(process_time() - start)
        if action is None:
            break
        _, _, terminated, truncated, info = env.step(action)
        over, solved = terminated or truncated, info["success"]
    return solved, times


def row(name: str, env: gym.Env[Any, Any], resets: list[dict[str, Any]]) -> str:
    """Play all episodes, and return the row of the table."""
    played = [play(env, reset) for reset in resets]
    solved = sum(success for success, _ in played)
    steps = [len(times) - 1 for _, times in played]
    chosen = [1e3 * time for _, times in played for time in times[1:]]
    return (
        f"| {name} | {solved} of {len(played)} | {solved / len(played):.1%} "
        f"| {mean(steps):.2f} | {max(steps)} "
        f"| {1e3 * median(times[0] for _, times in played):.2f} "
        f"| {mean(chosen):.2f} | {np.quantile(chosen, 0.95):.2f} "
        f"| {max(chosen):.1f} |"
    )


def main() -> None:
    """Print a row for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", default=IDS, help="ids with arguments")
    parser.add_argument("--episodes", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--task-ids", type=Path, help="a file, instead of seeds")
    given = parser.parse_args()
    resets: list[dict[str, Any]] = [{"seed": seed} for seed in range(given.episodes)]
    if given.task_ids:
        names = given.task_ids.read_text("utf-8").split()
        resets = [{"options": {"task_id": name}} for name in names]
    print("| setting | solved | | steps | most | reset ms | action ms | p95 | most |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in given.ids:
        env_id, kwargs = parse_env(name)
        print(row(name, gym.make(env_id, **kwargs), resets), flush=True)


if __name__ == "__main__":
    main()
