"""Search, the expert and random actions on the tasks of ``examples/tree_search.py``.

    python benchmarks/validity/search.py

Each plays five seeds (``--seeds``) of each task. A search takes at most 10,000 steps,
the expert and random actions at most 40. Printed are the solved tasks, and the median
steps and length of the plans that were found, and the median and 95th percentile of the
milliseconds of processor time.
"""

from __future__ import annotations

import argparse
import runpy
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import gymnasium as gym
import numpy as np

from aq_gym import TextEnv
from aq_gym.core.help import HELP

EXAMPLE = Path(__file__).parents[2] / "examples" / "tree_search.py"
CAP = 40


def expert(env: TextEnv) -> tuple[int, int]:
    """Play the expert's actions."""
    return play(env, lambda: env.expert_action() or HELP)


def random_actions(env: TextEnv) -> tuple[int, int]:
    """Play random actions."""
    return play(env, lambda: env.sample_action(env.np_random))


def play(env: TextEnv, choose: Callable[[], str]) -> tuple[int, int]:
    """Return the number of steps taken, and of the plan (0 if not solved)."""
    for taken in range(1, CAP + 1):
        _, _, terminated, _, info = env.step(choose())
        if terminated:
            return taken, taken if info["success"] else 0
    return CAP, 0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    seeds = range(parser.parse_args().seeds)
    example = runpy.run_path(str(EXAMPLE))
    players = {
        "best-first": example["best_first"],
        "UCT": example["uct"],
        "expert": expert,
        "random": random_actions,
    }
    print("| task | player | solved | steps | plan | ms | p95 |")
    print("|---|---|---|---|---|---|---|")
    for task, (env_id, arguments) in example["TASKS"].items():
        env = gym.make(env_id, **arguments).unwrapped
        assert isinstance(env, TextEnv)
        for name, player in players.items():
            print(f"| {task} | {name} | {_row(env, player, seeds)} |")


def _row(
    env: TextEnv, player: Callable[[TextEnv], tuple[int, int]], seeds: range
) -> str:
    steps, plans, seconds = [], [], []
    for seed in seeds:
        env.reset(seed=seed)
        begin = time.process_time()
        taken, length = player(env)
        seconds.append(time.process_time() - begin)
        steps.append(taken)
        plans += [length] if length else []
    plan = f"{median(plans):.0f}" if plans else ""
    return (
        f"{len(plans)} of {len(seeds)} | {median(steps):,.0f} | {plan} | "
        f"{1000 * median(seconds):,.1f} | {1000 * np.quantile(seconds, 0.95):,.1f}"
    )


if __name__ == "__main__":
    main()
