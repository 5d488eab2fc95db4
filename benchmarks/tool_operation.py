"""Are ToolOperation's tasks distinct and solved, and how long is a step?

The expert's calls are made for tasks of each template until some number of distinct
ones (a text and a start) is reached; each is to end in exactly its end state, with a
progress that never exceeds that of the end. Then the times of reset and of a step, and
how they grow with the size of the world.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

import gymnasium as gym

import aq_gym  # noqa: F401  registers the ids
from aq_gym.core import TextEnv
from aq_gym.envs.tooloperation.logic.builder import Template
from aq_gym.envs.tooloperation.logic.session import score
from aq_gym.envs.tooloperation.logic.worlds import (
    STARTS,
    WORLDS,
    operation,
    start,
)
from aq_gym.tools.tasks import TaskName

SIZES = {"todo": (40, 1_000, 10_000), "sheet": (12, 200, 1_000, 10_000)}


def distinct(world: str, template: Template, count: int) -> tuple[int, int, int]:
    """Return how many ids made how many distinct tasks, and how many were solved."""
    found: set[tuple[int, str]] = set()
    ids = solved = 0
    described = WORLDS[world]
    while len(found) < count and ids < 3 * count + 100:
        name = TaskName(world, ids % STARTS, template.name, ids)
        ids += 1
        task = operation(name, described.records)
        if task is None or (name.start, task.text) in found:
            continue
        found.add((name.start, task.text))
        session = described.session(start(world, name.start, described.records))
        for step in task.route:
            getattr(session, step.tool)(**step.arguments)
        solved += score(session, task.target).exact
    return ids, len(found), solved


def times(world: str, records: int, resets: int) -> tuple[float, ...]:
    """Return the seconds of building, of a reset, of the slowest, and of steps."""
    begin = process_time()
    start.__wrapped__(world, STARTS - 1, records)
    built = process_time() - begin
    env = gym.make("aq/ToolOperation-v0", world=world, records=records).unwrapped
    assert isinstance(env, TextEnv)
    reset: list[float] = []
    read: list[float] = []
    changed: list[float] = []
    templates = [one.name for one in WORLDS[world].templates]
    for seed in range(resets):
        large = records > 1_000
        options = None
        if large:
            # A large world takes long to build: one, which stays in memory.
            names = (
                TaskName(world, 0, templates[k % len(templates)], seed)
                for k in range(seed, seed + 50)
            )
            known = next(one for one in names if operation(one, records))
            operation.cache_clear()
            options = {"task_id": str(known)}
        begin = process_time()
        env.reset(seed=seed, options=options)
        reset.append(process_time() - begin)
        over = False
        while not over:
            action = env.expert_action()
            before = env.world.version  # type: ignore[attr-defined]
            begin = process_time()
            over = env.step(action)[2]
            spent = process_time() - begin
            same = env.world.version == before  # type: ignore[attr-defined]
            (read if same else changed).append(spent)
    slow = sorted(reset)[-1 - resets // 20]
    return built, median(reset), slow, median(read), median(changed)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="tasks of a template")
    parser.add_argument("--sizes", type=int, nargs="*", help="records of each world")
    parser.add_argument("--resets", type=int, default=60)
    options = parser.parse_args()
    print("world  template            ids  distinct  solved")
    for world, described in WORLDS.items():
        for template in described.templates if options.count else ():
            ids, found, solved = distinct(world, template, options.count)
            print(f"{world:6} {template.name:16} {ids:6} {found:9} {solved:7}",
                  flush=True)  # fmt: skip
    print("\nworld   records   build s  reset ms     95%  read us  change us")
    for world in WORLDS:
        for size in options.sizes or SIZES[world]:
            built, reset, slow, read, changed = times(world, size, options.resets)
            milliseconds = f"{1e3 * reset:9.2f} {1e3 * slow:7.2f}"
            steps = f"{1e6 * read:8.1f} {1e6 * changed:10.1f}"
            print(f"{world:6} {size:8,} {built:9.3f} {milliseconds} {steps}",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
