"""Whether a story is won or lost, and whether it understood the line."""

from __future__ import annotations

import re
from typing import NamedTuple

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.logic import Dictionary, Memory
from aq_gym.envs.jericho.machine import Output

__all__ = ["Outcome", "Referee", "tidy"]

_WON = re.compile(r"\*{2,}\s*(?:you have won|you win|you won)", re.IGNORECASE)
_OVER = re.compile(
    r"^\s*\*{2,}\s.{1,60}\s\*{2,}\s*$|would you like to restart, restore",
    re.IGNORECASE | re.MULTILINE,
)
# What Inform's library and Infocom's parser say to a line they can't use. State can't
# tell this from an action that changes nothing, except in our own stories.
_MISREAD = re.compile(
    r"not a verb i recogni[sz]e|didn't understand|did not understand|"
    r"i only understood you|can't see any such thing|seem to have said too little|"
    r"i don't know the word|you can't see any |i don't understand|"
    r"isn't one i recogni[sz]e|was no verb in that|no verb in that sentence|"
    r"i beg your pardon|nothing to do!|can't use multiple objects|"
    r"excepted something not included|only do that to something animate|"
    r"you used the word .* in a way|you don't see that here|"
    r"seem to want to talk to someone|it's not clear what you're referring to|"
    r"not something you need to refer to|those things aren't here",
    re.IGNORECASE,
)
# The one complaint that Inform's parser does not count as an error.
_NOBODY = "You seem to want to talk to someone"
# Status lines are padded to the width of a screen.
_STATUS = " " * 20


class Outcome(NamedTuple):
    """What an answer means.

    Attributes:
        understood: Whether the story's parser understood the line.
        won: Whether the story says that it is won.
        over: Whether the story has ended.
        score: The score; 0 where it can't be known.
    """

    understood: bool
    won: bool
    over: bool
    score: int


class Referee:
    """Judges one story's answers, by its memory where its symbols are known.

    Args:
        game: The story.
    """

    def __init__(self, game: Game) -> None:
        self._misread = game.misread
        variables = game.symbols["globals"] if game.symbols else {}
        self._deadflag = variables.get("deadflag")
        self._lines_misread = variables.get("lines_misread", 0)
        self._actions_done = variables.get("actions_done", 0)
        self._dictionary = Dictionary(game.story)
        # Version 3 stories keep the score in the second global variable (section
        # 8.2.2), unless they show the time.
        header = game.story
        self._score_variable = header[0] == 3 and not header[1] & 2

    def counters(self, memory: Memory) -> tuple[int, int]:
        """Return how many lines were misread and actions done until now."""
        if self._deadflag is None:
            return 0, 0
        return (
            memory.variable(self._lines_misread),
            memory.variable(self._actions_done),
        )

    def judge(
        self, line: str, output: Output, memory: Memory, before: tuple[int, int]
    ) -> Outcome:
        """Judge the answer to a line.

        Args:
            line: What was typed.
            output: What the story answered.
            memory: The memory after it.
            before: What ``counters`` returned before it.
        """
        if self._deadflag is not None:
            lines, done = self.counters(memory)
            flag = memory.variable(self._deadflag)
            misread = lines != before[0] or _NOBODY in output.text
            understood = not misread or done != before[1]
            return Outcome(understood, flag == 2, flag != 0, 0)
        won = output.won or bool(_WON.search(output.text))
        over = won or output.lost or output.halted or bool(_OVER.search(output.text))
        score = output.score
        if self._score_variable and not score:
            score = memory.variable(1)
        return Outcome(self._understood(line, output.text) or over, won, over, score)

    def _understood(self, line: str, text: str) -> bool:
        if _MISREAD.search(text):
            return False
        folded = text.lower()
        if any(phrase in folded for phrase in self._misread):
            return False
        if not self._dictionary.words:
            return True
        words = line.split()
        return bool(words) and words[0].strip(",.") in self._dictionary


def tidy(text: str) -> str:
    """Strip the prompt and the status line that the interpreter adds."""
    first, _, rest = text.partition("\n")
    if _STATUS in first:
        text = rest
    before, _, last = text.rpartition("\n")
    if last[:1] == ">" or _STATUS in last:
        text = before
    text = "\n".join(map(str.rstrip, text.split("\n")))
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip()
