"""AgentBoard's goals, its reading of actions and its wording.

Its protocol is written from the behaviour of its published environment and compared
with it by ``benchmarks/jericho_agentboard.py``:

- The first line of an action is read up to its first comma or full stop, and up to 20
  words.
- Any characters are typed, and an empty line, too: the parser's questions take the
  next line for their answer, and a line that the parser does not understand is a turn
  like any other.
- Every action counts as valid, except where one story answers with "[!".
- An observation is one line, without what the story says about the score in brackets.
- A banner, as "*** You have died ***", or the question whether to restart ends the
  episode, even if the story continues.
- An annotated subgoal is a text that an observation contains, compared by
  letters, digits and whitespace alone; one observation reaches one subgoal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from aq_gym.core.help import HELP
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.jericho.actions import session_problem
from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.playthrough import Playthrough
from aq_gym.envs.jericho.protocol import Command, WalkthroughProtocol
from aq_gym.papers.agentboard import annotated_if_there, prompt
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


def annotated_subgoals(name: str, data_dir: str | None) -> tuple[str, ...]:
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
            Jericho's interpreter reads a question mark as a space.
    """
    # Its interpreter passes other whitespace, such as a no-break space, to the story.
    line = (action.strip(" \t\r\n").splitlines() or [""])[0]
    typed = remembered(line).encode("utf-8", "replace")
    # Its interpreter reads a backslash as the start of a command to the interpreter.
    spaces = "\\?" if version == _INFOCOM else "\\"
    text = typed[:_MOST_BYTES].decode("latin-1")
    return text.translate(dict.fromkeys(map(ord, spaces), " "))


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


class AgentBoardProtocol(WalkthroughProtocol):
    """AgentBoard's protocol; our subgoals judge.

    Args:
        title: AgentBoard's annotation of the title.
    """

    def __init__(self, title: Title) -> None:
        self._title = title

    @classmethod
    def of(
        cls, game: str, patterns: Sequence[str], data_dir: str | None
    ) -> AgentBoardProtocol:
        """Return the protocol, with annotated subgoals if there are any.

        Args:
            game: The title.
            patterns: The annotated subgoals; by default those of the data.
            data_dir: AgentBoard's data; None for the folder that ``AGENTBOARD_DATA``
                names.

        Raises:
            FileNotFoundError: If ``data_dir`` has no tasks of Jericho.
            ValueError: If the game is not one of AgentBoard's titles, or the data are
                not AgentBoard's.
        """
        known = title(game)
        patterns = patterns or annotated_subgoals(game, data_dir)
        return AnnotatedProtocol(known, patterns) if patterns else cls(known)

    def goal_and_difficulty(self, story: Game) -> tuple[str, str]:
        """Return AgentBoard's goal and difficulty."""
        return self._title

    def opening(self, game: Playthrough, introduction: str, said: str) -> str:
        """Return the first observation, the story's text in one line."""
        game.opening = clean(said)
        return introduction + game.opening

    def read(self, game: Playthrough, text: str) -> Command | None:
        """Read a command whose words the parser of the story knows."""
        known = super().read(game, text) is not None
        return self._command(game, text) if known else None

    def write(self, game: Playthrough, action: Command) -> str:
        """Return the line or key of an action; requests for help have one form."""
        return HELP if is_check(action.text) else super().write(game, action)

    def help(self, game: Playthrough) -> str:
        """Return AgentBoard's list of the actions."""
        return help_text(game.manager.admissible())

    def prompt(self, game: Playthrough) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        return prompt(
            "jericho_vanilla_prompt",
            self._title.goal,
            [("Observation", game.opening)],
            check="check valid actions",
            inventory=True,
            history_text=remembered,
        )

    def _command(self, game: Playthrough, text: str) -> Command:
        session = game.session
        line = read(text, session.game.story[0])
        return Command(text, line, session_problem(line, session.dictionary))

    def _spelling(self, line: str) -> str:
        # It is typed as it is, and the interpreter makes it lower case.
        return line.lower() if line.isascii() else line

    def _type(self, game: Playthrough, action: Command) -> Turn:
        session = game.session
        if is_check(action.text):
            return Turn(self.help(game))
        if action.problem and not session.now.wants_key:
            return Turn.invalid(action.problem)
        said = session.say(action.line).text
        observation = clean(said)
        ended = session.now.over or has_ended(said)
        ended = self._reaches_end(game, observation) or ended
        return Turn(observation, terminated=ended, action_valid=is_valid(observation))

    def _reaches_end(self, game: Playthrough, observation: str) -> bool:
        """Judge an observation; return whether it ends the episode."""
        return False


class AnnotatedProtocol(AgentBoardProtocol):
    """AgentBoard's protocol; its annotated subgoals judge.

    Args:
        title: AgentBoard's annotation of the title.
        patterns: The annotated subgoals, at least one.
    """

    def __init__(self, title: Title, patterns: Sequence[str]) -> None:
        super().__init__(title)
        self._patterns = tuple(map(plain, patterns))

    def opening(self, game: Playthrough, introduction: str, said: str) -> str:
        """Return the first observation; no subgoal has been reached."""
        game.annotated = (False,) * len(self._patterns)
        return super().opening(game, introduction, said)

    def subgoals(self, game: Playthrough) -> dict[str, bool]:
        """Return for each annotated subgoal whether it has been reached."""
        return {f"subgoal {n}": one for n, one in enumerate(game.annotated, start=1)}

    def progress(self, game: Playthrough) -> float:
        """Return AgentBoard's reward: the share of subgoals reached."""
        return sum(game.annotated) / len(game.annotated)

    def success(self, game: Playthrough) -> bool:
        """Return whether every annotated subgoal has been reached."""
        return all(game.annotated)

    def extra_info(self, game: Playthrough) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": self.progress(game)}

    def _reaches_end(self, game: Playthrough, observation: str) -> bool:
        game.annotated = reach_one(self._patterns, game.annotated, observation)
        return all(game.annotated)


def reach_one(
    patterns: Sequence[str], reached: tuple[bool, ...], observation: str
) -> tuple[bool, ...]:
    """Return which subgoals are reached after an observation: at most one more.

    Args:
        patterns: The texts of the subgoals, as :func:`plain` returns them.
        reached: Whether each has been reached before.
        observation: The observation.
    """
    said = plain(observation)
    for place, text in enumerate(patterns):
        if not reached[place] and text in said:
            return (*reached[:place], True, *reached[place + 1 :])
    return reached
