"""A base class whose episodes end with the tool ``answer``."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol, Unpack

from aq_gym.core import Turn
from aq_gym.core.text import plural
from aq_gym.tools.calls import Call, Unreadable
from aq_gym.tools.env import Calls, ToolArguments, ToolEnv

_MOST_RETRIES = 100


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
    def read_answer(self, text: str) -> str | None:
        """Return the answer in a text that is not a call, or None."""

    def read_calls(self, text: str) -> tuple[Call | Unreadable, ...] | Unreadable:
        """Read an answer with ``read_answer`` if there is one, else read calls."""
        # A fast path, because most actions are calls. Other texts that end in a bracket
        # are LaTeX, with a backslash.
        is_call = text[-1:] in ("]", ")") and "\\" not in text
        answer = None if is_call else self.read_answer(text)
        if answer is not None:
            return (Call(self._variant.names["answer"], {}, (answer,)),)
        return super().read_calls(text)

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
