"""How quickly are PDDL problems generated, and does the expert solve them all?

For each domain and difficulty, many seeds through ``aq/PDDL-v0``: the median time to
generate a problem (its PDDL text), of a whole reset and of the expert's plan, the
lengths of the plans, and the problems that broke a rule. Needs the package alone::

    python benchmarks/pddl_generators.py [SEEDS=200] [DOMAIN ...]
"""

from __future__ import annotations

import statistics
import sys
import time
from random import Random

import gymnasium as gym

import aq_gym
from aq_gym.envs.pddl.library import DIFFICULTIES, domain_names, load_domain

assert aq_gym


def measure(domain: str, difficulty: str, seeds: int) -> None:
    """Print one row of the table."""
    env = gym.make("aq/PDDL-v0", domain=domain, difficulty=difficulty)
    generate = load_domain(domain).generate
    generated, resets, plans, lengths, broken = [], [], [], [], []
    for seed in range(seeds):
        began = time.perf_counter()
        generate(Random(seed), difficulty).pddl(domain, "problem")
        generated.append(time.perf_counter() - began)
        began = time.perf_counter()
        _, info = env.reset(seed=seed)
        resets.append(time.perf_counter() - began)
        began = time.perf_counter()
        env.unwrapped.expert_action()
        plans.append(time.perf_counter() - began)
        steps, total = 0, 0.0
        ended = any(info["subgoals"].values()) or info["difficulty"] != difficulty
        while not ended:
            action = env.unwrapped.expert_action()
            _, reward, terminated, truncated, info = env.step(action)
            steps, total = steps + 1, total + reward
            ended = terminated or truncated or not info["action_valid"]
        conditions = len(info["subgoals"])
        easy = conditions <= 6 and steps <= 30
        hard = conditions > 6 or steps > 30
        fits = easy if difficulty == "easy" else hard
        if not info["success"] or abs(total - 1) > 1e-9 or not fits:
            broken.append((seed, steps, conditions, info["success"]))
        lengths.append(steps)
    times = [f"{1e3 * statistics.median(t):7.1f}" for t in (generated, resets, plans)]
    print(
        f"{domain:12} {difficulty:5} {' '.join(times)} {max(plans):7.2f}"
        f" {min(lengths):5} {statistics.median(lengths):5.0f} {max(lengths):5}"
        f"   {broken or 'none'}",
        flush=True,
    )


def main() -> None:
    """Measure all domains, or those named."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{seeds} seeds; median ms to generate, reset, plan; slowest plan in s;")
    print("steps: fewest, median, most; broken: (seed, steps, conditions, success)")
    for domain in sys.argv[2:] or domain_names():
        for difficulty in DIFFICULTIES:
            measure(domain, difficulty, seeds)


if __name__ == "__main__":
    main()
