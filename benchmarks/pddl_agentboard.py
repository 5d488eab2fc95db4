"""Is PDDL's ``protocol="agentboard"`` the same as AgentBoard's own code, step by step?

See ``agentboard.py`` for what it needs. Plays AgentBoard's 60 problems with several
mixes of actions, the same in both, and counts the steps at which the observation, the
reward, the end, the validity or the set of valid actions differ. Lists that AgentBoard
gives in the order of hashes are compared as sets.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections import Counter

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, Mix, compare, mixes, parser

from aq_gym.core import TextEnv

PROBLEMS = {"barman": 20, "blockworld": 10, "gripper": 20, "tyreworld": 10}
INVALID = ("", "pick", "move left", "Drop it", "stack b1 b1 b1 b1", "\N{SNOWMAN}")
UNKNOWN = (
    "pickup b99", "stack b1 b99", "grasp left shot99", "open boot99",
    "move from rooma to room99", "Pick up ball99 at rooma with arm left.",
)  # fmt: skip
CHECK = ("check", "check valid actions", "look around")


def walk(
    board: AgentBoard, options: Namespace, domain: str, problem: int, mix: Mix
) -> Counter[str]:
    """Play one problem in both, and count the differences."""
    env = gym.make(
        "aq/PDDL-v0",
        domain=f"agentboard:{domain}",
        problem=problem,
        data_dir=str(options.agentboard),
        protocol="agentboard",
        instructions=False,
        max_episode_steps=options.steps + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, TextEnv)
    rng = np.random.default_rng([options.seed, problem])
    observation, info = env.reset(seed=0)
    theirs = board.ask(domain=domain, problem=problem)
    counts = Counter(
        episodes=1,
        begin=observation != f"{theirs['goal']}\n{theirs['observation']}",
        goal=info["goal"] != theirs["goal"],
    )
    for _ in range(options.steps):
        listed = ours.help().removeprefix("Valid actions are: ")
        offered = _in_order(theirs["actions"])
        counts["actions"] += listed.split(", ") != offered
        action = mix(rng, offered, ours.expert_action)
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
    with AgentBoard(arguments.python, arguments.agentboard) as board:
        for name, mix in mixes(arguments.mixes, INVALID, UNKNOWN, CHECK).items():
            total: Counter[str] = Counter()
            for domain, count in PROBLEMS.items():
                for problem in range(count):
                    total += walk(board, arguments, domain, problem, mix)
            print(name, dict(total), flush=True)


if __name__ == "__main__":
    main()
