"""Classify a story's answers: understood, won, over."""

from __future__ import annotations

import re
from typing import NamedTuple

from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.logic import Memory, read_dictionary
from aq_gym.envs.jericho.logic.predicates import View
from aq_gym.envs.jericho.session.endings import asks_to_restart, says_won
from aq_gym.zmachine import Answer, Status

# The replies of Inform's library and Infocom's parser to a line they can't use. The
# state can't tell this from an action that changes nothing, except in our stories.
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
# A story may ask a question in front of its prompt.
_PROMPT = re.compile(r"(?:^|[ \n])>+ ?\Z")


class Outcome(NamedTuple):
    """The meaning of an answer.

    Attributes:
        understood: Whether the story's parser understood the line.
        won: Whether the story has been won.
        over: Whether the story has ended.
    """

    understood: bool
    won: bool
    over: bool


class ResponseClassifier:
    """Judges one story's answers, by its memory where its symbols are known."""

    def __init__(self, game: Game) -> None:
        self._misread = game.misread
        variables = game.symbols["globals"] if game.symbols else {}
        self._deadflag = variables.get("deadflag")
        self._lines_misread = variables.get("lines_misread", 0)
        self._actions_done = variables.get("actions_done", 0)
        self._dictionary = read_dictionary(game.story)
        self._won = game.won

    def counters(self, memory: Memory) -> tuple[int, int]:
        """Return the numbers of lines misread and actions done so far."""
        if self._deadflag is None:
            return 0, 0
        return (
            memory.variable(self._lines_misread),
            memory.variable(self._actions_done),
        )

    def judge(
        self, line: str, answer: Answer, memory: Memory, before: tuple[int, int]
    ) -> Outcome:
        """Judge the answer to a line.

        Args:
            line: The line that was typed.
            answer: The story's answer, which did not fail.
            memory: The memory after it.
            before: The result of :meth:`counters` before it.
        """
        if self._deadflag is not None:
            lines, done = self.counters(memory)
            flag = memory.variable(self._deadflag)
            misread = lines != before[0] or _NOBODY in answer.text
            understood = not misread or done != before[1]
            return Outcome(understood, flag == 2, flag != 0)
        over = answer.status is Status.HALTED or asks_to_restart(answer.text)
        won = over and (says_won(answer.text) or self._is_won(memory))
        return Outcome(self._understood(line, answer.text) or over, won, over)

    def _is_won(self, memory: Memory) -> bool:
        return self._won is not None and self._won(View(memory, 0, False))

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
    """Strip the prompt, trailing whitespace and more than one empty line in a row."""
    text = _PROMPT.sub("", text)
    text = "\n".join(map(str.rstrip, text.split("\n")))
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip()
