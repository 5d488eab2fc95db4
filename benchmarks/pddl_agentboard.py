"""Is PDDL's ``protocol="agentboard"`` the same as AgentBoard's own code, step by step?

See ``agentboard.py`` for what it needs. Plays AgentBoard's 60 problems with the expert
and with random walks, the same actions in both, and counts the steps at which the
observation, the reward, the end, the validity or the set of valid actions differ. Lists
that AgentBoard gives in the order of hashes are compared as sets.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, compare, draw, parser

from aq_gym.core import TextEnv

PROBLEMS = {"barman": 20, "blockworld": 10, "gripper": 20, "tyreworld": 10}
ODD = ("look around", "check", "pick", "move left", "Drop it", "", "stack b1 b1 b1 b1")


def walk(
    board: AgentBoard, data: Path, domain: str, problem: int, steps: int, expert: bool
) -> Counter[str]:
    """Play one problem in both, and count the differences."""
    env = gym.make(
        "aq/PDDL-v0",
        domain=f"agentboard:{domain}",
        problem=problem,
        data_dir=str(data),
        protocol="agentboard",
        instructions=False,
        max_episode_steps=steps + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, TextEnv)
    rng = np.random.default_rng(problem)
    observation, info = env.reset(seed=0)
    theirs = board.ask(domain=domain, problem=problem)
    counts = Counter(
        episodes=1,
        begin=observation != f"{theirs['goal']}\n{theirs['observation']}",
        goal=info["goal"] != theirs["goal"],
    )
    for _ in range(steps):
        listed = ours.help().removeprefix("Valid actions are: ")
        counts["actions"] += listed.split(", ") != _in_order(theirs["actions"])
        action = (
            ours.expert_action()
            if expert
            else draw(rng, _in_order(theirs["actions"]), ODD)
        )
        result = env.step(action)
        theirs = board.ask(action=action)
        counts["validity"] += result[4]["action_valid"] != theirs["valid"]
        if compare(counts, result, theirs, _same):
            break
    counts["successes"] += theirs["done"]
    env.close()
    return counts


def _in_order(actions: list[str]) -> list[str]:
    last = [one for one in actions if one in ("check valid actions", "look around")]
    return [*sorted(one for one in actions if one not in last), *last]


def _same(ours: str, theirs: str) -> bool:
    """Compare texts, and lists in any order."""
    if ours == theirs:
        return True
    return Counter(re.findall(r"[^ ,]+", ours)) == Counter(
        re.findall(r"[^ ,]+", theirs)
    )


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=30, help="at most, per episode")
    arguments = options.parse_args()
    data, steps = arguments.agentboard, arguments.steps
    with AgentBoard(arguments.python, data) as board:
        for expert in (True, False):
            for domain, count in PROBLEMS.items():
                total: Counter[str] = Counter()
                for problem in range(count):
                    total += walk(board, data, domain, problem, steps, expert)
                print("expert" if expert else "random", domain, dict(total), flush=True)


if __name__ == "__main__":
    main()
