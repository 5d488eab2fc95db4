r"""Is ScienceWorld's ``protocol="agentboard"`` AgentBoard's own code, step by step?

Plays tasks in both, with several mixes of actions, the same in both, and counts where
the goal, the first observation, an observation, the reward, the end or the validity
differ. ``--data`` names AgentBoard's data; without it the tasks are made here: a
variation of each task without electricity, with patterns from ScienceWorld's own
solution.

python -m venv ab
ab/bin/pip install scienceworld==1.2.3 jsonlines
python benchmarks/scienceworld_agentboard.py --agentboard CHECKOUT \
    --python ab/bin/python
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, Mix, compare, mixes, parser

from aq_gym.core import TextEnv
from aq_gym.envs.scienceworld.process import OPTIONS
from aq_gym.envs.scienceworld.tasks import TASKS, Instance

STEPS = 30
SIMPLIFICATIONS = "selfWateringFlowerPots,openContainers,openDoors,noElectricalAction"
INVALID = (
    "",
    "dance",
    "open",
    "go to the moon",
    "0",
    "focus on",
    "\N{SNOWMAN}",
    "look",
)
UNKNOWN = ("pick up dragon", "open moon", "move dragon to moon", "focus on dragon")
CHECK = ("check valid actions", " check valid actions ")


def made_tasks(number: int) -> list[dict[str, Any]]:
    """Return tasks of AgentBoard's form: patterns from ScienceWorld's solutions."""
    names = [name for name in TASKS if not Instance(name, 0, "").electrical]
    rows = []
    for position, name in enumerate(names[:number]):
        variation = (7 * position + 3) % TASKS[name]
        env = gym.make(
            "aq/ScienceWorld-v0",
            task=name,
            variation=variation,
            simplifications=SIMPLIFICATIONS,
        )
        _, info = env.reset(seed=0)
        seen = []
        for _ in range(STEPS):
            action = env.get_wrapper_attr("expert_action")()
            observation, _, ended, _, _ = env.step(action)
            seen.append(observation.split("\n")[0])
            if ended:
                break
        env.close()
        chosen = list(dict.fromkeys(seen))[:: max(1, len(seen) // 5)]
        patterns = [re.sub(r"\d+", r"\\d+", re.escape(one)) for one in chosen]
        rows.append(
            {
                "task": "scienceworld",
                "id": position,
                "goal": f"{info['goal']} (made here)",
                "subgoals": patterns,
                "difficulty": "hard" if len(patterns) > 3 else "easy",
                "additional_info": {"var": variation, "env_name": name},
            }
        )
    return rows


def walk(
    board: AgentBoard, data: str, number: int, label: dict[str, Any], mix: Mix
) -> Counter[str]:
    """Play one task in both, and count the differences."""
    env = gym.make(
        "aq/ScienceWorld-v0",
        protocol="agentboard",
        problem=number,
        data_dir=data,
        instructions=False,
        max_episode_steps=STEPS + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, TextEnv)
    rng = np.random.default_rng(number)
    observation, info = env.reset(seed=0)
    theirs = board.ask(
        experiment=label["task_name"],
        variation=label["var"],
        simplifications=SIMPLIFICATIONS,
    )
    counts = Counter(
        episodes=1,
        begin=observation != f"{label['modified_goal']}\n\n{theirs['observation']}",
        goal=info["goal"] != label["modified_goal"],
        label=info["difficulty"] != label["difficulty"],
    )
    for _ in range(STEPS):
        action = mix(rng, ours.admissible_actions(), ours.expert_action)
        result = env.step(action)
        theirs = board.ask(do=action)
        counts["validity"] += result[4]["action_valid"] != theirs["valid"]
        before = counts["observation"]
        ended = compare(counts, result, theirs)
        if counts["observation"] > before:
            print(repr(action), result[0], theirs["observation"], sep="\n---\n")
        if ended:
            break
    counts["successes"] += theirs["done"]
    env.close()
    return counts


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, help="AgentBoard's data")
    options.add_argument("--tasks", type=int, default=26, help="of those made here")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = arguments.data or Path(folder)
        file = data / "data" / "scienceworld" / "test.jsonl"
        if arguments.data is None:
            file.parent.mkdir(parents=True)
            rows = made_tasks(arguments.tasks)
            file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        # Without it ScienceWorld's objects have a random order.
        hashes = [one for one in OPTIONS if "hashCode" in one or "Unlock" in one]
        os.environ["JAVA_TOOL_OPTIONS"] = " ".join(hashes)
        with AgentBoard(arguments.python, arguments.agentboard) as board:
            labels = board.ask(labels=str(file))["labels"]
            for name, mix in mixes(arguments.mixes, INVALID, UNKNOWN, CHECK).items():
                total: Counter[str] = Counter()
                for number, label in enumerate(labels):
                    total += walk(board, str(data), number, label, mix)
                print(name, dict(total), flush=True)


if __name__ == "__main__":
    main()
