"""AgentBoard's ScienceWorld, on tasks that are made here."""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym
from harness import Facts, Judge, Task

from aq_gym.envs.scienceworld.process import OPTIONS
from aq_gym.envs.scienceworld.tasks import TASKS, Instance


class Scienceworld(Judge):
    """A variation of each task without electricity, with patterns of its solution."""

    id = "aq/ScienceWorld-v0"
    paper, child = "AgentBoard", "agentboard_child.py"
    progress = "agentboard_reward"
    invalid = ("", "dance", "open", "go to the moon", "0", "focus on", "look",
               "pick up dragon", "open moon", "focus on dragon",
               "\N{SNOWMAN}")  # fmt: skip
    check = ("check valid actions", " check valid actions ")
    simplifications = (
        "selfWateringFlowerPots,openContainers,openDoors,noElectricalAction"
    )

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        # Without these options ScienceWorld's objects have a random order.
        hashes = [one for one in OPTIONS if "hashCode" in one or "Unlock" in one]
        os.environ["JAVA_TOOL_OPTIONS"] = " ".join(hashes)
        self._folder = tempfile.mkdtemp()

    def tasks(self) -> Iterator[Task]:
        """Write tasks of AgentBoard's form, and yield them."""
        names = [name for name in TASKS if not Instance(name, 0, "").electrical]
        rows: list[dict[str, Any]] = []
        for position, name in enumerate(names[: self.options.tasks]):
            made: dict[str, Any] = {
                "task": name,
                "variation": (7 * position + 3) % TASKS[name],
            }
            env = gym.make(self.id, simplifications=self.simplifications, **made)
            _, info = env.reset(seed=0)
            seen: dict[str, None] = {}
            over = False
            while not over and len(seen) < self.steps:
                action = env.get_wrapper_attr("expert_action")()
                if action is None:
                    break
                said, _, over, _, _ = env.step(action)
                seen[said.split("\n")[0]] = None
            env.close()
            chosen = list(seen)[:: max(1, len(seen) // 5)]
            rows.append({
                "task": "scienceworld", "id": position,
                "goal": f"{info['goal']} (made here)",
                "subgoals": [re.sub(r"\d+", r"\\d+", re.escape(one)) for one in chosen],
                "difficulty": "hard",
                "additional_info": {"var": made["variation"], "env_name": name},
            })  # fmt: skip
        file = Path(self._folder, "data", "scienceworld", "test.jsonl")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        same = {"data_dir": self._folder, "protocol": "agentboard",
                "instructions": False}  # fmt: skip
        for number, row in enumerate(rows):
            more = row["additional_info"]
            about = {
                "task": more["env_name"],
                "variation": more["var"],
                "simplifications": self.simplifications,
                "file": str(file),
            }
            yield Task({**same, "problem": number}, about=about)

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin the experiment."""
        return {"begin": "scienceworld", **task.about}

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the first text without the goal, which is before it."""
        return {"text": observation.removeprefix(f"{info['goal']}\n\n")}
