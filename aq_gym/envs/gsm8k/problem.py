"""A word problem, its solution in steps, and the values that an agent has found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from aq_gym.answers import is_same, read_number
from aq_gym.tools import ToolError
from aq_gym.tools.arithmetic import calculate, write_fraction

_Number: TypeAlias = int | Fraction

_RIGHT_ANSWER = "right answer"
# Numbers as published solutions write them: "1,000" and "2.50", but not ".5".
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?", re.ASCII)
OPERAND = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+", re.ASCII)
_EQUALS = re.compile(r"=\s*[$\u20ac\u00a3]?\s*(\d[\d,]*(?:\.\d+)?)", re.ASCII)
_WORD = re.compile(r"[a-z]+", re.ASCII)
_MOST_DIGITS = 30
# Constants that a question need not state, such as the numbers in "half", "a week" and
# "an hour".
_CONSTANTS = frozenset(
    {
        *(Fraction(1, 4), Fraction(1, 2), 1, 2, 3, 4, 5, 7, 10, 12, 24, 30, 52, 60),
        *(100, 365, 1000),
    }
)


class Step(NamedTuple):
    """A step of a solution.

    Attributes:
        expression: The calculation, "" if the solution does not give it.
        value: Its value in the solution.
        name: The name of the subgoal; "" to name it by its number.
    """

    expression: str
    value: Fraction
    name: str = ""


class Problem:
    """A word problem with its solution; it never changes.

    Args:
        question: The question.
        steps: The steps of the solution, in order.
        answer: The right answer.
        content: The template and numbers of a problem of our own, which determine its
            split; the first names do not matter.

    Attributes:
        given: The numbers in the question.
        values: The subgoal of each value that counts. Values of the solution that are
            in the question or are the answer do not count.
        subgoals: The names of all subgoals, each with False.
    """

    def __init__(
        self,
        question: str,
        steps: Sequence[Step],
        answer: Fraction,
        content: str = "",
    ) -> None:
        self.question = question
        self.steps = tuple(steps)
        self.answer = answer
        self.content = content
        self.given = numbers_in(question)
        self.values: dict[Fraction, str] = {}
        for step in steps:
            if step.value not in self.given | self.values.keys() | {answer}:
                name = step.name or f"value {len(self.values) + 1}"
                if name in self.values.values():
                    name = f"{name} ({len(self.values) + 1})"
                self.values[step.value] = name
        names = dict.fromkeys(self.values.values(), False)
        self.subgoals = {**names, _RIGHT_ANSWER: False}

    def __deepcopy__(self, memo: dict[int, Any]) -> Problem:
        """Return the problem itself."""
        return self


class Work:
    """What an agent has written about a problem: the world of the tools.

    Args:
        problem: The problem.
        stated: The new numbers that the agent has computed or stated.
        guesses: The number of them that do not follow from known numbers.
        answers: The number of answers so far.
        right: Whether the last answer is right.
    """

    def __init__(
        self,
        problem: Problem,
        stated: frozenset[Fraction] = frozenset(),
        guesses: int = 0,
        answers: int = 0,
        right: bool = False,
    ) -> None:
        self.problem = problem
        self.stated = stated
        self.guesses = guesses
        self.answers = answers
        self.right = right
        self._known = problem.given | stated
        names = (problem.values[one] for one in stated if one in problem.values)
        self._found = {**problem.subgoals, **dict.fromkeys(names, True)}

    def calculate(self, expression: str) -> str:
        """Calculate an expression exactly, with + - * / ^ % and parentheses.

        Args:
            expression: The expression, such as (12 + 3) * 4.
        """
        value = calculate(expression)
        self._note([value], self.follows(expression))
        return write_fraction(value)

    def think(self, thought: str) -> str:
        """Write down a thought. A value that it states counts, nothing else does.

        Args:
            thought: The thought.
        """
        results = _EQUALS.findall(thought) or NUMBER.findall(thought)
        self._note(_read_all(results))
        return "OK."

    def answer(self, number: str | float) -> str:
        """Give the answer.

        Args:
            number: One number, with a unit if you like.
        """
        if is_same(number, self.problem.answer, "number"):
            self.answers += 1
            self.right = True
            return "Right answer."
        found = read_number(str(number))
        if found is None:
            raise ToolError("Give one number, such as 18 or 3.50.")
        self.answers += 1
        self._note([found.value])
        return "Wrong answer."

    def subgoals(self) -> dict[str, bool]:
        """Return whether each value was found, and the right answer given."""
        return {**self._found, _RIGHT_ANSWER: self.right}

    def follows(self, expression: str) -> bool:
        """Return whether an expression uses only known numbers."""
        numbers = _read_all(OPERAND.findall(expression))
        unknown = [one for one in numbers if one not in self._known]
        return 1 < len(numbers) > len(unknown) and all(
            # Allows 0.2 where 20% is known.
            one in _CONSTANTS or one * 100 in self._known
            for one in unknown
        )

    def has_chance(self, expression: str) -> bool:
        """Return whether an expression's value, if it has one, could still count."""
        guesses_left = self.guesses < len(self.problem.values)
        return guesses_left or self.follows(expression)

    def _note(self, numbers: Collection[_Number], follows: bool = False) -> None:
        """Count the new number of an action, unless it has several.

        A number that does not follow from known ones is a guess. There are at most as
        many guesses as values.
        """
        new = {number for number in numbers if number not in self._known}
        guess = not follows
        if len(new) == 1 and self.guesses + guess <= len(self.problem.values):
            number = Fraction(new.pop())
            self.guesses += guess
            self.stated |= {number}
            self._known |= {number}
            if number in self.problem.values:
                self._found[self.problem.values[number]] = True


def exact_value(expression: str) -> Fraction | None:
    """Return the value of an expression, or None if it cannot be calculated."""
    try:
        return calculate(expression)
    except ToolError:
        return None


def numbers_in(text: str) -> frozenset[Fraction]:
    """Return the numbers in a text: in digits, and in words up to twenty."""
    words = map(read_number, _WORD.findall(text.lower()))
    in_words = {word.value for word in words if word is not None}
    return frozenset(map(Fraction, _read_all(NUMBER.findall(text)))) | in_words


def _read_all(numbers: Iterable[str]) -> list[_Number]:
    # No value of a problem has more digits.
    plain = (one.replace(",", "") for one in numbers if len(one) <= _MOST_DIGITS)
    return [int(one) if one.isdecimal() else Fraction(one) for one in plain]
