"""Compare a text step of BabyAI with minigrid's own step.

Both sides are made by plain ``gym.make``, without wrappers, and take the same steps in
the same worlds; minigrid answers a step with a picture, ours with text and progress.
AgentBoard's published wrapper takes 1 to 5 ms to describe one observation, on top of
minigrid's step; the target of a fiftieth refers to 1 ms.
"""

from __future__ import annotations

import contextlib
import io
from functools import partial
from typing import Any

import gymnasium as gym
import minigrid  # noqa: F401  registers its levels
import numpy as np
from timing import Target, interleave, seconds, show

import aq_gym  # noqa: F401  registers the ids

# Levels whose missions the three actions of WORDS cannot end.
LEVELS = ("PickupLoc", "UnlockPickup", "Pickup")
WORDS = ("turn left", "turn right", "move forward")
STEPS = 200
TARGETS = (Target("text", 1 / 3, "minigrid"), Target("text", 20))


def compare(rounds: int) -> None:
    """Print a table for each level."""
    for level in LEVELS:
        plain = gym.make(f"BabyAI-{level}-v0", max_steps=10**9).unwrapped
        text = gym.make(f"aq/BabyAI-text-{level}-v0").unwrapped
        words = walk(text)
        moves = [(WORDS.index(word),) for (word,) in words]
        candidates = {
            "minigrid": partial(step_seconds, plain, moves),
            "text": partial(step_seconds, text, words),
        }
        times = interleave(candidates, rounds)
        show(f"BabyAI: a step of {level}", times, "minigrid", targets=TARGETS)


def walk(env: gym.Env[Any, Any]) -> list[tuple[str]]:
    """Walk at random, and return the actions."""
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    words: list[tuple[str]] = []
    while len(words) < STEPS:
        word = WORDS[rng.integers(len(WORDS))]
        if env.step(word)[4]["action_valid"]:
            words.append((word,))
    return words


def step_seconds(env: gym.Env[Any, Any], actions: list[tuple[Any]]) -> float:
    """Return the seconds that one of many steps takes."""
    with contextlib.redirect_stdout(io.StringIO()):
        env.reset(seed=0)
    return seconds(env.step, actions) / len(actions)
