"""How much faster than TextWorld is the native engine at the same games?

Plays the same commands in the same generated games with both, in one run, and prints
medians and their ratios; for the native side through the whole environment, info and
plan progress included. Needs the extra ``alfworld``::

    pip install -e '.[alfworld]'
    python benchmarks/alfworld_speed.py --games 6 --steps 15
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES
from aq_gym.envs.alfworld.reference import TextworldEngine
from aq_gym.envs.alfworld.sources import Generated

REPEATS = 20


def timed(function: Callable[[], object], into: list[float]) -> object:
    """Call a function and note the seconds it takes."""
    start = time.perf_counter()
    result = function()
    into.append(time.perf_counter() - start)
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--steps", type=int, default=15)
    given = parser.parse_args()
    source = Generated("generated", TASK_TYPES)
    env = AlfworldEnv()
    env.reset(seed=0)
    rng = random.Random(0)
    native: dict[str, list[float]] = {"load and reset": [], "reset": [], "step": []}
    theirs: dict[str, list[float]] = {"load and reset": [], "reset": [], "step": []}
    for number in range(given.games):
        task_id = f"generated/{TASK_TYPES[number % 6]}/{number}"
        texts = source.texts(task_id)
        options = {"task_id": task_id}
        engine = timed(lambda t=texts: TextworldEngine(t), theirs["load and reset"])
        assert isinstance(engine, TextworldEngine)
        timed(lambda e=engine: e.restore(()), theirs["reset"])
        for _ in range(REPEATS):
            timed(lambda o=options: env.reset(options=o), native["load and reset"])
        native["reset"] = native["load and reset"]
        for _ in range(given.steps):
            command = rng.choice(env.admissible_actions())
            timed(lambda c=command: env.step(c), native["step"])
            timed(lambda e=engine, c=command: e.step(c), theirs["step"])
            if env.success():
                break
    print(f"{'':16}{'TextWorld':>12}{'native':>12}{'ratio':>8}")
    for what in native:
        slow, fast = (statistics.median(times[what]) for times in (theirs, native))
        print(f"{what:16}{slow * 1e3:9.1f} ms{fast * 1e3:9.3f} ms{slow / fast:8.0f}")


if __name__ == "__main__":
    main()
