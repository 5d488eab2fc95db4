"""A base class whose episodes end with the tool ``answer``."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Protocol, Unpack

from aq_gym.answers import Statement, cleaned, read_number, statements
from aq_gym.core import Turn
from aq_gym.core.text import plural
from aq_gym.tools.calls import Call, Unreadable
from aq_gym.tools.env import Calls, ToolArguments, ToolEnv

_MOST_RETRIES = 100
# A number with a unit of at most one word, which is an answer without any other word.
_BARE = re.compile(
    r"[-+\u2212]?(?:[$\u20ac\u00a3\u00a5\u20b9]\s?)?\d[\d,./\s]*(?:e[-+]?\d+)?"
    r"(?:\s?(?:%|k|m|mn|b|bn|hundred|thousand|million|billion|trillion|dozen))?"
    r"(?:\s[a-z]+)?",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(r"[-+]?(?:\\?\$)?\d[\d,]*(?:\.\d+)?(?:\s?\\?%|/\d+)?\$?", re.ASCII)
_PART = re.compile(r"[\n`]")
_CLOSED = re.compile(r"[\])}\uff09]|</(?:tool_call|function|invoke)")
# The last character of most calls; a statement seldom ends in one.
_CLOSING = ("]", ")", "}", ">", "`", "\uff09")
# After the name of a tool, in the forms of aq_gym.tools.calls.
_CALLED = (
    r"[\"'*`]*(?:\s*\[(?:ARGS|CALL_ID)\]|[\[(<>\uff08]"
    r"|(?::\d+)?\s*(?:commentary)?\s*(?:```)?(?:json|code)?\s*[{<\u273f]"
    r"|\s+(?:with\s+)?action\s+input)"
)
# A JSON object with a name is a call if it has arguments or names a tool.
_JSON_NAME = r"[\"']\w*(?:name|tool|function|action)[\"']\s*:\s*"
_JSON_ARGUMENTS = re.compile(
    r"[\"']\w*(?:arguments|parameters|args|input)[\"']\s*:", re.IGNORECASE
)


class Answered(Protocol):
    """The world of an :class:`AnswerEnv`."""

    answers: int
    right: bool

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal holds."""


class AnswerEnv(ToolEnv):
    """An environment that ends with the right answer, or when no retry is left.

    Args:
        retries: How many wrong answers can be followed by another, 0 to 100.
    """

    world: Answered

    def __init__(self, retries: int, **shared: Unpack[ToolArguments]) -> None:
        super().__init__(**shared)
        if not 0 <= retries <= _MOST_RETRIES:
            raise ValueError(f"retries={retries!r} must be 0 to {_MOST_RETRIES}")
        self._retries = retries

    @abstractmethod
    def read_answer(self, stated: str) -> str | None:
        """Return the answer in what a text states as its answer; None if it has none.

        Args:
            stated: What follows "the answer is", up to the end of its line; the content
                of a box; or a bare number.
        """

    def stated_answer(self, text: str) -> str | None:
        """Return the part of a text that states its answer, or the number in it.

        None if no part does. The last statement that can be read counts, unless a call
        of a tool follows it. A call with a statement in its arguments is returned, so
        that no part of it is played.

        Args:
            text: Any text.
        """
        found = tuple(statements(text))
        stated = None if self._calls_at_end(text) else self._that_counts(text, found)
        if stated:
            return stated[0]
        if not found:
            return None
        last = found[0]
        if self._is_json_call(text) or self._valid_calls_of(text):
            return text
        if not self._is_in_call(text, last.start):
            return None
        before, after = text[: last.start], text[last.start :]
        line = _PART.split(before)[-1] + _PART.split(after, maxsplit=1)[0]
        return line if self._valid_calls_of(line) else text

    def _that_counts(
        self, text: str, found: tuple[Statement, ...]
    ) -> tuple[str, str] | None:
        """Return the one of a text's statements that counts, and the answer in it."""
        bare = cleaned(text)
        if _BARE.fullmatch(bare) and read_number(bare):
            return text.strip() if _NUMBER.fullmatch(text.strip()) else bare, bare
        for statement in () if found and self._is_json_call(text) else found:
            answer = self.read_answer(statement.answer)
            if answer is not None:
                at = statement.start
                if self._call_pattern().search(text, at) or self._is_in_call(text, at):
                    return None
                is_number = _NUMBER.fullmatch(answer)
                return answer if is_number else statement.written, answer
        return None

    def _tool_names(self) -> str:
        """Return a pattern of the names of the tools."""
        return "|".join(re.escape(tool.name) for tool in self.tools)

    def _is_json_call(self, text: str) -> bool:
        """Return whether a text has a call in JSON, whose texts state nothing."""
        names = rf"[\"'](?:{self._tool_names()})[\"']"
        value = r"[\"'{]" if _JSON_ARGUMENTS.search(text) else names
        call = rf"{_JSON_NAME}{value}|{names}\s*:\s*{{"
        return bool(re.search(call, text, re.IGNORECASE))

    def _call_pattern(self) -> re.Pattern[str]:
        """Return a pattern of where a call of a tool begins."""
        named = rf"(?:(?<![\w</])|(?<=\bfunction))(?:{self._tool_names()}){_CALLED}"
        return re.compile(named, re.IGNORECASE)

    def _is_in_call(self, text: str, at: int) -> bool:
        """Return whether a place of a text is in a call of a tool."""
        before = [one.end() for one in self._call_pattern().finditer(text, 0, at)]
        return bool(before) and not _CLOSED.search(text, before[-1], at)

    def read_calls(self, text: str) -> tuple[Call | Unreadable, ...] | Unreadable:
        """Read calls, or else the answer that a text states."""
        if calls := self._calls_at_end(text):
            return calls
        found = tuple(statements(text))
        if stated := self._that_counts(text, found):
            return (Call(self._variant.names["answer"], {}, (stated[1],)),)
        # "Final answer: answer[84]"
        inner = self._valid_calls_of(found[0].answer) if found else ()
        return inner or super().read_calls(text)

    def _calls_at_end(self, text: str) -> tuple[Call | Unreadable, ...]:
        """Return the calls in a text that ends as a call; () if none is valid."""
        return self._valid_calls_of(text) if text[-1:] in _CLOSING else ()

    def _valid_calls_of(self, text: str) -> tuple[Call | Unreadable, ...]:
        calls = super().read_calls(text)
        if isinstance(calls, Unreadable) or not any(map(self._is_bound, calls)):
            return ()
        return calls

    def _said(self, action: Calls) -> str:
        return super()._said(action).removeprefix(f"{self._variant.names['answer']} ")

    def example_call(self) -> str:
        """Return a calculation."""
        return self.write_call("calculate", expression="2 + 3")

    def _step(self, action: Calls) -> Turn:
        before = self.world.answers
        turn = super()._step(action)
        left = self._retries + 1 - self.world.answers
        if self.world.answers == before or self.over() or not left:
            return turn
        times = "once" if left == 1 else f"{left} times"
        words = f"{turn.observation} You can answer {times} more."
        return turn._replace(observation=words)

    def opening(self, task: str, example: str, rules: str, question: str) -> str:
        """Return the first observation: the question, after the instructions if any.

        Args:
            task: The task in one sentence.
            example: An answer.
            rules: The rules for answers.
            question: The question as the agent reads it.
        """
        if not self.instructions:
            return question
        names = self._variant.names
        calls = "one or more calls" if self._parallel else "one call"
        ends = (
            "A wrong answer can be followed by another, "
            f"{plural(self._retries, 'time')}."
            if self._retries
            else "Your first answer counts."
        )
        return (
            f"{task} Each action is {calls} of a tool, as {names['calculate']}"
            f"[12 * (3 + 4)] or {names['answer']}[{example}]; name(argument=value) and "
            'JSON, {"name": ..., "arguments": {...}}, are read, too. '
            f"{rules} {ends}\nThe tools:\n{self.tools.text()}\n\n{question}"
        )

    def over(self) -> bool:
        """Return whether the answer is right, or no retry is left."""
        return self.world.right or self.world.answers > self._retries

    def subgoals(self) -> dict[str, bool]:
        """Return whether each fact was found, and the answer is right."""
        return self.world.subgoals()

    def success(self) -> bool:
        """Return whether the right answer was given."""
        return self.world.right
