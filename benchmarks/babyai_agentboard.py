"""Is ``protocol="agentboard"`` the same as AgentBoard's own code, step by step?

See ``agentboard.py`` for what it needs. Plays AgentBoard's 112 instances with several
mixes of actions, the same in both, and counts where the goal, the observation, the
reward, the end, the list of actions or the validity differ. An action of no steps keeps
the validity of the action before it in AgentBoard's code, which is counted as left
over. ``--patterns`` names AgentBoard's ``babyai/test.jsonl``, whose annotated subgoals
then make the reward.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, compare, parser

from aq_gym.core import TextEnv
from aq_gym.envs.babyai.agentboard_space import NO_CHANGE
from aq_gym.evaluation import Suite

STEPS = 30
INVALID = ("", "toggle", "drop", "pick up", "go to the moon", "dance", "\N{SNOWMAN}")
UNKNOWN = (
    "go to pink ball 1",
    "pickup red ball 9",
    "go to red ball",
    "go to red ball 0",
)
SPELLING = (str.upper, str.title, "  {}\t".format, "{}.".format, "the {}".format)

# Draws an action from the actions that are offered and the expert's.
Mix = Callable[[np.random.Generator, Sequence[str], str], str]


def one_of(rng: np.random.Generator, choices: Sequence[str]) -> str:
    """Draw a text."""
    return choices[int(rng.integers(len(choices)))]


def mixed(share: float, other: Mix, usual: Mix) -> Mix:
    """Return a mix that takes another's action with this probability."""
    return lambda rng, *known: (other if rng.random() < share else usual)(rng, *known)


def random(rng: np.random.Generator, actions: Sequence[str], best: str) -> str:
    """Draw an action that is offered."""
    return one_of(rng, actions)


def expert(rng: np.random.Generator, actions: Sequence[str], best: str) -> str:
    """Return the expert's action."""
    return best


def spelt(rng: np.random.Generator, actions: Sequence[str], best: str) -> str:
    """Draw an action that is offered, and write it in another way."""
    return SPELLING[int(rng.integers(len(SPELLING)))](one_of(rng, actions))


MIXES: dict[str, Mix] = {
    "random": random,
    "expert": expert,
    "noisy expert": mixed(0.3, random, expert),
    "invalid": mixed(0.4, lambda rng, *_: one_of(rng, INVALID), random),
    "check": mixed(
        0.3, lambda rng, *_: one_of(rng, ("check", "check valid actions")), random
    ),
    "unknown objects": mixed(0.4, lambda rng, *_: one_of(rng, UNKNOWN), random),
    "odd spelling": mixed(0.5, spelt, random),
}


def instances(patterns: Path | None) -> Iterator[tuple[str, int, list[Any]]]:
    """Yield level, seed and annotated patterns of AgentBoard's 112 instances."""
    annotated: list[list[Any]] = [[]] * 112
    if patterns is not None:
        records = map(json.loads, patterns.read_text("utf-8").splitlines())
        annotated = [_patterns(record) for record in records]
    tasks = Suite.load("agentboard-babyai").tasks
    for task, found in zip(tasks, annotated, strict=True):
        assert task.seed is not None
        yield str(task.kwargs["level"]), task.seed, found


def _patterns(record: dict[str, Any]) -> list[Any]:
    if "subgoals" in record and "subgoals_1" not in record:
        return list(record["subgoals"])
    return [value for key, value in record.items() if "subgoals" in key]


def walk(
    board: AgentBoard, level: str, seed: int, found: list[Any], mix: Mix
) -> Counter[str]:
    """Play one instance in both, and count the differences."""
    env = gym.make(
        "aq/BabyAI-text-v0",
        level=level,
        protocol="agentboard",
        patterns=found,
        instructions=False,
        max_episode_steps=STEPS + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, TextEnv)
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    theirs = board.ask(level=level, seed=seed, patterns=found)
    counts = Counter(episodes=1, begin=observation != theirs["observation"])
    counts["goal"] += info["goal"] != theirs["goal"]
    for _ in range(STEPS):
        actions = (*ours.admissible_actions(), "check available actions")
        counts["actions"] += list(actions) != theirs["actions"]
        action = mix(rng, actions, ours.expert_action())
        result = env.step(action)
        theirs = board.ask(action=action)
        if result[4]["action_valid"] != theirs["valid"]:
            kept = result[0] == NO_CHANGE and result[4]["action_valid"]
            counts["left over" if kept else "validity"] += 1
        if compare(counts, result, theirs):
            break
    counts["successes"] += theirs["done"]
    counts["our successes"] += ours.success()
    env.close()
    return counts


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--patterns", type=Path, help="AgentBoard's babyai/test.jsonl")
    options.add_argument("--instances", type=int, default=112, help="how many to play")
    arguments = options.parse_args()
    with AgentBoard(arguments.python, arguments.agentboard) as board:
        for name, mix in MIXES.items():
            total: Counter[str] = Counter()
            for number, one in enumerate(instances(arguments.patterns)):
                if number < arguments.instances:
                    total += walk(board, *one, mix)
            print(name, dict(total), flush=True)


if __name__ == "__main__":
    main()
