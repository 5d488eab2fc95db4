"""Measure large PDDL problems: grounding, steps and the expert.

Random towers of blocks, and balls that all have to go to the other room. Printed are
processor times: of making and resetting the environment, the median and 95th
percentile of listing the valid actions and of a step, and of the expert's plan with its
length. The targets for 100 blocks and 200 balls are plans within 10 s. Run::

    python benchmarks/pddl_large.py [DOMAIN:COUNT ...]
"""

from __future__ import annotations

import sys
from random import Random
from statistics import median
from time import process_time

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.domains.problem_draft import ProblemDraft, numbered
from aq_gym.envs.pddl.library import load_domain

PROBLEMS = ("blocksworld:20", "blocksworld:50", "blocksworld:100", "gripper:64")
STEPS = 200


def blocks(count: int, rng: Random) -> ProblemDraft:
    """Return a problem of random towers."""
    names = numbered("b", count)

    def towers() -> tuple[list[str], list[str]]:
        facts, tops = [], list[str]()
        for name in rng.sample(names, count):
            place = rng.randrange(len(tops) + 1)
            if place == len(tops):
                facts.append(f"on-table {name}")
                tops.append(name)
            else:
                facts.append(f"on {name} {tops[place]}")
                tops[place] = name
        return facts, tops

    (before, tops), (after, _) = towers(), towers()
    init = ["arm-empty", *before, *(f"clear {name}" for name in tops)]
    goal = [fact for fact in after if fact.startswith("on ")]
    return ProblemDraft({"block": names}, init, goal)


def gripper(count: int) -> ProblemDraft:
    """Return a problem of two rooms, with all balls in the wrong one."""
    balls = numbered("ball", count)
    init = ["at-robby rooma", "free left", "free right"]
    init += [f"at {ball} rooma" for ball in balls]
    objects = {"room": ["rooma", "roomb"], "ball": balls, "gripper": ["left", "right"]}
    return ProblemDraft(objects, init, [f"at {ball} roomb" for ball in balls])


def measure(problem: str) -> None:
    """Print one problem's row."""
    domain, _, count = problem.partition(":")
    draft = blocks(int(count), Random(0)) if domain == "blocksworld" else None
    draft = draft or gripper(int(count))
    texts = load_domain(domain).pddl, draft.pddl(domain, "p")
    began = process_time()
    env = PDDLEnv(domain_file=texts[0], problem_file=texts[1])
    made = process_time()
    env.reset(seed=0)
    reset = process_time()
    listings, steps, rng = [], [], Random(0)
    for _ in range(STEPS):
        start = process_time()
        actions = env.admissible_actions()
        listed = process_time()
        env.step(rng.choice(actions))
        listings.append(1e6 * (listed - start))
        steps.append(1e6 * (process_time() - listed))
    env.reset(seed=0)
    start = process_time()
    env.expert_action()
    seconds = process_time() - start
    length = len(env.get_state().world.plan)
    print(
        f"| {problem} | {1e3 * (made - began):.0f} | {1e3 * (reset - made):.0f} "
        f"| {_pair(listings)} | {_pair(steps)} | {length} | {seconds:.2f} |",
        flush=True,
    )


def _pair(times: list[float]) -> str:
    times = sorted(times)
    return f"{median(times):.0f} ({times[int(0.95 * len(times))]:.0f})"


def main() -> None:
    """Measure the given problems, and print a row for each."""
    print("| problem | make ms | reset ms | list us (p95) | step us (p95) | plan | s |")
    print("|---|---|---|---|---|---|---|")
    for problem in sys.argv[1:] or (*PROBLEMS, "gripper:200"):
        measure(problem)


if __name__ == "__main__":
    main()
