"""AgentBoard's BabyAI, PDDL and ALFWorld."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from harness import Facts, Judge, Task

from aq_gym.envs.pddl.sources import GeneratedProblems
from aq_gym.evaluation import Suite


class Board(Judge):
    """An environment of AgentBoard that lists its valid actions."""

    paper, child = "AgentBoard", "agentboard_child.py"
    progress = "agentboard_reward"
    check: ClassVar[tuple[str, ...]] = ("check", "check valid actions", "look around")
    kind: ClassVar[str]

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin the instance."""
        return {"begin": self.kind, **task.about}

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the goal, too."""
        return {"text": observation, "goal": info["goal"]}


class BabyAI(Board):
    """The 112 instances, without annotated subgoals."""

    id, kind = "aq/BabyAI-text-v0", "babyai"
    invalid = ("", "toggle", "drop", "go to the moon", "go to pink ball 1", "dance",
               "pickup red ball 9", "go to red ball", "\N{SNOWMAN}")  # fmt: skip
    check = ("check", "check valid actions")

    def tasks(self) -> Iterator[Task]:
        """Yield the suite's tasks."""
        for task in Suite.load("agentboard-babyai").tasks:
            level, seed = str(task.kwargs["level"]), task.seed or 0
            about = {"level": level, "seed": seed, "patterns": []}
            kwargs = {"level": level, "protocol": "agentboard", "instructions": False}
            yield Task(kwargs, seed, about=about)

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Name an action without steps, which leaves the validity as it was."""
        return "validity left over" if fact == "valid" and ours["valid"] else fact


class Pddl(Board):
    """The 60 problems."""

    id, kind = "aq/PDDL-v0", "pddl"
    invalid = ("", "pick", "move left", "Drop it", "stack b1 b1 b1 b1", "\N{SNOWMAN}",
               "pickup b99", "stack b1 b99", "grasp left shot99", "open boot99",
               "Pick up ball99 at rooma with arm left.")  # fmt: skip

    def tasks(self) -> Iterator[Task]:
        """Yield the problems of the four domains."""
        counts = {"barman": 20, "blockworld": 10, "gripper": 20, "tyreworld": 10}
        for domain, count in counts.items():
            for problem in range(count):
                kwargs = {
                    "domain": f"agentboard:{domain}",
                    "problem": problem,
                    "data_dir": self.checkout,
                    "protocol": "agentboard",
                    "instructions": False,
                }
                yield Task(kwargs, about={"domain": domain, "problem": problem})

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the first text without the goal, which is before it."""
        text = observation.removeprefix(f"{info['goal']}\n")
        return {"text": text, "goal": info["goal"]}

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Compare lists that are in the order of hashes as sets."""
        texts = (Counter(re.findall(r"[^ ,]+", one["text"])) for one in (ours, paper))
        return "" if fact == "text" and next(texts) == next(texts) else fact


class OwnPddl(Pddl):
    """Generated problems, in AgentBoard's environment."""

    def tasks(self) -> Iterator[Task]:
        """Yield problems of the four domains that AgentBoard has sentences for."""
        for problem in ("easy-0", "hard-0", "easy-1"):
            for domain in ("blocksworld", "gripper", "barman", "tyreworld"):
                kwargs = {
                    "domain": domain,
                    "problem": problem,
                    "protocol": "agentboard",
                    "instructions": False,
                }
                instance = GeneratedProblems(domain, None, "all", problem).get(
                    f"{domain}:{problem}"
                )
                files = [instance.domain_pddl, instance.problem_pddl]
                about = {"domain": domain, "problem": 0, "files": files}
                yield Task(kwargs, about=about)


class Alfworld(Board):
    """Official games; newer ones say "move X to Y" where AgentBoard's said "put"."""

    id, kind = "aq/ALFWorld-v0", "alfworld"
    invalid = ("", "dance", "put apple 1 in fridge 1", "look around", "go to",
               "go to moon 1", "take apple 99 from fridge 1",
               "open drawer 99", "\N{SNOWMAN}")  # fmt: skip
    check = ("check valid actions", "look", "inventory")

    def tasks(self) -> Iterator[Task]:
        """Yield the games of the folder."""
        for path in sorted(self.options.papers.glob("alfworld/**/game.tw-pddl")):
            game = str(path.resolve())
            about = {"game": game, "moves": "You move the" in path.read_text("utf-8")}
            kwargs = {"game": game, "protocol": "agentboard", "instructions": False}
            yield Task(kwargs, about=about)

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Give our patterns of the goal as annotated subgoals."""
        from aq_gym.envs.alfworld.protocol import patterns

        self._moves = task.about["moves"]
        found = list(patterns(env.unwrapped.household.goal))
        if self._moves:
            found = [one.replace("You put", "You move").replace("in/on", "to")
                     for one in found]  # fmt: skip
        return {**super().start(env, task, info), "patterns": found}

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Send what AgentBoard's loop reads in the text."""
        from aq_gym.envs.alfworld.protocol import agentboard_command

        text = agentboard_command(info["extracted_action"])
        if self._moves:
            text = re.sub(r"^put (.+) in/on (.+)$", r"move \1 to \2", text)
        return {"act": text}

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the room's text and the goal."""
        shown = observation.split("\n\n")[1].split("\n")[0]
        return {"text": shown, "goal": f"Your task is to: {info['goal']}"}

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Translate the newer wording, and compare lists as sets."""
        if fact != "text":
            return fact
        said = re.sub(r"^You move the (.+) to the (.+)\.$",
                      r"You put the \1 in/on the \2.", paper["text"])  # fmt: skip
        said = re.sub(r"\bmove ([^,]+?) to ", r"put \1 in/on ", said)
        both = [
            sorted(one.partition(": ")[2].split(", ")) for one in (ours["text"], said)
        ]
        listed = ours["text"].startswith("Choose an action") and both[0] == both[1]
        return "" if said == ours["text"] or listed else fact
