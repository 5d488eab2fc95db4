"""AgentBoard's protocol of Jericho: its goals, its reading of actions, its wording.

The protocol is written from the behaviour of its published environment and compared
with it by ``benchmarks/judges/agentboard.py``:

- The first line of an action is read up to its first comma or full stop, and up to 20
  words.
- All characters are typed, and empty lines too. The line after a question of the parser
  is its answer, and a line that the parser does not understand is a normal turn.
- Every action counts as valid, except if one of the stories answers with "[!".
- An observation is one line, without the story's remarks on the score in brackets.
- A banner such as "*** You have died ***", or the question whether to restart, ends the
  episode, even if the story continues.
- An annotated subgoal is a text that an observation contains; only letters, digits and
  whitespace are compared. An observation reaches at most one subgoal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from aq_gym.core.help import HELP
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.jericho.actions import session_problem
from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.playthrough import Playthrough
from aq_gym.envs.jericho.protocol import Command, WalkthroughProtocol
from aq_gym.papers.agentboard import annotated_if_there, prompt
from aq_gym.support.data import packaged_json
from aq_gym.support.user_files import UserFileError

# AgentBoard's settings list the titles in the order of its file; "huntdark" is
# darkhunt.
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
# A prompt with the name of the room before it.
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
    entries = packaged_json("aq_gym.envs.jericho", "data/agentboard.json")["titles"]
    return {name: Title(**entry) for name, entry in entries.items()}


def title(name: str) -> Title:
    """Return AgentBoard's annotation of a title.

    Raises:
        ValueError: If it is not one of AgentBoard's twenty titles.
    """
    titles = _titles()
    if name not in titles:
        raise ValueError(
            f"protocol='agentboard' is for AgentBoard's titles, not game={name!r}: "
            f"give one of {', '.join(titles)}"
        )
    return titles[name]


def annotated_subgoals(name: str, data_dir: str | None) -> tuple[str, ...]:
    """Return AgentBoard's annotated subgoals of a title; empty without its data.

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
    # If there are several lists, AgentBoard's code takes the last.
    return found[-1] if found else ()


def read(action: str, version: int) -> str:
    """Return the part of an action that AgentBoard types, which may be empty.

    Args:
        action: Any text.
        version: The story's version. In titles of version 3, all by Infocom, Jericho's
            interpreter reads a question mark as a space.
    """
    # Jericho's interpreter passes other whitespace, such as a no-break space, to the
    # story.
    line = (action.strip(" \t\r\n").splitlines() or [""])[0]
    typed = remembered(line).encode("utf-8", "replace")
    # Jericho's interpreter reads a backslash as the start of a command to itself.
    spaces = "\\?" if version == _INFOCOM else "\\"
    text = typed[:_MOST_BYTES].decode("latin-1")
    return text.translate(dict.fromkeys(map(ord, spaces), " "))


def remembered(line: str) -> str:
    """Return the part of a line that AgentBoard plays and keeps in memory."""
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
    """Return only a text's letters, digits and whitespace, for comparing texts."""
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
    """AgentBoard's protocol, judged by our subgoals.

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
            patterns: The annotated subgoals; by default they are read from the data.
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

    def opening(self, game: Playthrough, introduction: str, text: str) -> str:
        """Return the first observation, the story's text in one line."""
        game.opening = clean(text)
        return introduction + game.opening

    def read(self, game: Playthrough, text: str) -> Command | None:
        """Read a command, if the story's parser knows its words."""
        known = super().read(game, text) is not None
        return self._command(game, text) if known else None

    def write(self, game: Playthrough, action: Command) -> str:
        """Return the line or key of an action; requests for help have one form."""
        return HELP if is_check(action.text) else super().write(game, action)

    def help(self, game: Playthrough) -> str:
        """Return AgentBoard's list of the actions."""
        return help_text(game.manager.admissible())

    def prompt(self, game: Playthrough) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout."""
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
        # The line is typed unchanged; the interpreter converts it to lower case.
        return line.lower() if line.isascii() else line

    def _type(self, game: Playthrough, action: Command) -> Turn:
        session = game.session
        if is_check(action.text):
            return Turn(self.help(game))
        if action.problem and not session.now.wants_key:
            return Turn.invalid(action.problem)
        reply = session.say(action.line).text
        observation = clean(reply)
        ended = session.now.over or has_ended(reply)
        ended = self._reaches_end(game, observation) or ended
        return Turn(observation, terminated=ended, action_valid=is_valid(observation))

    def _reaches_end(self, game: Playthrough, observation: str) -> bool:
        """Judge an observation; return whether it ends the episode."""
        return False


class AnnotatedProtocol(AgentBoardProtocol):
    """AgentBoard's protocol, judged by its annotated subgoals.

    Args:
        title: AgentBoard's annotation of the title.
        patterns: The annotated subgoals, at least one.
    """

    def __init__(self, title: Title, patterns: Sequence[str]) -> None:
        super().__init__(title)
        self._patterns = tuple(map(plain, patterns))

    def opening(self, game: Playthrough, introduction: str, text: str) -> str:
        """Return the first observation; no subgoal has been reached."""
        game.annotated = (False,) * len(self._patterns)
        return super().opening(game, introduction, text)

    def subgoals(self, game: Playthrough) -> dict[str, bool]:
        """Return whether each annotated subgoal has been reached."""
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
    """Return which subgoals are reached after an observation; at most one is new.

    Args:
        patterns: The texts of the subgoals, as :func:`plain` returns them.
        reached: Whether each subgoal was reached before.
        observation: The observation.
    """
    shown = plain(observation)
    for place, text in enumerate(patterns):
        if not reached[place] and text in shown:
            return (*reached[:place], True, *reached[place + 1 :])
    return reached
