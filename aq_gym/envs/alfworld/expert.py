"""The reference policy, which knows everything, and a fair one, which reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aq_gym.envs.alfworld import text
from aq_gym.envs.alfworld.generator.facts import facts
from aq_gym.envs.alfworld.logic.goal import LOOK, PROCESSES, TWO, Goal
from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.logic.plan import plan

__all__ = ["Searcher", "next_command"]

_THING = re.compile(r"\b([a-z]+ \d+)\b")
_SEEN = re.compile(r"(?:On|In) (?:the ([a-z]+ \d+)|it), you see (.+)\.")
_TASK = re.compile(r"Your task is to: (.+?)\.?\s*\Z")
_PROCESSORS = {"clean": "sinkbasin", "heat": "microwave", "cool": "fridge"}
# Where much is lying about in the open, one look shows most.
_PROMISING = ("countertop", "diningtable", "desk", "dresser", "bed", "sidetable")


def next_command(house: House, words: text.Words, state: State) -> str | None:
    """Return the first command of a shortest plan, None where there is none.

    Privileged: it looks behind every door.
    """
    steps = plan(house, state)
    return text.command(house, words, steps[0]) if steps else None


def read_task(observation: str) -> Goal:
    """Read the task from the first observation.

    Raises:
        ValueError: If it is none of the official sentences.
    """
    found = _TASK.search(observation)
    sentence = found[1] if found else observation
    for task_type, templates in facts()["sentences"].items():
        for template in templates:
            pattern = re.escape(template)
            for part in ("obj", "recep", "toggle"):
                pattern = pattern.replace(rf"\{{{part}\}}", rf"(?P<{part}>\w+)")
            match = re.fullmatch(pattern, sentence)
            if match:
                words = {"recep": "", "toggle": "", **match.groupdict()}
                return Goal(task_type, words["obj"], words["recep"], words["toggle"])
    raise ValueError(f"not a task that is known: {sentence!r}")


class Searcher:
    """A fair policy: it reads what an agent reads, and looks in likely places first.

    What is likely it takes from the table of facts (what fits where). Places are
    searched in that order until what is wanted has been seen.

    Args:
        observation: The first observation of an episode.
    """

    def __init__(self, observation: str) -> None:
        self.goal = read_task(observation)
        room = observation.partition("around you, you see ")[2].partition("\n")[0]
        self._places: list[str] = _THING.findall(room)
        self._seen: dict[str, set[str]] = {}
        self._closed: set[str] = set()
        self._here = ""
        self._held = ""
        self._ready: set[str] = set()
        self._lit = False
        self._end = ""
        self._placed: set[str] = set()
        self._last = ""

    def act(self, observation: str) -> str:
        """Read the answer to the last command and choose the next.

        Args:
            observation: What the environment said last.
        """
        self._read(observation)
        self._last = self._choose()
        return self._last

    def _read(self, observation: str) -> None:
        verb, _, rest = self._last.partition(" ")
        if observation == text.NOTHING_HAPPENS:
            if verb == "go":
                # Two places can share one location: it is there already.
                self._here = rest.removeprefix("to ")
            return
        things = _THING.findall(rest)
        if verb == "go":
            self._here = things[0]
        elif verb == "take":
            self._held = things[0]
            self._seen[self._here].discard(self._held)
        elif verb in ("move", "put"):
            self._placed.add(things[0])
            self._end, self._held = things[1], ""
        elif verb in PROCESSES.values():
            self._ready.add(things[0])
        elif verb == "use":
            self._lit = True
        if "is closed." in observation:
            self._closed.add(self._here)
        seen = _SEEN.search(observation)
        if seen and self._here:
            self._closed.discard(self._here)
            self._seen[self._here] = set(_THING.findall(seen[2]))

    def _choose(self) -> str:
        if _kind(self._held) != self.goal.target:
            return self._fetch()
        if self.goal.task_type == LOOK:
            return self._examine_in_light()
        process = self.goal.process
        if process and self._held not in self._ready:
            place = self._first(_PROCESSORS[process])
            if place != self._here:
                return f"go to {place}"
            return f"{process} {self._held} with {place}"
        end = self._end or self._first(self.goal.receptacle)
        return self._approach(end) or f"move {self._held} to {end}"

    def _fetch(self) -> str:
        for place, things in self._seen.items():
            for thing in sorted(things):
                if _kind(thing) == self.goal.target and not self._belongs(thing, place):
                    return self._approach(place) or f"take {thing} from {place}"
        return self._search(self.goal.target)

    def _belongs(self, thing: str, place: str) -> bool:
        """Tell whether a target is where it is to be; of two, the first decides."""
        if thing in self._placed:
            return True
        if self.goal.task_type != TWO or _kind(place) != self.goal.receptacle:
            return False
        self._end = self._end or place
        return place == self._end

    def _examine_in_light(self) -> str:
        for place, things in self._seen.items():
            for thing in things:
                if _kind(thing) == self.goal.toggle:
                    return f"go to {place}" if place != self._here else f"use {thing}"
        return self._search(self.goal.toggle)

    def _search(self, kind: str) -> str:
        for place in self._likely(kind):
            if place not in self._seen:
                return self._approach(place) or f"examine {place}"
        return "check valid actions"

    def _likely(self, kind: str) -> Iterator[str]:
        table = facts()
        fitting = [
            receptacle
            for receptacle, things in table["contains"].items()
            if kind in things
            or (kind == table["lamp"] and receptacle in table["lamp_stands"])
        ]
        ranked = [kind for kind in _PROMISING if kind in fitting]
        ranked += [kind for kind in fitting if kind not in ranked]
        for receptacle in ranked:
            yield from (place for place in self._places if _kind(place) == receptacle)
        yield from (place for place in self._places if _kind(place) not in ranked)

    def _approach(self, place: str) -> str:
        """Return the next command needed to see into a place, "" if there is none."""
        if place != self._here:
            return f"go to {place}"
        if place in self._closed:
            return f"open {place}"
        return "" if place in self._seen else f"examine {place}"

    def _first(self, kind: str) -> str:
        return next(place for place in self._places if _kind(place) == kind)


def _kind(name: str) -> str:
    return name.partition(" ")[0]
