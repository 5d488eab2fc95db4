"""AgentBoard's goals, its reading of actions and its wording.

Its protocol is written from the behaviour of its published environment and compared
with it by ``benchmarks/jericho_agentboard.py``:

- The first line of an action is read up to its first comma or full stop, and up to 20
  words.
- It is typed as it is, whatever its characters, and even if nothing is left: the
  parser's questions take the next line for their answer, and a line that the parser
  does not understand is a turn like any other.
- Every action counts as valid but those that one story answers with "[!".
- An observation is one line, without what the story says about the score in brackets.
- A banner, as "*** You have died ***", or the question whether to restart ends the
  episode, even if the story goes on.
- An annotated subgoal is a text that an observation contains, whatever stands between
  letters and digits; one observation reaches one subgoal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from aq_gym.papers.agentboard import annotated_if_there
from aq_gym.support.user_files import UserFileError

_FILE = resources.files("aq_gym.envs.jericho") / "data" / "agentboard.json"
# Its settings list the titles in the order of its file; "huntdark" is darkhunt.
_ORDER = (
    *("905", "acorncourt", "afflicted", "balances", "dragon", "jewel", "library"),
    *("omniquest", "reverb", "snacktime", "zenon", "zork1", "zork2", "zork3"),
    *("detective", "night", "pentari", "weapon", "darkhunt", "loose"),
)
_MOST_WORDS = 20
_MOST_BYTES = 198
_INFOCOM = 3
_END_OF_ACTION = re.compile(r"[,.]")
_SCORE = re.compile(r"\[Your score .*?\]")
_OTHER = re.compile(r"[^a-zA-Z0-9\s]")
# A prompt with the room in front of it.
_PLACE_AT_PROMPT = re.compile(r"\s*\[[^\[\]]*\]>\s*\Z")
_MISREAD = "[!"
_ENDED = re.compile(
    r"^\s*\*{2,}\s.{1,60}\s\*{2,}\s*$|would you like to restart, restore",
    re.IGNORECASE | re.MULTILINE,
)


class Title(NamedTuple):
    """AgentBoard's annotation of a title.

    Attributes:
        goal: The goal.
        difficulty: "easy" up to four annotated subgoals, else "hard".
    """

    goal: str
    difficulty: str


@lru_cache(maxsize=1)
def _titles() -> dict[str, Title]:
    entries = json.loads(_FILE.read_text(encoding="utf-8"))["titles"]
    return {name: Title(**entry) for name, entry in entries.items()}


def title(name: str) -> Title:
    """Return AgentBoard's annotation of a title.

    Raises:
        ValueError: If it is not one of its twenty.
    """
    titles = _titles()
    if name not in titles:
        raise ValueError(
            f"protocol='agentboard' is for AgentBoard's titles, not game={name!r}: "
            f"give one of {', '.join(titles)}"
        )
    return titles[name]


def subgoals(name: str, data_dir: str | None) -> tuple[str, ...]:
    """Return AgentBoard's annotated subgoals of a title, none without its data.

    Raises:
        FileNotFoundError: If ``data_dir`` has no tasks of Jericho.
        UserFileError: If its file is not AgentBoard's.
    """
    rows = annotated_if_there("jericho", data_dir)
    if not rows:
        return ()
    if len(rows) != len(_ORDER):
        raise UserFileError(
            f"AgentBoard has {len(_ORDER)} tasks of Jericho, not {len(rows)}"
        )
    found = rows[_ORDER.index(name)].subgoals
    # Of several lists its code takes the last.
    return found[-1] if found else ()


def read(action: str, version: int) -> str:
    """Return the part of an action that AgentBoard types, which may be empty.

    Args:
        action: Any text.
        version: The story's version. In its titles of version 3, all Infocom's,
            Jericho's interpreter reads a question mark as a blank.
    """
    # Its interpreter passes other whitespace, such as a no-break space, to the story.
    line = (action.strip(" \t\r\n").splitlines() or [""])[0]
    typed = remembered(line).encode("utf-8", "replace")
    # Its interpreter reads a backslash as the start of a command to the interpreter.
    blanks = "\\?" if version == _INFOCOM else "\\"
    text = typed[:_MOST_BYTES].decode("latin-1")
    return text.translate(dict.fromkeys(map(ord, blanks), " "))


def remembered(line: str) -> str:
    """Return the part of a line that AgentBoard plays and its agent remembers."""
    words = _END_OF_ACTION.split(line, maxsplit=1)[0].split(" ")
    return " ".join(words[:_MOST_WORDS])


def is_check(action: str) -> bool:
    """Return whether an action asks for the valid actions."""
    text = action.lower()
    return "check" in text and "action" in text


def clean(text: str) -> str:
    """Return a story's text in one line, as AgentBoard shows it."""
    line = re.sub(" {2,}", " ", _PLACE_AT_PROMPT.sub("", text).replace("\n", " "))
    return _SCORE.sub("", line)


def plain(text: str) -> str:
    """Return a text's letters, digits and whitespace, by which texts are compared."""
    return _OTHER.sub("", text)


def is_valid(observation: str) -> bool:
    """Return whether AgentBoard counts the action that led here as valid."""
    return _MISREAD not in observation


def has_ended(text: str) -> bool:
    """Return whether AgentBoard ends an episode with a story's text."""
    return _ENDED.search(text) is not None


def help_text(actions: Sequence[str]) -> str:
    """Return AgentBoard's list of valid actions."""
    listed = ", ".join((*actions, "check valid actions"))
    return f"You can take the following actions: {listed}"


class Scores(NamedTuple):
    """The subgoals of an episode so far."""

    reached: tuple[bool, ...] = ()

    @property
    def reward(self) -> float:
        """AgentBoard's reward: the share of subgoals reached, 0.0 to 1.0."""
        return sum(self.reached) / len(self.reached) if self.reached else 0.0


class Patterns:
    """AgentBoard's annotated subgoals of a title.

    Args:
        texts: The texts, in their order.

    Attributes:
        names: The subgoals' names.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(map(plain, texts))
        self.names = tuple(f"subgoal {n}" for n in range(1, len(self._texts) + 1))

    def begin(self) -> Scores:
        """Return the scores at the start."""
        return Scores((False,) * len(self._texts))

    def update(self, scores: Scores, observation: str) -> Scores:
        """Return the scores after an observation."""
        said = plain(observation)
        for place, text in enumerate(self._texts):
            if not scores.reached[place] and text in said:
                before, after = scores.reached[:place], scores.reached[place + 1 :]
                return Scores((*before, True, *after))
        return scores
