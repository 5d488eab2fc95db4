"""Breadth-first search with states, expanding each state once.

A node is one ``set_state`` and one ``step``. ``EnvState.key`` tells states apart, which
makes it independent of the benchmark.

Run it: python examples/state_search.py
"""

import time
from collections import deque

import gymnasium as gym
import numpy as np

import aq_gym  # registers the ids
from aq_gym import EnvState, TextEnv

NODES = 2_000
WIDTH = 8


def actions(env: TextEnv, rng: np.random.Generator) -> list[str]:
    """Return several different actions for the current state."""
    try:
        return list(env.admissible_actions()[:WIDTH])
    except ValueError:  # too many to list
        return sorted({env.sample_action(rng) for _ in range(WIDTH)})


def search(env: TextEnv, nodes: int) -> tuple[int, float]:
    """Expand a number of nodes.

    Returns:
        The number of different states, and the best progress among them.
    """
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    root = env.get_state()
    queue: deque[EnvState] = deque([root])
    seen = {root.key}
    best = 0.0
    while queue and nodes > 0:
        state = queue.popleft()
        env.set_state(state)
        for action in actions(env, rng):
            env.set_state(state)
            _, _, terminated, truncated, info = env.step(action)
            nodes -= 1
            best = max(best, info["best_progress"])
            child = env.get_state()
            if child.key not in seen and not (terminated or truncated):
                seen.add(child.key)
                queue.append(child)
    return len(seen), best


def nodes_per_second(env: TextEnv) -> float:
    """Return how many times per second a state can be set and stepped."""
    env.reset(seed=0)
    state, action = env.get_state(), env.expert_action()
    start = time.process_time()
    for _ in range(NODES):
        env.set_state(state)
        env.step(action)
    return NODES / (time.process_time() - start)


if __name__ == "__main__":
    print(f"aq_gym {aq_gym.__version__}")
    for env_id in ("aq/Mastermind-v0", "aq/PDDL-v0", "aq/BabyAI-text-v0"):
        env = gym.make(env_id).unwrapped
        assert isinstance(env, TextEnv)
        states, best = search(env, NODES)
        rate = nodes_per_second(env)
        print(f"{env_id}: {states} states, progress {best:.2f}, {rate:,.0f} nodes/s")
