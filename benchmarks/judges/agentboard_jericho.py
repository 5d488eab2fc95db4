"""AgentBoard's Jericho, played with the titles' walkthroughs and random commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness import Facts, Judge, Task, Walk
from stories import COMMANDS, name_of_nothing, published

from aq_gym.envs.jericho.games import known_titles


class Jericho(Judge):
    """Stories, with three of their own sentences as annotated subgoals.

    Jericho's text contains parts that a screen shows at another place; each such
    difference has a name. First observations are not compared, as AgentBoard's are
    written by hand, nor is the list of valid actions.
    """

    id = "aq/Jericho-v0"
    paper, child = "AgentBoard", "agentboard_child.py"
    progress = "agentboard_reward"
    steps = 100
    invalid = ("", ".", "#$%", '"look"', "'take all'", "caf\u00e9", "*what", "look!",
               "frobnicate", "@", "$500", "north; south", "1", "take the unicorn",
               "examine zqxqz", "ask nobody about nothing")  # fmt: skip
    check = ("check valid actions",)

    def tasks(self) -> Iterator[Task]:
        """Yield each title, with a subgoal that is never reached."""
        folder = self.options.papers / "stories"
        for title, notes in known_titles().items():
            path = folder / notes["file"]
            if not path.exists():
                continue
            patterns = {"patterns": ["no such text"]}
            kwargs = {"game": title, "games": str(folder), "protocol": "agentboard"}
            about = {"title": title, "file": str(path.resolve()), **patterns}
            yield Task({**kwargs, **patterns, "instructions": False}, about=about)

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin the story, and read its walkthrough."""
        interpreter = env.unwrapped._manager.session.interpreter
        path = Path(task.about["file"])
        memory = interpreter.dynamic_memory()
        self._nameless = name_of_nothing(path.read_bytes(), memory)
        self._upper = interpreter.upper_window
        self._known = iter(published(path)[0])
        return {"begin": "jericho", **task.about}

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Send what AgentBoard's loop reads in the text."""
        text = re.split("[,.\n]", info["extracted_action"].strip(), maxsplit=1)[0]
        return {"act": " ".join(text.split(" ")[:20])}

    def draw(self, walk: Walk) -> str:
        """Draw a command that many stories know, and none about the session.

        "help" and "info" open menus, at which jericho takes a line for several keys.
        """
        return walk.one_of(COMMANDS)

    def expert(self, walk: Walk) -> str:
        """Follow jericho's walkthrough in place of our expert."""
        return next(self._known, "look")

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the goal alone."""
        return {"goal": info["goal"]}

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Name the parts of Jericho's text that ours does not repeat."""
        if "it is about the session" in ours["text"]:
            return "session command"
        if fact != "text":
            return fact
        one, other = (" ".join(facts["text"].split()) for facts in (ours, paper))
        shown = "".join("".join(self._upper()).split())
        rest = "".join(other[len(one) :].split()).lstrip(">")
        if action == self.check[0]:
            return "valid actions"
        if one == other or other == f"{one} >":
            return ""
        if one.startswith(other):
            return "end cut by jericho"
        # In Jericho's text, the rows are in the order in which the story wrote their
        # parts.
        if other.startswith(one) and (rest in shown or sorted(rest) == sorted(shown)):
            return "upper window shown by jericho"
        if other.replace(" ".join(self._nameless.split()), "") == one:
            return "name of object 0"
        return fact
