"""Which of ScienceWorld's own solutions solve their task, and with which score?

Plays the solution of some variations of each task, spread over all of them, without a
cap, and prints those that fail or take more steps than the id allows. With ``--write``
the optional goals that one of the successful ones did without are written into the
benchmark's ``data/unneeded.json``. Needs the extra ``scienceworld``; six variations of
each task take some 15 minutes of processor time::

    python benchmarks/scienceworld_expert.py --variations 6 --write
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import NamedTuple

from aq_gym.envs.scienceworld.engine import POOL
from aq_gym.envs.scienceworld.expert import gold_path
from aq_gym.envs.scienceworld.tasks import TASKS, Instance
from aq_gym.envs.scienceworld.world import Status
from aq_gym.registration import TABLE

FILE = Path(__file__).parents[1] / "aq_gym/envs/scienceworld/data/unneeded.json"
ABOUT = (
    "The optional goals of each task that ScienceWorld 1.2.3's own solution did "
    "without in at least one of the variations that benchmarks/scienceworld_expert.py "
    "played."
)
CAP = next(r.max_episode_steps for r in TABLE if r.id == "aq/ScienceWorld-v0")


class Solution(NamedTuple):
    """A played solution: the number of its steps, and the last report of the engine."""

    steps: int
    status: Status


def played(instance: Instance) -> Solution:
    """Play the solution of an instance up to the end of the episode."""
    path = gold_path(instance)
    with POOL.anywhere() as engine:
        world = engine.load(instance)
        for number, action in enumerate(path, 1):
            world = engine.step(action)
            if world.status.completed or world.status.failed:
                return Solution(number, world.status)
    return Solution(len(path), world.status)


def spread(count: int, wanted: int) -> list[int]:
    """Return evenly spaced numbers below ``count``."""
    return sorted({count * (2 * n + 1) // (2 * wanted) for n in range(wanted)})


def main() -> None:
    """Print a line for each task, and its unusual solutions."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--variations", type=int, default=6, help="of each task")
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--simplifications", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    unneeded: dict[str, set[str]] = {}
    solved = total = 0
    for task in given.tasks:
        unneeded[task] = set()
        counts: list[int] = []
        for variation in spread(TASKS[task], given.variations):
            solution = played(Instance(task, variation, given.simplifications))
            total += 1
            counts.append(solution.steps)
            if solution.status.solved:
                solved += 1
                optional = solution.status.goals.optional
                unneeded[task] |= {goal.name for goal in optional if not goal.reached}
            if not solution.status.solved or solution.steps > CAP:
                print(
                    f"  {task}-{variation}: {solution.steps} steps, "
                    f"score {round(100 * solution.status.score)}"
                )
        print(f"{task}: {len(counts)} variations, {min(counts)} to {max(counts)} steps")
    print(f"{solved} of {total} solved")
    if given.write:
        record = {"about": ABOUT, "tasks": {t: sorted(unneeded[t]) for t in TASKS}}
        FILE.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
