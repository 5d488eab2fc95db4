"""Goals and shops of aq/WebShop-v0: is a copied query enough, and what does it cost?

    python benchmarks/webshop.py --goals 1000 --products 1000 10000 100000

For each size of the catalogue: processor time of making it and of its index, the median
and 95th percentile of a query; the share of goals for which a copy of the instruction
as the query has a product of score 1.0 in the first ten; the share that the expert
solves, and its steps. Steps and resets are timed with the first size.
"""

from __future__ import annotations

import argparse
import pickle
from statistics import mean, median
from time import process_time
from typing import Any

import gymnasium as gym
from timing import percentile_95

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.webshop.logic.catalogue import generate
from aq_gym.envs.webshop.logic.search import Index
from aq_gym.envs.webshop.logic.shop import document


def shop_row(size: int) -> str:
    """Time a catalogue, its index and its queries."""
    begun = process_time()
    products = generate(0, size)
    made = process_time()
    index = Index.build(map(document, products))
    indexed = process_time()
    times = []
    for product in products[:500]:
        start = process_time()
        index.search(product.title, 50)
        times.append(1e3 * (process_time() - start))
    bytes_ = index.starts.nbytes + index.documents.nbytes + index.scores.nbytes
    return (
        f"{made - begun:.2f} | {indexed - made:.2f} | {median(times):.3f} "
        f"| {percentile_95(times):.3f} | {bytes_ / 1e6:.1f}"
    )


def goals_row(size: int, goals: int) -> str:
    """Try a copied query and the expert on goals of a size."""
    env: Any = gym.make("aq/WebShop-v0", products=size).unwrapped
    copied, solved, steps = 0, 0, []
    for seed in range(goals):
        _, info = env.reset(seed=seed)
        start = env.get_state()
        env.step(f"search[{info['goal']}]")
        shown = env._session.results()
        copied += any(env._session.judge.best(one) == 1.0 for one in shown)
        env.set_state(start)
        over, taken = False, 0
        while not over:
            _, _, over, _, info = env.step(env.expert_action())
            taken += 1
        solved += info["success"]
        steps.append(taken)
    return f"{copied / goals:.3f} | {solved / goals:.4f} | {mean(steps):.1f}"


def step_times(size: int) -> tuple[list[float], list[float]]:
    """Return the times of resets in milliseconds and of steps in microseconds."""
    env: Any = gym.make("aq/WebShop-v0", products=size).unwrapped
    resets, steps = [], []
    env.reset(seed=0)
    for seed in range(200):
        start = process_time()
        env.reset(seed=seed)
        resets.append(1e3 * (process_time() - start))
        for _ in range(15):
            action = env.sample_action(env.np_random)
            start = process_time()
            over = env.step(action)[2]
            steps.append(1e6 * (process_time() - start))
            if over:
                break
    return resets, steps


def main() -> None:
    """Print a table with a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goals", type=int, default=200, help="(%(default)s)")
    parser.add_argument("--products", type=int, nargs="+", default=[1000, 10_000])
    given = parser.parse_args()
    print("| products | s to make | s to index | query ms | p95 | index MB ", end="")
    print("| copied query | expert | steps |\n" + "|---" * 9 + "|")
    for size in given.products:
        print(f"| {size:,} | {shop_row(size)} | {goals_row(size, given.goals)} |")
    resets, steps = step_times(given.products[0])
    for name, times in (("reset, ms", resets), ("step, us", steps)):
        print(f"{name}: median {median(times):.2f}, p95 {percentile_95(times):.2f}")
    env: Any = gym.make("aq/WebShop-v0", products=given.products[0])
    env.reset(seed=0)
    print(f"pickled environment: {len(pickle.dumps(env)):,} bytes")


if __name__ == "__main__":
    main()
