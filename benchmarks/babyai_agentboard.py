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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, Mix, compare, mixes, parser

from aq_gym.core import TextEnv
from aq_gym.envs.babyai.agentboard import NO_CHANGE
from aq_gym.evaluation import Suite

STEPS = 30
INVALID = ("", "toggle", "drop", "pick up", "go to the moon", "dance", "\N{SNOWMAN}")
UNKNOWN = (
    "go to pink ball 1",
    "pickup red ball 9",
    "go to red ball",
    "go to red ball 0",
)
CHECK = ("check", "check valid actions")


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
    board: AgentBoard, level: str, seed: int, found: list[Any], mix: Mix, drawn: int
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
    rng = np.random.default_rng([seed, drawn])
    observation, info = env.reset(seed=seed)
    theirs = board.ask(level=level, seed=seed, patterns=found)
    counts = Counter(episodes=1, begin=observation != theirs["observation"])
    counts["goal"] += info["goal"] != theirs["goal"]
    for _ in range(STEPS):
        actions = (*ours.admissible_actions(), "check available actions")
        counts["actions"] += list(actions) != theirs["actions"]
        action = mix(rng, actions, ours.expert_action)
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
        for name, mix in mixes(arguments.mixes, INVALID, UNKNOWN, CHECK).items():
            total: Counter[str] = Counter()
            for number, one in enumerate(instances(arguments.patterns)):
                if number < arguments.instances:
                    total += walk(board, *one, mix, arguments.seed)
            print(name, dict(total), flush=True)


if __name__ == "__main__":
    main()
