"""The meaning of a story's answers: understood, won, over, question, menu, score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.logic import Memory, read_dictionary
from aq_gym.envs.jericho.logic.predicates import View
from aq_gym.zmachine import Answer, Interpreter, Status

_KEY = re.compile(r"(RETURN|ENTER|SPACE|ESC|[A-Z]) ?= ?([a-z]+(?: [a-z]+)*)")
# Wide gaps in a menu, which is laid out for a screen of a fixed width.
_GAP = re.compile(r" {10,}")


def menu_keys(text: str) -> tuple[str, ...]:
    """Return a menu's keys and their uses, such as ``N = next subject``."""
    return tuple(f"{key} = {use}" for key, use in _KEY.findall(text))


def menu_text(rows: Sequence[str], text: str) -> str:
    """Return the text to show while a story waits for a key.

    Args:
        rows: The upper window. If it has a menu, the menu is shown without its keys. A
            status line is left out if there is other text.
        text: The lower window's new text.
    """
    menu = "\n".join(rows)
    if menu_keys(menu) or not text.strip():
        text = f"{_GAP.sub('', _KEY.sub('', menu))}\n\n{text}"
    return tidy(text)


# A word that no story knows; as an answer, it makes a parser drop its question.
NONSENSE = "zzqxzz"
_ASKS = re.compile(
    r"(?:^\W*|[.!?)] )(?:which|what|whom?|where)\b[^\n.!?]*\?\W*\Z", re.I | re.M
)
_WALK = re.compile(
    r"(north|south|(?:north|south)?(?:east|west)|[nsewud]|[ns][ew]|up|down|in|out)"
    r"(?=$|[.,;]| then\b)"
)


class Question(NamedTuple):
    """A question that the parser asks in the middle of its work.

    Attributes:
        text: The text of the question.
        depth: The depth of the call stack at which the story reads an ordinary command.
    """

    text: str
    depth: int


def asked_back(
    text: str, depth: int, before: int, pending: Question | None
) -> Question | None:
    """Return the parser's question that waits for an answer, or None.

    Inform's parser asks while it is still working, so the call stack is deeper than at
    an ordinary prompt. Yes/no questions come from the story, not from the parser.

    Args:
        text: The story's latest text.
        depth: The depth of the call stack.
        before: The depth at the previous prompt.
        pending: The question at the previous prompt.
    """
    usual = pending.depth if pending else before
    if depth <= usual:
        return None
    found = _ASKS.search(text)
    return Question(found.group(), usual) if found else pending


def is_walk(line: str, question: Question) -> bool:
    """Return whether a line begins with a direction that does not answer a question.

    A direction is an answer if the question names it, or asks for a direction.
    """
    direction = _WALK.match(line)
    if direction is None:
        return False
    wanted = rf"\b(?:{direction.group(1)}|way|direction)\b"
    return not re.search(wanted, question.text, re.I)


# After its end, a story offers all three of these, or another game.
_OFFERS = (
    re.compile(r"\b(?:restart|start over)\b", re.IGNORECASE),
    re.compile(r"\brestore\b", re.IGNORECASE),
    re.compile(r"\b(?:quit|end this session)\b", re.IGNORECASE),
)
_LONGEST_OFFER = 400
_LONGEST_TAIL = 80
_AGAIN = re.compile(
    r"\b(?:another game|play again|start the game again)\b[^\n?]*\?[^\n]{0,30}\Z|"
    r"-end of session-+\Z",
    re.IGNORECASE,
)
_WON = re.compile(
    r"\*{2,}\s*(?:you have won|you win|you won)|"
    # The last words of stories whose end has no such offer, from Jericho's list.
    r"\b(?:finished|completed) (?:the story of|your mission)|"
    r"bring pig back to farm|triumph to the land of heroes|saved the traveling circus|"
    r"good job, matey|ends the first chapter of the enchanter|our plan worked|"
    r"step onto the landing ramp|\*\*\* it's over \*\*\*|will discover your bones|"
    r"can i have my key back|left las mesas|saved your job|the game's totally over|"
    r"holmes, we find ourselves in your debt|you have snacked|"
    r"matchless service to the guild|so it can also produce absolute evil|"
    r"-end of session-",
    re.IGNORECASE,
)


def asks_to_restart(text: str) -> bool:
    """Return whether a text ends with the question that a story asks after its end.

    The question is whether to restart, restore or quit, in any order and possibly with
    further choices, or whether to play again. One story waits for a last key instead.

    Args:
        text: The story's text, with or without its prompt.
    """
    end = text.rstrip("> \n\t")[-_LONGEST_OFFER:]
    if _AGAIN.search(end):
        return True
    offers = [[found.end() for found in offer.finditer(end)] for offer in _OFFERS]
    if not all(offers):
        return False
    tail = end[max(map(max, offers)) :]
    return len(tail) <= _LONGEST_TAIL and "\n\n" not in tail


def says_won(text: str) -> bool:
    """Return whether the last text of a story says that it is won."""
    return _WON.search(" ".join(text.split())) is not None


# The replies of Inform's library and Infocom's parser to a line that they can't use.
# Except in our stories, the memory does not distinguish this case from an action that
# changes nothing.
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
# The only complaint that Inform's parser does not count as an error.
_NOBODY = "You seem to want to talk to someone"
# The prompt at the end of a text; a question of the story may precede it.
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
    """Judges one story's answers; by memory, if the story's symbols are known."""

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
            memory: The memory after the answer.
            before: The result of :meth:`counters` before the line was typed.
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
_SCORE = re.compile(rf"(?<!\w){_NUMBER}(?: points?)?,?[ (\[]+{_OF} {_NUMBER}\b", re.I)
_ALONE = re.compile(r"\bscored?:?(?: \w+){0,2} (-?\d+)\b", re.IGNORECASE)
_SHOWN = re.compile(r"\bscore: *(-?\d+)", re.IGNORECASE)


class Score(NamedTuple):
    """The known facts about a score.

    Attributes:
        points: The points; None if the story has no score.
        highest: The highest possible score that the story names; 0 if it names none.
    """

    points: int | None = None
    highest: int = 0


class ScoreReader:
    """Finds the score of one story.

    The score of an annotated story is only read from its memory. Other stories are also
    asked with the command ``score``, if memory and status line do not tell the score or
    the highest score. The interpreter's state is restored afterwards.
    """

    def __init__(self, game: Game, interpreter: Interpreter) -> None:
        self._variable = game.score_variable
        self._annotated = bool(game.subgoals)
        self._interpreter = interpreter

    def read(self, memory: Memory, answer: Answer, over: bool, before: Score) -> Score:
        """Return the score after an answer.

        Args:
            memory: The memory after the answer.
            answer: The answer.
            over: Whether the story has ended.
            before: The score before the answer; it is kept if no new score is found.
        """
        points = None if self._variable is None else memory.variable(self._variable)
        if self._annotated:
            return Score(points)
        if points is None:
            points = score_shown(self._interpreter.upper_window())
        named = Score()
        if over:
            # After the last turn, the status line is not drawn again.
            named = score_in(answer.text)
            if before.highest and named.highest not in (0, before.highest):
                named = Score()
            if self._variable is None and named.points is not None:
                points = named.points
        elif answer.status is Status.LINE and (points is None or not before.highest):
            named = self._ask()
            points = named.points if points is None else points
        points = before.points if points is None else points
        return Score(points, named.highest or before.highest)

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
    if match := _SCORE.search(line):
        return Score(_value(match[1]), max(0, _value(match[2])))
    alone = _ALONE.search(line)
    return Score(int(alone[1])) if alone else Score()


def score_shown(rows: Sequence[str]) -> int | None:
    """Return the score in a status line, or None."""
    found = _SHOWN.search("\n".join(rows))
    return int(found[1]) if found else None


def _value(number: str) -> int:
    if number.lstrip("-").isdecimal():
        return int(number)
    total = 0
    for word in re.split("[ -]", number.lower()):
        total = total * 100 if word == "hundred" else total + _WORDS.get(word, 0)
    return total
