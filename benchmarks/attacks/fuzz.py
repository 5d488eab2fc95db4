"""Does any of many hostile texts break an environment or slow it down?

The texts are spread over all benchmarks, with the arguments of the suite "full". Each
is said in the middle of an episode, has to be answered and, where it is invalid, to
leave the state as it was; the state is another one after each 1,000 texts. Fails if a
step takes more than 0.5 s of processor time, that of an engine's own processes
included, or one in 10,000 more than 50 ms. An engine that fails is a wrong answer.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from time import clock_gettime, process_time
from typing import Any

import numpy as np
from hostile_texts import hostile_texts

from aq_gym.core import TextEnv
from aq_gym.evaluation import Suite
from aq_gym.registration import TABLE
from aq_gym.testing import Case, ContractError
from aq_gym.testing.case import inner, into_episode, sample
from aq_gym.testing.fuzz import check_text

A_STATE = 1_000
MOST_FOR_A_STATE = 600
MOST_SECONDS = 0.5
MOST_OF_NEARLY_ALL = 0.05
# Which arguments choose other rules or texts; the others choose instances.
RULES = (
    *("cipher", "domain", "game", "goals", "obs_format", "protocol", "repeats"),
    *("symbols", "world"),
)


class Steps:
    """The processor times of steps, and the slowest one.

    Attributes:
        seconds: Of each step.
        slowest: The seconds and the action of the slowest step.
        broken: How many steps broke the contract.
    """

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.slowest = (0.0, "")
        self.broken = 0

    def timed(self, step: Callable[[str], Any]) -> Callable[[str], Any]:
        """Return a step that is timed."""

        def timed_step(action: str) -> Any:
            begun = processor_time()
            try:
                return step(action)
            finally:
                took = processor_time() - begun
                self.seconds.append(took)
                self.slowest = max(self.slowest, (took, action))

        return timed_step

    def row(self, name: str, environments: int) -> str:
        """Return a row of the table."""
        nearly = float(np.quantile(self.seconds, 0.9999))
        took, text = self.slowest
        shown = json.dumps(text)[:40].replace("|", "\\|")
        return (
            f"| {name} | {environments} | {len(self.seconds):,} | {nearly * 1e3:.1f} | "
            f"{took * 1e3:.1f} | `{shown}`, {len(text):,} characters |"
        )


def processor_time() -> float:
    """Return the processor seconds of this process and those below it (Linux)."""
    # The clock of another process has the number that clock_getcpuclockid(3) returns.
    return process_time() + sum(clock_gettime(~pid << 3 | 2) for pid in below())


def below(pid: int | str = "self") -> Iterator[int]:
    """Yield the ids of the processes below a process."""
    for threads in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, threads.read_text().split()):
            yield child
            yield from below(child)


def cases(added: dict[str, Any]) -> dict[str, list[Case]]:
    """Return every id and its rules in the suite "full", by its benchmark.

    Args:
        added: Arguments that each is given besides.
    """
    rows = {row.id: row for row in TABLE}
    found: dict[str, list[Case]] = defaultdict(list)
    tasks = [(task.id, task.kwargs) for task in Suite.load("full").tasks]
    for env_id, given in [*((one, {}) for one in rows), *tasks]:
        kwargs = {name: given[name] for name in RULES if name in given} | added
        case = Case(env_id, kwargs, rows[env_id].expectations)
        if case not in found[rows[env_id].entry_point]:
            found[rows[env_id].entry_point].append(case)
    return found


def fuzz(case: Case, count: int, seed: int, steps: Steps) -> None:
    """Step an environment with many texts in the middle of episodes.

    Args:
        case: The environment.
        count: How many texts.
        seed: For other texts and states.
        steps: Where the times are added.
    """
    rng = np.random.default_rng(seed)
    for begun in range(0, count, A_STATE):
        # A step that never ends is shown, too.
        faulthandler.dump_traceback_later(MOST_FOR_A_STATE, exit=True)
        world = inner(case.make())
        into_episode(world, seed + begun, 2)
        say(world, hostile_texts(rng, samples(world, rng)), count - begun, steps)
        world.close()
    faulthandler.cancel_dump_traceback_later()


def samples(world: TextEnv, rng: np.random.Generator) -> list[str]:
    """Return actions of an environment."""
    return [sample(world, rng) for _ in range(20)] + sorted(world.help_actions)


def say(world: TextEnv, texts: Iterable[str], most: int, steps: Steps) -> None:
    """Step with each text, in the state that the environment is in."""
    state = world.get_state()
    world.step = steps.timed(world.step)  # type: ignore[assignment, method-assign]
    for text in islice(texts, min(most, A_STATE)):
        try:
            check_text(world, state, text)
        except ContractError as error:
            steps.broken += 1
            print(f"BROKEN: {error!s:.300}", flush=True)


def fuzz_all(of: Iterable[Case], count: int, seed: int) -> tuple[Steps, list[str]]:
    """Fuzz some environments that count as one.

    Args:
        of: The environments.
        count: How many texts each is given.
        seed: For other texts and states.

    Returns:
        The steps of all of them, and what was left out because it is not installed.
    """
    steps, left_out = Steps(), []
    missing = {row.id: row.missing() for row in TABLE}
    for case in of:
        if missing[case.id]:
            left_out.append(f"{case} needs {missing[case.id]}")
            continue
        try:
            fuzz(case, count, seed, steps)
        except FileNotFoundError as error:
            left_out.append(str(error))
    return steps, left_out


def main() -> int:
    """Fuzz every environment, and print how long steps took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", help="which ids; by default all")
    parser.add_argument(
        "--kwargs",
        type=json.loads,
        default={},
        help="more arguments for all of them, in JSON",
    )
    parser.add_argument("--texts", type=int, default=1_000_000, help="%(default)s")
    parser.add_argument("--seed", type=int, default=0, help="for other texts")
    arguments = parser.parse_args()
    chosen = [
        [case for case in of if not arguments.ids or case.id in arguments.ids]
        for of in cases(arguments.kwargs).values()
    ]
    chosen = [of for of in chosen if of]
    every: list[float] = []
    broken = 0
    print("| benchmark | environments | texts | p99.99 ms | slowest ms | its text |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for of in chosen:
        count = -(-arguments.texts // len(chosen) // len(of))
        steps, left_out = fuzz_all(of, count, arguments.seed)
        if left_out:
            print(f"left out: {len(left_out)}, such as: {left_out[0]:.60}")
        if steps.seconds:
            print(steps.row(of[0].id, len(of) - len(left_out)), flush=True)
        every += steps.seconds
        broken += steps.broken
    late = sum(one > MOST_OF_NEARLY_ALL for one in every)
    longest = max(every, default=0.0)
    met = longest <= MOST_SECONDS and late <= len(every) / 10_000
    met = met and not broken
    print(
        f"\n{len(every):,} texts, {broken} answered wrongly, {late} steps of more than "
        f"{MOST_OF_NEARLY_ALL:g} s, the slowest {longest:.2f} s: "
        f"{'met' if met else 'MISSED'}; {process_time():.0f} s of processor time"
    )
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
