"""Tests of a story's code that its present memory decides."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeAlias

from aq_gym.envs.jericho.logic.instructions import Instruction, Operand
from aq_gym.envs.jericho.logic.memory import Memory
from aq_gym.envs.jericho.logic.nouns import Nouns, Places

__all__ = ["OWNER", "Decisions", "Present"]

OWNER = 2
"""Among places, the object whose rule is asked; 0 and 1 are the nouns."""

_JE, _JL, _JG, _JIN, _TEST, _TEST_ATTR, _JZ = 0x01, 0x02, 0x03, 0x06, 0x07, 0x0A, 0x80
# The tests that can be decided, and how many operands they need.
_TESTED = {_JE: 2, _JL: 2, _JG: 2, _JIN: 2, _TEST: 2, _TEST_ATTR: 2, _JZ: 1}
_FIRST_GLOBAL = 16
# Nouns are asked about with their attributes, of which a long search finds more and
# more combinations.
_MOST_TREES = 20_000


class _Test(NamedTuple):
    """A test whose operands are constants and global variables."""

    number: int
    operands: tuple[Operand, ...]


class _Fork:
    """A test, and what follows where it fails and where it holds."""

    __slots__ = ("following", "test")

    def __init__(self, test: _Test) -> None:
        self.test = test
        self.following: list[_Fork | bool | None] = [None, None]


_Tree: TypeAlias = _Fork | bool | None


class Decisions:
    """Decides the tests of a rule or of an action's routine, and notes them.

    Args:
        present: The present memory.
        owner: The object whose rule it is, 0 for none.

    Attributes:
        noted: The tests and their outcomes, in the order in which they were asked.
    """

    def __init__(self, present: Present, owner: int) -> None:
        self._present = present
        self._owner = owner
        self.noted: list[tuple[_Test, bool]] = []

    def holds(self, step: Instruction, nouns: Nouns, places: Places) -> bool | None:
        """Return whether a test holds at present, None if that is unknown.

        Args:
            step: The instruction that tests something.
            nouns: The known facts about the nouns.
            places: The variables that hold the nouns and the owner.
        """
        needed = _TESTED.get(step.number)
        if needed is None or len(step.operands) < needed:
            return None
        objects = (*(*nouns.numbers, 0, 0)[:2], self._owner)
        operands = []
        for operand in step.operands:
            value, variable = operand
            if variable and value in places and (nouns.numbers or places[value] > 1):
                operands.append(Operand(objects[places[value]], False))
            elif variable and value not in self._present.known:
                return None
            else:
                operands.append(operand)
        test = _Test(step.number, tuple(operands))
        outcome = self._present.outcome(test)
        self.noted.append((test, outcome))
        return outcome


class Present:
    """Decides tests by a story's present memory.

    A test can be decided in advance where nothing changes until it is reached: of
    variables, that holds for the story's own and the player's.

    Args:
        memory: The story's memory, which is read anew after :meth:`forget`.
        known: The global variables that can be read, as operands name them.

    Attributes:
        known: The same.
    """

    def __init__(self, memory: Memory, known: frozenset[int]) -> None:
        self._memory = memory
        self.known = known
        self._outcomes: dict[_Test, bool] = {}
        self._trees: dict[Hashable, _Tree] = {}

    def forget(self) -> None:
        """Forget what was read of the memory, because it has changed."""
        self._outcomes.clear()

    def decide(
        self, question: Hashable, owner: int, follow: Callable[[Decisions], bool]
    ) -> bool:
        """Return the answer to a test, from the present memory.

        Args:
            question: A name for the question, the owner included.
            owner: The object whose rule is followed, 0 for none.
            follow: Finds the answer, by tests whose outcomes decide which tests it
                asks next.
        """
        tree = self._trees.get(question)
        while isinstance(tree, _Fork):
            tree = tree.following[self.outcome(tree.test)]
        if tree is None:
            decisions = Decisions(self, owner)
            tree = follow(decisions)
            self._keep(question, decisions.noted, tree)
        return tree

    def _keep(
        self, question: Hashable, noted: list[tuple[_Test, bool]], answer: bool
    ) -> None:
        if len(self._trees) >= _MOST_TREES:
            self._trees.clear()
        path = iter(noted)
        first = next(path, None)
        if first is None:
            self._trees[question] = answer
            return
        tree = self._trees.setdefault(question, _Fork(first[0]))
        outcome = first[1]
        for test, following in path:
            assert isinstance(tree, _Fork)
            if tree.following[outcome] is None:
                tree.following[outcome] = _Fork(test)
            tree, outcome = tree.following[outcome], following
        assert isinstance(tree, _Fork)
        tree.following[outcome] = answer

    def outcome(self, test: _Test) -> bool:
        """Return whether a test holds."""
        found = self._outcomes.get(test)
        if found is None:
            found = self._outcomes[test] = self._holds(test)
        return found

    def _holds(self, test: _Test) -> bool:
        number, operands = test
        first, *others = map(self._value, operands)
        if number == _JZ:
            return first == 0
        if number == _JE:
            return first in others
        if number == _JIN:
            return self._memory.parent(first & 0xFFFF) == others[0] & 0xFFFF
        if number == _TEST_ATTR:
            return self._memory.attribute(first & 0xFFFF, others[0])
        if number == _TEST:
            return first & others[0] == others[0]
        return first < others[0] if number == _JL else first > others[0]

    def _value(self, operand: Operand) -> int:
        """Return an operand as a signed number."""
        value, variable = operand
        if variable:
            return self._memory.variable(value - _FIRST_GLOBAL)
        return value - 0x10000 if value & 0x8000 else value
