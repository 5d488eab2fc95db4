"""Compare ALFWorld's native engine with TextWorld's.

Both engines play the same random commands in the same generated games. Ours includes
the whole environment with info and plan progress.
"""

from __future__ import annotations

import random
from functools import partial
from statistics import median

from envs.alfworld.compare import TextworldEngine
from timing import Times, seconds, show

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.logic.house import TASK_TYPES
from aq_gym.envs.alfworld.sources import GeneratedGame

REPEATS = 20
STEPS = 15
OURS, THEIRS = "aq_gym", "TextWorld"


def compare(rounds: int) -> None:
    """Print a table for a step, and one for a reset in a new game.

    Args:
        rounds: A round is a game of three types of task.
    """
    env = AlfworldEnv()
    env.reset(seed=0)
    steps: Times = {OURS: [], THEIRS: []}
    resets: Times = {OURS: [], THEIRS: []}
    for number in range(3 * rounds):
        play(env, TASK_TYPES[number % len(TASK_TYPES)], number, steps, resets)
    show("ALFWorld: a step", steps, OURS)
    show("ALFWorld: loading and resetting a game", resets, OURS, "ms")


def play(
    env: AlfworldEnv, task_type: str, number: int, steps: Times, resets: Times
) -> None:
    """Play one game with both engines, and add their times."""
    texts = GeneratedGame("generated", task_type, number).texts()
    engines: list[TextworldEngine] = []
    load = partial(TextworldEngine, texts)
    resets[THEIRS].append(seconds(lambda: engines.append(load())))
    reset = partial(env.reset, options={"task_id": f"generated/{task_type}/{number}"})
    resets[OURS].append(median(seconds(reset) for _ in range(REPEATS)))
    rng = random.Random(number)
    for _ in range(STEPS):
        command = rng.choice(env.admissible_actions())
        steps[OURS].append(seconds(env.step, [(command,)]))
        steps[THEIRS].append(seconds(engines[0].step, [(command,)]))
        if env.success():
            return
