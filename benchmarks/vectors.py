"""Measure vector environments beside a loop over the environments.

A step of n environments, random actions that are valid, with resets in each mode.
"loop" is what a user writes without vectors: the environments of ``gymnasium.make`` are
stepped one after another, or reset where the mode says so, with the same seeds and
actions, and the tuples that they return are kept in a list until the end of the step;
nothing is merged or put into arrays. "TextVectorEnv" is the default of
``gymnasium.make_vec``, "SyncVectorEnv" Gymnasium's. Processor time of one step of one
environment. The actions are found in environments that are not measured.

The candidates run one after another, one step each, in all six orders in turn: what ran
before a candidate decides what it finds in the processor's cache. In six rounds each
runs twice as the first, second and third, follows each of the others equally often, and
never itself. A model that chooses the actions would also leave little in the cache.

``--workers`` measures TextVectorEnv with 0 to that many worker processes instead, with
steps that last longer and longer by computing: in wall clock time, which says little on
a busy machine, and "undisturbed": the processor time of this process and of the busiest
worker, which is what a step takes at most on an idle machine with enough processors.
"""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from timing import Target, Times, rounds_argument, show

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.registration import TABLE
from aq_gym.vector import TextVectorEnv

IDS = tuple(row.id for row in TABLE if not row.family and not row.missing())
MOST_RATIO = 1.2
_MICROSECONDS = (0, 20, 50, 100, 500)
# All orders of three candidates, arranged so that the last of one is not the first of
# the next, and each pair meets there once.
_ORDERS = ((0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 0, 2), (1, 2, 0), (2, 0, 1))


class Loop:
    """Steps environments one after another and keeps what they return.

    Args:
        env_id: The id.
        num_envs: The number of environments.
        mode: When an environment is reset after the end of its episode.
    """

    def __init__(self, env_id: str, num_envs: int, mode: AutoresetMode) -> None:
        self._envs = [gym.make(env_id) for _ in range(num_envs)]
        self._later = mode is AutoresetMode.NEXT_STEP
        self._over = [False] * num_envs
        for seed, env in enumerate(self._envs):
            env.reset(seed=seed)

    def step(self, actions: list[str]) -> list[Any]:
        """Step or reset each environment."""
        results: list[Any] = []
        for index, (env, action) in enumerate(zip(self._envs, actions, strict=True)):
            if self._over[index]:
                results.append(env.reset())
                self._over[index] = False
                continue
            result = env.step(action)
            results.append(result)
            if result[2] or result[3]:
                if self._later:
                    self._over[index] = True
                else:
                    results.append(env.reset())
        return results


def stepper(envs: Any, mode: AutoresetMode) -> Callable[[list[str]], Any]:
    """Reset a vector and return a function that steps it, and resets where it must."""
    envs.reset(seed=0)
    if mode is not AutoresetMode.DISABLED:
        return envs.step  # type: ignore[no-any-return]

    def step(actions: list[str]) -> Any:
        result = envs.step(actions)
        over = result[2] | result[3]
        return envs.reset(options={"reset_mask": over}) if over.any() else result

    return step


def actions_of(
    env_id: str, num_envs: int, mode: AutoresetMode, steps: int
) -> Iterator[list[str]]:
    """Yield the actions of each step, from environments that play along."""
    same = mode if mode is AutoresetMode.NEXT_STEP else AutoresetMode.SAME_STEP
    envs = gym.make_vec(env_id, num_envs, autoreset_mode=same)
    assert isinstance(envs, TextVectorEnv)
    envs.reset(seed=0)
    rng = np.random.default_rng(0)
    over = np.zeros(num_envs, dtype=np.bool_)
    for _ in range(steps):
        ended = over if same is mode is AutoresetMode.NEXT_STEP else over & False
        actions = [
            "" if is_over else str(env.get_wrapper_attr("sample_action")(rng))
            for env, is_over in zip(envs.envs, ended, strict=True)
        ]
        yield actions
        result = envs.step(actions)
        over = result[2] | result[3]


def measure(env_id: str, num_envs: int, mode: AutoresetMode, steps: int) -> Times:
    """Return the seconds of a step of one environment, for each candidate."""
    sync = gym.make_vec(
        env_id,
        num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
    )
    ours = gym.make_vec(env_id, num_envs, autoreset_mode=mode)
    candidates: dict[str, Callable[[list[str]], Any]] = {
        "loop": Loop(env_id, num_envs, mode).step,
        "TextVectorEnv": stepper(ours, mode),
        "SyncVectorEnv": stepper(sync, mode),
    }
    times: Times = {name: [] for name in candidates}
    runs = list(candidates.items())
    orders = cycle(_ORDERS)
    gc.collect()
    # A full collection would take longer than a step, and fall on any candidate.
    gc.freeze()
    for actions in actions_of(env_id, num_envs, mode, steps):
        for number in next(orders):
            name, step = runs[number]
            start = time.process_time()
            step(actions)
            times[name].append((time.process_time() - start) / num_envs)
    gc.unfreeze()
    ours.close()
    sync.close()
    return times


class Busy(gym.Wrapper[str, str, str, str]):
    """Computes for a while in each step.

    Args:
        env: The environment.
        seconds: How long.
    """

    def __init__(self, env: gym.Env[str, str], seconds: float) -> None:
        super().__init__(env)
        self._seconds = seconds

    def step(self, action: str) -> Any:
        """Step the environment, and compute in processor time."""
        result = self.env.step(action)
        end = time.thread_time() + self._seconds
        while time.thread_time() < end:
            pass
        return result


def make_busy(env_id: str, seconds: float) -> gym.Env[str, str]:
    """Make an environment whose steps take longer."""
    return Busy(gym.make(env_id), seconds)


def measure_workers(env_id: str, num_envs: int, workers: int, rounds: int) -> None:
    """Print the time of a step of one environment with workers."""
    for more in _MICROSECONDS:
        make = partial(make_busy, env_id, more / 1e6)
        clock: Times = {}
        undisturbed: Times = {}
        for count in range(workers + 1):
            envs = TextVectorEnv([make] * num_envs, num_workers=count)
            pids = [child.pid for child in multiprocessing.active_children()]
            envs.reset(seed=0)
            name = f"{count} workers"
            clock[name], undisturbed[name] = [], []
            for actions in actions_of(
                env_id, num_envs, AutoresetMode.NEXT_STEP, rounds
            ):
                before = time.process_time(), list(map(computed, pids))
                start = time.perf_counter()
                envs.step(actions)
                clock[name].append((time.perf_counter() - start) / num_envs)
                busiest = max(
                    (computed(pid) - earlier)
                    for pid, earlier in zip([0, *pids], [0.0, *before[1]], strict=True)
                )
                own = time.process_time() - before[0]
                undisturbed[name].append((own + busiest) / num_envs)
            envs.close()
        show(f"{env_id} and {more} us, on the clock", clock, "0 workers")
        show(f"{env_id} and {more} us, undisturbed", undisturbed, "0 workers")


def computed(pid: int | None) -> float:
    """Return the seconds that a process has computed, as Linux reports it."""
    if not pid:
        return 0.0
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def main() -> None:
    """Print the tables."""
    parser = rounds_argument(__doc__, default=60)
    parser.add_argument("ids", nargs="*", default=IDS, help="ids (all installed)")
    parser.add_argument(
        "--num-envs", type=int, default=64, help="environments (%(default)s)"
    )
    parser.add_argument(
        "--workers", type=int, default=0, help="measure up to this many workers"
    )
    options = parser.parse_args()
    for env_id in options.ids:
        if options.workers:
            counts = options.num_envs, options.workers, options.rounds
            measure_workers(env_id, *counts)
            continue
        for mode in AutoresetMode:
            times = measure(env_id, options.num_envs, mode, options.rounds)
            title = f"A step of one of {options.num_envs}, {env_id}, {mode.value}"
            target = Target("TextVectorEnv", MOST_RATIO, "loop")
            show(title, times, "loop", targets=[target])


if __name__ == "__main__":
    main()
