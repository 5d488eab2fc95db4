"""A question, the agent's tools, the milestones it has reached, and its score."""

from __future__ import annotations

import re
import string
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from aq_gym.envs.gaia.files import PAGE, is_media, names_of, read_text
from aq_gym.envs.gaia.milestones import Milestone, numbers_in
from aq_gym.tools import ToolError
from aq_gym.tools.arithmetic import calculate, write_fraction

_LONGEST_ANSWER = 2_000
_FILE_READ = "file read"
_RIGHT_ANSWER = "right answer"
_SEPARATOR = re.compile("[,;]")
_WITHOUT_UNITS = str.maketrans("", "", "$%,")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Question(NamedTuple):
    """A question of GAIA.

    Attributes:
        task_id: Its id.
        question: Its text.
        level: 1 to 3.
        answer: The final answer; "" if it is private.
        file: Its file, None if it has none.
        milestones: The observable values in its annotated steps.
        steps: The number of annotated steps, 0 if unknown.
    """

    task_id: str
    question: str
    level: int
    answer: str
    file: Path | None = None
    milestones: tuple[Milestone, ...] = ()
    steps: int = 0


class Desk:
    """The world that the tools work on.

    Args:
        question: The question.
        read: The files that were read, each with the number of a page.
        reached: The positions of the milestones that were reached.
        answers: The number of answers so far.
        answer: The last answer.

    Attributes:
        right: Whether the last answer is right.
    """

    def __init__(
        self,
        question: Question,
        read: frozenset[tuple[str, int]] = frozenset(),
        reached: frozenset[int] = frozenset(),
        answers: int = 0,
        answer: str = "",
    ) -> None:
        self.question = question
        file = question.file
        self._has_text = file is not None and not is_media(file.name)
        self.pages_read = read
        self.reached = reached
        self.answers = answers
        self.last_answer = answer
        self.right = bool(answers) and self._is_right(answer)

    def list_files(self) -> str:
        """List the files of the question."""
        names = self.names()
        return "\n".join(names) if names else "The question has no file."

    def read_file(self, name: str, page: int = 1) -> str:
        """Read a file of the question as text, a page of 8,000 characters at a time.

        Args:
            name: The name, as list_files gives it.
            page: The number of the page.
        """
        names = self.names()
        # Only listed names lead to a file.
        if name not in names:
            known = ", ".join(names[:20]) or "none"
            raise ToolError(f"{name[:200]!r} cannot be read. The files are: {known}.")
        assert self.question.file is not None
        text = read_text(self.question.file, name)
        pages = max(1, -(-len(text) // PAGE))
        if not 1 <= page <= pages:
            raise ToolError(f"{name} has the pages 1 to {pages}.")
        shown = text[(page - 1) * PAGE : page * PAGE]
        self.pages_read |= {(name, page)}
        self.notice(shown)
        return f"{name}, page {page} of {pages}:\n{shown}"

    def calculate(self, expression: str) -> str:
        """Calculate exactly: + - * / ^, parentheses and percentages.

        Args:
            expression: The expression, as "12 * (3 + 4)".
        """
        value = calculate(expression)
        text = write_fraction(value)
        if "/" in text:
            text += f" (about {float(value):.10g})"
        self._reach(text, frozenset({abs(value)}))
        return text

    def think(self, thought: str) -> str:
        """Write a thought down, which changes nothing.

        Args:
            thought: The thought.
        """
        return "OK."

    def answer(self, answer: str | int | float) -> str:
        """Give the final answer: as few words as possible, a number, or a list.

        Args:
            answer: The answer.
        """
        given = str(answer).strip()
        if not given or len(given) > _LONGEST_ANSWER:
            raise ToolError(f"Give an answer of 1 to {_LONGEST_ANSWER:,} characters.")
        self.answers += 1
        self.last_answer = given
        if not self.question.answer:
            return "Your answer is recorded."
        self.right = self._is_right(given)
        return "Right answer." if self.right else "Wrong answer."

    def names(self) -> tuple[str, ...]:
        """Return the names of the readable files."""
        return names_of(self.question.file) if self.question.file else ()

    def notice(self, result: str) -> None:
        """Mark milestones whose values are in a tool's result.

        Args:
            result: The result.
        """
        if len(self.reached) < len(self.question.milestones):
            self._reach(result.casefold(), numbers_in(result))

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal holds; a right answer reaches all of them."""
        goals = {_FILE_READ: bool(self.pages_read)} if self._has_text else {}
        for at, one in enumerate(self.question.milestones):
            goals[f"step {one.step}"] = at in self.reached
        goals[_RIGHT_ANSWER] = self.right
        return dict.fromkeys(goals, True) if self.right else goals

    def _reach(self, folded: str, numbers: frozenset[Fraction]) -> None:
        new = [
            at
            for at, one in enumerate(self.question.milestones)
            if at not in self.reached and one.is_in(folded, numbers)
        ]
        if new:
            self.reached |= frozenset(new)

    def _is_right(self, answer: str) -> bool:
        return bool(self.question.answer) and is_right(answer, self.question.answer)


def is_right(given: str, expected: str) -> bool:
    """Return whether an answer is right, by GAIA's rules.

    An expected number is compared by value, without ``$``, ``%`` and commas. A list,
    with commas or semicolons, is compared item by item in order: numbers by value,
    other items without whitespace and case. Any other text is compared without
    whitespace, case and punctuation of ASCII. These are the rules of the GAIA
    leaderboard's scorer. It reads numbers with Python's ``float``, so ``1e3`` and
    ``nan`` are numbers, too.

    Args:
        given: The agent's answer.
        expected: The final answer of the question.
    """
    if _float(expected) is not None:
        return _is_number(given, expected)
    if _SEPARATOR.search(expected) is None:
        return _folded(given) == _folded(expected)
    items, wanted = _SEPARATOR.split(given), _SEPARATOR.split(expected)
    return len(items) == len(wanted) and all(map(_is_item, items, wanted))


def _is_item(given: str, expected: str) -> bool:
    if _float(expected) is not None:
        return _is_number(given, expected)
    return _joined(given) == _joined(expected)


def _is_number(given: str, expected: str) -> bool:
    value = _float(given.translate(_WITHOUT_UNITS))
    # As in the leaderboard's scorer, a text that is not a number counts as infinite.
    return (float("inf") if value is None else value) == float(expected)


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _joined(text: str) -> str:
    return re.sub(r"\s", "", text).lower()


def _folded(text: str) -> str:
    return _joined(text).translate(_WITHOUT_PUNCTUATION)
