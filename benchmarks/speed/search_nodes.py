"""Measure the nodes of a search: one ``set_state`` and one ``step`` each.

The states are those of random walks, and each is stepped with every admissible action
(eight random ones where there are too many to list), in random order.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TypeAlias

import gymnasium as gym
import numpy as np
from timing import Sample, Target, interleave, rounds_argument, seconds, show

from aq_gym import EnvState, TextEnv

# Targets of 50,000, 25,000 and 15,000 nodes a second.
TARGETS = {"Mastermind": 20.0, "PDDL": 40.0, "BabyAI-text": 1e6 / 15_000}
NAMES = (*TARGETS, "ALFWorld")
EPISODES, STEPS, MOST = 4, 12, 100

Nodes: TypeAlias = list[tuple[EnvState, str]]


def actions(env: TextEnv, rng: np.random.Generator) -> tuple[str, ...]:
    """Return the actions of the current state, or some random ones."""
    with suppress(ValueError):
        if 0 < len(found := env.admissible_actions()) <= MOST:
            return found
    return tuple(env.sample_action(rng) for _ in range(8))


def walk(env: TextEnv, seed: int) -> Nodes:
    """Return the states of an episode with their actions, in random order."""
    rng, found = np.random.default_rng(seed), []
    env.reset(seed=seed)
    for _ in range(STEPS):
        offered, state = actions(env, rng), env.get_state()
        found += [(state, action) for action in offered]
        if env.step(offered[rng.integers(len(offered))])[2]:
            break
    Random(seed).shuffle(found)
    return found[:MOST]


def sample(env: TextEnv, episodes: list[Nodes]) -> Sample:
    """Return a sample of a node, over the states and actions of some episodes."""

    def visit(state: EnvState, action: str) -> None:
        env.set_state(state)
        env.step(action)

    def visits() -> float:
        took = 0.0
        for nodes in episodes:
            # A search stays in one episode, so that loading it is not measured.
            env.set_state(nodes[0][0])
            took += seconds(visit, nodes)
        return took / sum(map(len, episodes))

    return visits


def main() -> None:
    """Print the table."""
    rounds = rounds_argument(__doc__, default=20).parse_args().rounds
    samples = {}
    for name in NAMES:
        env = gym.make(f"aq/{name}-v0").unwrapped
        assert isinstance(env, TextEnv)
        samples[name] = sample(env, [walk(env, seed) for seed in range(EPISODES)])
    targets = [Target(name, most) for name, most in TARGETS.items()]
    show("A node", interleave(samples, rounds), NAMES[0], targets=targets)


if __name__ == "__main__":
    main()
