"""Does guessing pay in GSM8K, are its problems distinct, and what do they cost?

Guessers know neither the problem nor its solution: they state the numbers 1 to 200,
all in one thought, one a thought or one a calculation, in order or mixed. Their mean
progress is to be below 0.05, also without the cap of 20 steps. For comparison: a player
that calculates with numbers drawn from the problem, and one that answers 1, 2, 3 and so
on with retries.

With ``--data-dir`` it also reads the published files: what of them counts, how many
problems have twins, and how much memory they take.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from statistics import fmean
from time import perf_counter, process_time
from tracemalloc import get_traced_memory, start, stop
from typing import Any

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401  registers the ids
from aq_gym.core import TextEnv

NUMBERS = range(1, 201)
LEAST = 0.05


def mixed(seed: int) -> list[int]:
    """Return the numbers in an order of their own for each episode."""
    return [int(number) for number in np.random.default_rng(seed).permutation(NUMBERS)]


GUESSERS: dict[str, Callable[[int], Iterable[str]]] = {
    "all in one thought": lambda _: [f"think[{' '.join(map(str, NUMBERS))}]"],
    "thoughts, in order": lambda _: (f"think[{n}]" for n in NUMBERS),
    "thoughts, mixed": lambda seed: (f"think[{n}]" for n in mixed(seed)),
    "calculations, in order": lambda _: (f"calculate[{n} + 0]" for n in NUMBERS),
    "calculations, mixed": lambda seed: (f"calculate[{n}]" for n in mixed(seed)),
}


def played(env: gym.Env[str, str], seed: int, actions: Iterable[str]) -> float:
    """Return the progress of an episode of these actions."""
    _, info = env.reset(seed=seed)
    for action in actions:
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break
    return float(info["best_progress"])


def drawn(env: gym.Env[str, str], seed: int) -> Iterator[str]:
    """Yield actions that the environment draws."""
    rng = np.random.default_rng([seed, 1])
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, TextEnv)
    while True:
        yield unwrapped.sample_action(rng)


def expert(env: gym.Env[str, str]) -> Iterator[str]:
    """Yield the expert's actions."""
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, TextEnv)
    while True:
        yield unwrapped.expert_action()


def guesses(episodes: int, kwargs: dict[str, Any]) -> None:
    """Print the mean progress of each player."""
    print(f"## Mean progress of {episodes} episodes, {kwargs}")
    for cap in (20, 200):
        env = gym.make("aq/GSM8K-v0", max_episode_steps=cap, **kwargs)
        for name, actions in GUESSERS.items():
            mean = fmean(played(env, seed, actions(seed)) for seed in range(episodes))
            good = "" if mean < LEAST else "  TOO MUCH"
            print(f"{name}, {cap} steps: {mean:.3f}{good}")
    env = gym.make("aq/GSM8K-v0", **kwargs)
    mean = fmean(played(env, seed, drawn(env, seed)) for seed in range(episodes))
    print(f"calculations drawn from the problem, 20 steps: {mean:.3f}")
    scores = [played(env, seed, expert(env)) for seed in range(episodes)]
    print(f"expert: {fmean(scores):.3f}, solved {sum(one == 1.0 for one in scores)}")
    env = gym.make("aq/GSM8K-v0", retries=19, **kwargs)
    answers = [f"answer[{n}]" for n in NUMBERS]
    mean = fmean(played(env, seed, answers) for seed in range(episodes))
    print(f"answers 1 to 20 with retries=19: {mean:.3f}")


def costs(count: int, kwargs: dict[str, Any]) -> None:
    """Print how many problems are distinct, and how long a reset takes."""
    env = gym.make("aq/GSM8K-v0", **kwargs).unwrapped
    began = process_time()
    goals = Counter(env.reset(seed=seed)[1]["goal"] for seed in range(count))
    took = (process_time() - began) / count
    print(f"{len(goals)} of {count} problems are distinct")
    print(f"a reset takes {took * 1e3:.2f} ms")


def published(data_dir: str) -> None:
    """Print what the published files cost, and which problems have twins."""
    for split in ("test", "train"):
        start()
        began = perf_counter()
        env: Any = gym.make("aq/GSM8K-v0", data_dir=data_dir, split=split).unwrapped
        took, memory = perf_counter() - began, get_traced_memory()[0] / 2**20
        stop()
        print(f"{split}: read in {took:.2f} s, {memory:.1f} MiB stay in memory")
    count = twins = 0
    for number in range(1319):
        arguments: dict[str, Any] = {"data_dir": data_dir, "split": "test"}
        arguments |= {"perturb": True, "problem": number}
        env = gym.make("aq/GSM8K-v0", **arguments).unwrapped
        count += 1
        try:
            env.reset(options={"task_id": f"test-{number}-0"})
        except ValueError:
            continue
        twins += 1
    print(f"{twins} of {count} test problems have twins")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--data-dir", help="the folder of the published files")
    options = parser.parse_args()
    guesses(options.episodes, {"split": "test"})
    costs(5 * options.episodes, {})
    if options.data_dir:
        arguments = {"split": "test", "data_dir": options.data_dir}
        # First, since what was read stays in memory.
        published(options.data_dir)
        guesses(options.episodes, arguments)


if __name__ == "__main__":
    main()
