"""How long does a step of ScienceWorld take: engine, environment, own package?

One operation is a step along ScienceWorld's own solutions of some tasks. Both
candidates drive the same Java archive, in a virtual machine each, with the same
options: the package's ``step``, which also lists the valid actions, and
aq/ScienceWorld-v0. Measured is the processor time of this process and of all that it
started, the virtual machines' included, because the work is done there. Needs the extra
``scienceworld``, and Linux::

    python benchmarks/scienceworld_step.py
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import gymnasium as gym
from scienceworld import ScienceWorldEnv as PackageEnv

import aq_gym  # noqa: F401 (registers the id)
from aq_gym.envs.scienceworld.expert import gold_path
from aq_gym.envs.scienceworld.process import OPTIONS
from aq_gym.envs.scienceworld.tasks import Instance

TASKS = ("boil", "find-plant", "power-component", "use-thermometer")
VARIATION = 1
STEPS = 30
TICKS = os.sysconf("SC_CLK_TCK")


def processor_ms() -> float:
    """Return the processor time of this process and its descendants."""
    return sum(map(_own_ms, _family(os.getpid())))


def _family(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))


def _own_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1_000 * (int(fields[11]) + int(fields[12])) / TICKS


def timed(step: Callable[[str], object], actions: tuple[str, ...]) -> float:
    """Return the processor time of a step, in milliseconds, as the mean of a walk."""
    before = processor_ms()
    for action in actions:
        step(action)
    return (processor_ms() - before) / len(actions)


def package() -> PackageEnv:
    """Make the package's own environment, with our options for the virtual machine."""
    os.environ["JDK_JAVA_OPTIONS"] = " ".join(OPTIONS)
    try:
        return PackageEnv("", envStepLimit=10_000)
    finally:
        del os.environ["JDK_JAVA_OPTIONS"]


def without_end(env: gym.Env[str, str], actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the actions before the one that ends the episode, if one of them does."""
    env.reset(seed=0)
    for number, action in enumerate(actions):
        if env.step(action)[2]:
            return actions[:number]
    return actions


def main() -> None:
    """Print a table: for each task the time of a step by each candidate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", nargs="+", default=TASKS)
    given = parser.parse_args()
    theirs = package()
    print(
        f"{'task':20} {'raw':>7} {'env':>7} {'package':>8} {'package/env':>12}   (ms)"
    )
    for task in given.tasks:
        row = measured(task, theirs, given.rounds)
        ratio = row["package"] / row["env"]
        print(
            f"{task:20} {row['raw']:7.1f} {row['env']:7.1f} {row['package']:8.1f} "
            f"{ratio:12.1f}"
        )
    theirs.close()


def measured(task: str, theirs: PackageEnv, rounds: int) -> dict[str, float]:
    """Return the median times of a step, by candidate."""
    env = gym.make("aq/ScienceWorld-v0", task=task, variation=VARIATION).unwrapped
    actions = without_end(env, gold_path(Instance(task, VARIATION, ""))[:STEPS])
    times: dict[str, list[float]] = {"raw": [], "env": [], "package": []}
    for number in range(rounds + 1):
        env.reset(seed=0)
        theirs.load(task, VARIATION)
        raw = timed(theirs.server.step, actions)
        theirs.load(task, VARIATION)
        walk = {
            "raw": raw,
            "env": timed(env.step, actions),
            "package": timed(theirs.step, actions),
        }
        # The first walk compiles.
        for name, ms in walk.items() if number else ():
            times[name].append(ms)
    env.close()
    return {name: median(values) for name, values in times.items()}


if __name__ == "__main__":
    main()
