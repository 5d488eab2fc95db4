"""Compare the native PDDL engine with pddlgym's.

Both engines follow the same plans, by turns. Timed are a step with its goal test and
the list of all valid actions before it, in pddlgym with its own objects, and a text
step through ``gym.make``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial

import gymnasium as gym
from envs.pddl.pddlgym_engine import PddlgymTask, import_pddlgym, scratch
from timing import interleave, seconds, seconds_per_step, show

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.pddl.expert import solve
from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.sources import GeneratedProblems

PROBLEMS = ("blocksworld:hard-0", "gripper:hard-0", "barman:hard-0")


def native(task: Task, plan: list[int]) -> float:
    """Follow a plan; return the seconds of a step."""

    def follow() -> None:
        state = task.init
        for action in plan:
            task.valid(state)
            state = task.step(state, action)
            task.solved(state)

    return seconds(follow) / len(plan)


def pddlgym(task: PddlgymTask, plan: list[int]) -> float:
    """Do the same with pddlgym's own objects, without translation."""
    env = task._env

    def follow() -> None:
        state, _ = env.reset()
        for action in plan:
            env.action_space.all_ground_literals(state)
            state = env.step(task._moves[action])[0]

    return seconds(follow) / len(plan)


def compare(rounds: int) -> None:
    """Print the tables of all problems."""
    import_pddlgym()
    for name in PROBLEMS:
        domain, _, problem = name.partition(":")
        instance = GeneratedProblems(domain, None, "all", problem).get(name)
        task = instance.task
        plan = solve(task) or []
        env = gym.make("aq/PDDL-v0", domain=domain, problem=problem)
        actions = [(task.actions[index].name,) for index in plan]
        with tempfile.TemporaryDirectory() as folder, scratch(folder):
            samples: dict[str, Callable[[], float]] = {
                "native": partial(native, task, plan),
                "pddlgym": partial(pddlgym, PddlgymTask(instance), plan),
                "a text step": partial(seconds_per_step, env, actions, seed=0),
            }
            show(f"{name}: a step", interleave(samples, rounds), "native")
