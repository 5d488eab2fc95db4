"""Jericho's environment: any story, along its published walkthrough and off it.

A line that our parser refuses or a story doesn't understand changes nothing here, so it
is not typed in Jericho; lines of a walkthrough that are not played are counted. Texts
are compared as ``zmachine_texts.py`` says. At the end dynamic memory is compared,
except for copies of the header's fields that describe the interpreter; if not all lines
were typed in both, only the table of objects is compared.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from harness import Child, Facts, Judge, Task, Walk
from zmachine_texts import Turn, relate

import aq_gym.envs.jericho
from aq_gym.core.help import wants_help
from aq_gym.envs.jericho.actions import read_command, read_key
from aq_gym.envs.jericho.games import ADVENTURES
from aq_gym.envs.jericho.logic import Memory
from aq_gym.envs.jericho.logic.story_file import decode
from aq_gym.zmachine import Status

DATA = Path(aq_gym.envs.jericho.__file__).parent / "data"
_COMMANDS = """look;inventory;north;south;east;west;up;down;in;out;take all;drop all
open door;examine me;wait;xyzzy;take lamp;read leaflet;open mailbox;score;again
say hello;jump;sing;kill me;ask me about me;put all in me;look under bed;pronouns
wear all;diagnose;put it in it;tell me;take lamp. look;north. south;x;give lamp to me
enter;exit;go;climb;smell;listen"""
COMMANDS = tuple(_COMMANDS.replace("\n", ";").split(";"))
# What Jericho types before a title's walkthrough; elsewhere it presses keys only.
_OPENINGS = {
    "hollywood": "turn statue west;turn statue east;turn statue north",
    "lurking": "sit on chair;turn pc on;login 872325412;password uhlersoth",
    "partyfoul": "no",
    "seastalker": "John;Wayne;y",
}
# The standard's revision (1.0 for Jericho, 1.1 for us), the screen's height (232 and 50
# rows), the flag of a story that wants colours, which we reset.
_COPIES = (
    lambda theirs, ours: (theirs, ours) == (0, 1),
    lambda theirs, ours: theirs - ours == 232 - 50,
    lambda theirs, ours: theirs ^ ours == 0x40,
)
# Stories that revive a player, whom Jericho counts as dead.
_REVIVES = ("advent", "enchanter", "spellbrkr", "zork1", "zork2", "zork3")
_HEADER = 64
# Three stories of this date keep the number of a routine's frame in their third global
# variable, and interpreters count frames differently.
_KEEPS_FRAME, _FRAME, _SERIAL = b"111115", 5, slice(0x12, 0x18)


@cache
def published(path: Path) -> tuple[list[str], int]:
    """Return the commands that lead to a story's end, and the seed at which they do."""
    recorded = path.with_suffix(".json")
    if recorded.exists():
        steps = json.loads(recorded.read_text("utf-8"))["walkthrough"]
        return [step for step in steps if isinstance(step, str)], 1
    import jericho  # type: ignore[import-untyped, unused-ignore]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env: Any = jericho.FrotzEnv(str(path))
        return list(env.get_walkthrough() or ()), int(env.bindings.get("seed", 0))


def name_of_nothing(story: bytes, ram: bytes) -> str:
    """Return the text at the place of object 0's name."""
    memory = Memory(story)
    data = ram + story[len(ram) :]
    end = memory.entry_address(1)
    table = int.from_bytes(data[end - 2 : end], "big")
    return decode(data, memory.header, table + 1)


class Stories(Judge):
    """Our adventures, and the story files of a folder."""

    id, child, paper = "aq/Jericho-v0", "stories_child.py", "stories"
    steps = 450
    diverges = frozenset({"question dropped"})
    invalid = ("", "#$%", '"look"', "frobnicate", "save", "restart", "$500", "undo",
               "take the unicorn", "examine zqxqz", "\N{SNOWMAN}")  # fmt: skip

    def tasks(self) -> Iterator[Task]:
        """Yield each story, with the random stream of its walkthrough."""
        own = [DATA / f"{name}.z5" for name in sorted(ADVENTURES)]
        for path in (*own, *sorted(Path(self.checkout).glob("*.z[3458]"))):
            yield self.task(path, published(path)[1])

    def task(self, path: Path, seed: int) -> Task:
        """Return the task of a story with a random stream."""
        game = path.stem if path.parent == DATA else str(path)
        kwargs = {"game": game, "instructions": False}
        return Task(kwargs, options={"task_id": f"{path.stem}-{seed}"}, about=path)

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin the story, and type its opening here, as Jericho does."""
        path: Path = task.about
        for line in filter(None, _OPENINGS.get(path.stem, "").split(";")):
            env.step(line)
        self._session = session = env.unwrapped._manager.session
        self._story, self._name = session.game.story, path.stem
        self._subgoals = session.game.subgoals
        memory = session.interpreter.dynamic_memory()
        self._nameless = name_of_nothing(self._story, memory)
        self._known = iter(published(path)[0])
        self._held = ""
        self._before: str | None = None
        self._dropped = False
        self._windows = ((), session.interpreter.upper_window())
        self._key = session.now.wants_key
        self._same_lines, self._asked = True, False
        seed = session.game.boot_seed(int(info["task_id"].rpartition("-")[2]))
        return {"story": str(path), "seed": seed}

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Return the request to type the same line as here."""
        text = info["extracted_action"]
        line = read_command(text, self._session.dictionary).text
        typed = read_key(text) if self._key else line
        self._key = self._session.now.wants_key
        played = info["action_valid"] and not wants_help(text)
        # To drop a question, our session types another line, which stays in a buffer.
        self._answers = self._asked
        self._asked = self._session.now.question is not None
        self._same_lines &= played and not self._answers
        return {"act": typed} if played else {}

    def draw(self, walk: Walk) -> str:
        """Draw a command that many stories know."""
        return walk.one_of(COMMANDS)

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return no facts: Jericho cuts the beginnings of its titles."""
        return {}

    def expert(self, walk: Walk) -> str:
        """Follow the published walkthrough; in our adventures ask our expert."""
        if self._name in ADVENTURES:
            return super().expert(walk)
        return next(self._known, "look")

    def stepped(self, result: Any) -> Facts:
        """Return the story's score, where it has one."""
        score = result[4].get("score")
        return {**super().stepped(result), "score": score, "progress": None}

    def heard(self, env: Any, action: str, reply: Facts) -> None:
        """Keep the upper window before this turn and after it, and what was delayed."""
        self._first = self._before is None
        self._before, self._held = self._held, ""
        self._windows = self._windows[1], self._session.interpreter.upper_window()

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Name the parts of Jericho's text that ours does not repeat."""
        if fact in ("end", "success") and ours["success"] and self._subgoals:
            return "our goal"
        if fact == "end" and ours["end"] and "RESTART, RESTORE" in ours["text"]:
            return "end that Jericho does not notice"
        if fact == "end" and paper["end"] and self._name in _REVIVES:
            return "player revived"
        if fact != "text":
            return fact
        said = ours["text"].partition("[The story waits for a key")[0]
        broke = said.startswith("The game broke")
        ended = Status.HALTED if ours.get("end") else Status.LINE
        status = Status.FAILED if broke else ended
        before, after = self._windows
        turn = Turn(action, paper["text"], said, after, status)
        # Jericho sometimes loses the text that it delays.
        for held in dict.fromkeys((self._before or "", "")):
            kind, self._held = relate(turn, held, before, self._nameless)
            if kind:
                break
        if not kind and self._answers:
            # The line is an answer there, and a command here.
            self._dropped = True
            return "question dropped"
        if not kind and self._first:
            # Jericho says the rest of the opening before the first answer.
            return "end of the opening"
        return {"": fact, "equal": ""}.get(kind, kind)

    def ended(self, child: Child, task: Task, walk: Walk) -> Counter[str]:
        """Compare dynamic memory; count the lines of the walkthrough not played."""
        counts: Counter[str] = Counter()
        theirs = bytes.fromhex(child.ask(memory=True)["memory"])
        ours = self._session.interpreter.dynamic_memory()
        memory = Memory(self._story, ours)
        differing = [i for i in range(_HEADER, len(ours)) if theirs[i] != ours[i]]
        for is_copy in _COPIES:
            copies = [i for i in differing if is_copy(theirs[i], ours[i])][:1]
            differing = [i for i in differing if i not in copies]
        if self._story[_SERIAL] == _KEEPS_FRAME:
            frame = memory.header.globals + _FRAME
            differing = [i for i in differing if i != frame]
        if not self._same_lines:
            first, last = (
                memory.entry_address(1),
                memory.entry_address(memory.count + 1),
            )
            differing = [i for i in differing if first <= i < last]
        counts["memory"] += bool(differing) and not self._dropped
        return counts
