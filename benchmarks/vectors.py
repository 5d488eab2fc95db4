"""Measure vector environments beside a loop over the environments.

A step of n environments with random valid actions, in mode NEXT_STEP, bare and wrapped
in RepetitionRate. "loop" steps the environments one after another, resets those whose
episodes ended, and keeps the results in a list; "SyncVectorEnv" is Gymnasium's. All
have the same seeds and actions. Processor time of one step of one environment.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import SyncVectorEnv
from timing import Target, Times, rounds_argument, show

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.registration import TABLE
from aq_gym.vector import TextVectorEnv
from aq_gym.wrappers import RepetitionRate

IDS = tuple(row.id for row in TABLE if not row.family and not row.missing())
MOST_RATIO = 1.8


def make(env_id: str, wrapped: bool) -> gym.Env[Any, Any]:
    """Make an environment, with a wrapper or without one."""
    env = gym.make(env_id)
    return RepetitionRate(env) if wrapped else env


class Loop:
    """Steps environments one after another and keeps what they return."""

    def __init__(self, envs: list[gym.Env[Any, Any]]) -> None:
        self.envs = envs
        self.over = [False] * len(envs)
        for seed, env in enumerate(envs):
            env.reset(seed=seed)

    def step(self, actions: list[str]) -> list[Any]:
        """Step or reset each environment."""
        results: list[Any] = []
        for index, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            if self.over[index]:
                results.append(env.reset())
                self.over[index] = False
                continue
            result = env.step(action)
            results.append(result)
            self.over[index] = result[2] or result[3]
        return results

    def actions(self, rng: np.random.Generator) -> list[str]:
        """Draw the action of each environment."""
        return [
            "" if over else str(env.get_wrapper_attr("sample_action")(rng))
            for env, over in zip(self.envs, self.over, strict=True)
        ]


def measure(env_id: str, wrapped: bool, num_envs: int, rounds: int) -> Times:
    """Return the seconds of a step of one environment, for each candidate."""
    make_one = partial(make, env_id, wrapped)
    loop, helper = (Loop([make_one() for _ in range(num_envs)]) for _ in range(2))
    own = TextVectorEnv([make_one] * num_envs)
    if not wrapped:
        own = gym.make_vec(env_id, num_envs)  # type: ignore[assignment]
    sync: Any = SyncVectorEnv([make_one] * num_envs)
    for envs in (own, sync):
        envs.reset(seed=0)
    candidates: list[tuple[str, Callable[[list[str]], Any]]] = [
        ("loop", loop.step),
        ("TextVectorEnv", own.step),
        ("SyncVectorEnv", sync.step),
    ]
    times: Times = {name: [] for name, _ in candidates}
    rng = np.random.default_rng(0)
    gc.collect()
    # A full collection would take longer than a step, and fall on any candidate.
    gc.freeze()
    for number in range(rounds):
        actions = helper.actions(rng)
        # In turn: what ran before decides what is in the processor's cache.
        first = number % len(candidates)
        for name, step in candidates[first:] + candidates[:first]:
            start = time.process_time()
            step(actions)
            times[name].append((time.process_time() - start) / num_envs)
        helper.step(actions)
    gc.unfreeze()
    own.close()
    sync.close()
    return times


def main() -> None:
    """Print the tables."""
    parser = rounds_argument(__doc__, default=40)
    parser.add_argument("ids", nargs="*", default=IDS, help="ids (all installed)")
    parser.add_argument(
        "--num-envs", type=int, default=64, help="environments (%(default)s)"
    )
    options = parser.parse_args()
    for env_id in options.ids:
        for wrapped in (False, True):
            times = measure(env_id, wrapped, options.num_envs, options.rounds)
            title = f"{options.num_envs} x {env_id}"
            title += ", wrapped" * wrapped
            target = Target("TextVectorEnv", MOST_RATIO, "loop")
            show(title, times, "loop", targets=[target])


if __name__ == "__main__":
    main()
