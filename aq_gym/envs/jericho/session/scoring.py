"""Read a story's score: in its memory, in its status line, or in its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.logic import Memory
from aq_gym.zmachine import Answer, Interpreter, Status

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_WORDS = {word: number for number, word in enumerate(_ONES)}
_WORDS |= {word: 10 * number for number, word in enumerate(_TENS, start=2)}
_ANY = f"(?:{'|'.join(_WORDS)})"
_NUMBER = rf"(-?\d+|{_ANY}(?:[ -](?:{_ANY}|hundred|and))*)"
# "5 out of a possible 50", "7 of a possible 7", "350 (total of 350 points)".
_OF = (
    r"(?:out of(?: a)?(?: possible| total of| maximum of)?|"
    r"(?:of )?(?:a )?(?:possible|total of|maximum of))"
)
_TOLD = re.compile(rf"(?<!\w){_NUMBER}(?: points?)?,?[ (\[]+{_OF} {_NUMBER}\b", re.I)
_ALONE = re.compile(r"\bscored?:?(?: \w+){0,2} (-?\d+)\b", re.IGNORECASE)
_SHOWN = re.compile(r"\bscore: *(-?\d+)", re.IGNORECASE)


class Score(NamedTuple):
    """A score as far as it is known.

    Attributes:
        points: The points; None where the story has no score.
        highest: The highest score that the story names, 0 where it names none.
    """

    points: int | None = None
    highest: int = 0


class ScoreReader:
    """Finds the score of one story, wherever it keeps it.

    An annotated story's is in its memory or nowhere. Another story is also asked for
    the score, or the highest score, if neither its memory nor its status line tells it;
    the interpreter is then restored to its state.
    """

    def __init__(self, game: Game, interpreter: Interpreter) -> None:
        self._variable = game.score_variable
        self._annotated = bool(game.subgoals)
        self._interpreter = interpreter

    def read(self, memory: Memory, answer: Answer, over: bool, before: Score) -> Score:
        """Return the score after an answer.

        Args:
            memory: The memory after it.
            answer: The answer.
            over: Whether it ends the story.
            before: The score before it, which stays where nothing tells another.
        """
        points = None if self._variable is None else memory.variable(self._variable)
        if self._annotated:
            return Score(points)
        if points is None:
            points = score_shown(self._interpreter.upper_window())
        told = Score()
        if over:
            # Status lines are not drawn again after the last turn.
            told = score_in(answer.text)
            if before.highest and told.highest not in (0, before.highest):
                told = Score()
            if self._variable is None and told.points is not None:
                points = told.points
        elif answer.status is Status.LINE and (points is None or not before.highest):
            told = self._ask()
            points = told.points if points is None else points
        points = before.points if points is None else points
        return Score(points, told.highest or before.highest)

    def _ask(self) -> Score:
        here = self._interpreter.snapshot()
        answer = self._interpreter.step("score")
        self._interpreter.restore(here)
        return score_in(answer.text)


def score_in(text: str) -> Score:
    """Return the score in a text, such as the answer to ``score`` or the last answer.

    Args:
        text: The text; numbers up to 999 may be words.
    """
    line = " ".join(text.split())
    if told := _TOLD.search(line):
        return Score(_value(told[1]), max(0, _value(told[2])))
    alone = _ALONE.search(line)
    return Score(int(alone[1])) if alone else Score()


def score_shown(rows: Sequence[str]) -> int | None:
    """Return the score in a status line, None if it shows none."""
    found = _SHOWN.search("\n".join(rows))
    return int(found[1]) if found else None


def _value(number: str) -> int:
    if number.lstrip("-").isdecimal():
        return int(number)
    total = 0
    for word in re.split("[ -]", number.lower()):
        total = total * 100 if word == "hundred" else total + _WORDS.get(word, 0)
    return total
