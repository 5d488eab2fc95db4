"""Compare the native PDDL engine with pddlgym's.

Both engines play the same problems in alternation: 10 blocks, 8 balls in gripper, and 6
shots in barman. Timed are a step with its goal test, a list of all valid actions, a
reset up to the first valid actions (pddlgym reads its files once before), and a text
step through ``gym.make``.
"""

from __future__ import annotations

import tempfile
from random import Random
from time import process_time

import gymnasium as gym
from envs.pddl.pddlgym_engine import PddlgymTask, import_pddlgym, scratch
from timing import Times, seconds, show

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.pddl.domains import ProblemDraft
from aq_gym.envs.pddl.expert import solve
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.library import load_domain, words_for
from aq_gym.envs.pddl.logic import Task, parse_problem

# The domain of each problem, the type whose objects are counted, and their number.
PROBLEMS = {
    "10 blocks": ("blocksworld", "block", 10),
    "8 balls": ("gripper", "ball", 8),
    "6 shots": ("barman", "shot", 6),
}
_TRIES = 10_000


def find(domain: str, kind: str, count: int) -> ProblemDraft:
    """Find a generated problem with some number of objects."""
    generate = load_domain(domain).generate
    for number in range(_TRIES):
        for difficulty in ("hard", "easy"):
            draft = generate(Random(number), difficulty)
            if len(draft.objects[kind]) == count:
                return draft
    raise LookupError(f"{domain} has no problem with {count} of {kind}")


def play(task: Task, plan: list[int]) -> tuple[list[float], list[float]]:
    """Follow a plan; return the times of steps with the goal test, and of listings."""
    steps, listings, state = [], [], task.init
    for action in plan:
        listings.append(seconds(task.valid, [(state,)]))
        began = process_time()
        state = task.step(state, action)
        task.solved(state)
        steps.append(process_time() - began)
    return steps, listings


def play_pddlgym(task: PddlgymTask, plan: list[int]) -> tuple[list[float], list[float]]:
    """Do the same with pddlgym's own objects, without translation."""
    env = task._env
    state, _ = env.reset()
    env.action_space.all_ground_literals(state)
    steps, listings = [], []
    for action in plan:
        listings.append(seconds(env.action_space.all_ground_literals, [(state,)]))
        began = process_time()
        state = env.step(task._moves[action])[0]
        steps.append(process_time() - began)
    return steps, listings


def reset_pddlgym(task: PddlgymTask) -> None:
    """Reset pddlgym without its caches of the problem."""
    space = task._env.action_space
    space._objects = None
    state, _ = task._env.reset()
    space.all_ground_literals(state)


def text_steps(draft: ProblemDraft, domain: str, actions: list[str]) -> list[float]:
    """Return the seconds of steps through ``gym.make``."""
    env = gym.make(
        "aq/PDDL-v0",
        domain_file=load_domain(domain).pddl,
        problem_file=draft.pddl(domain, "p"),
    )
    times = []
    for _ in range(20):
        env.reset(seed=0)
        times += [seconds(env.step, [(action,)]) for action in actions]
    return times


def measure(problem: str, rounds: int) -> None:
    """Print one problem's tables."""
    domain, kind, count = PROBLEMS[problem]
    draft, loaded = find(domain, kind, count), load_domain(domain)
    pddl = draft.pddl(domain, "p")

    def ground() -> Task:
        return Task(loaded.domain, parse_problem(pddl, loaded.domain))

    task = ground()
    words = words_for(loaded.domain)
    theirs = PddlgymTask(Instance("p", task, words, "", loaded.pddl, pddl))
    plan = solve(task) or []
    step: Times = {"native": [], "pddlgym": []}
    valid: Times = {"native": [], "pddlgym": []}
    reset: Times = {"native": [], "pddlgym": []}
    for _ in range(rounds):
        for name, (steps, listings) in (
            ("native", play(task, plan)),
            ("pddlgym", play_pddlgym(theirs, plan)),
        ):
            step[name] += steps
            valid[name] += listings
        reset["native"].append(seconds(lambda: (one := ground()).valid(one.init)))
        reset["pddlgym"].append(seconds(lambda: reset_pddlgym(theirs)))
    show(f"PDDL, {problem}: a step with its goal test", step, "native")
    show(f"PDDL, {problem}: all valid actions", valid, "native")
    show(f"PDDL, {problem}: a reset up to the valid actions", reset, "native", "ms")
    texts = text_steps(draft, domain, [task.actions[i].name for i in plan])
    show(f"PDDL, {problem}: a text step", {"native": texts}, "native")


def compare(rounds: int) -> None:
    """Print the tables of all problems."""
    import_pddlgym()
    for problem in PROBLEMS:
        with tempfile.TemporaryDirectory() as folder, scratch(folder):
            measure(problem, rounds)
