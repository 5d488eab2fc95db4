"""How long does a step of Mystery take, and how many steps does its expert need?

Each step says a text that was not said before, because texts that were read are kept.
TextArena's TwentyQuestions and GuessWho (0.7.4) can't be compared: they ask a language
model on the network for each answer.
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from typing import Any

import gymnasium as gym
import numpy as np
from timing import Target, interleave, rounds_argument, seconds, show

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.mystery.actions import read
from aq_gym.envs.mystery.logic.facts import aspects

STEPS = 100
STORIES = 200


def main() -> None:
    """Print a table, and the expert's steps."""
    rounds = rounds_argument(__doc__, 100).parse_args().rounds
    env = gym.make("aq/Mystery-v0").unwrapped
    # Not one of the seeds of the tellings, which would draw the story.
    env.reset(seed=STORIES)
    people = [value for aspect in aspects()[:2] for value in aspect.values]
    pairs = list(permutations(people[:8], 2))
    triples = list(permutations(people[:8], 4))
    actions = {
        "question": [f"Was the person {a} or {b}?" for a, b in pairs],
        "long question": [
            f"Was the person {a}, {b}, {c} or {d}?" for a, b, c, d in triples
        ],
        "question, irrelevant": [
            f"Did somebody die in {i * ' '}it?" for i in range(99)
        ],
        "invalid": [f"open door {i}" for i in range(STEPS)],
        "telling": [telling(seed) for seed in range(STEPS)],
    }
    candidates = {
        name: partial(step_seconds, env, texts[:STEPS])
        for name, texts in actions.items()
    }
    times = interleave(candidates, rounds)
    targets = [Target(name, 20) for name in actions]
    show("A step", times, "question", targets=targets)
    steps = [expert_steps(seed) for seed in range(STORIES)]
    print(
        f"The expert needs {np.mean(steps):.1f} steps in the mean, {max(steps)} at most"
    )


def telling(seed: int) -> str:
    """Return a telling of all six facts."""
    rng = np.random.default_rng(seed)
    values = [str(rng.choice(aspect.values)) for aspect in aspects()]
    person, place, object_, motive, weather, helper = values
    return (
        f"Story: {person} was at {place} with {object_} because of {motive} during "
        f"{weather}, and {helper} helped."
    )


def step_seconds(env: gym.Env[Any, Any], texts: list[str]) -> float:
    """Return the seconds that a step with a new text takes."""
    read.cache_clear()
    return seconds(env.step, [(text,) for text in texts]) / len(texts)


def expert_steps(seed: int) -> int:
    """Play an episode."""
    env = gym.make("aq/Mystery-v0")
    env.reset(seed=seed)
    steps, over = 0, False
    while not over:
        action = env.get_wrapper_attr("expert_action")()
        over = env.step(action)[2]
        steps += 1
    return steps


if __name__ == "__main__":
    main()
