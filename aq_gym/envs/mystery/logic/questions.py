"""Questions as facts, and their answers."""

from __future__ import annotations

from typing import NamedTuple

from aq_gym.envs.mystery.logic.facts import Story


def question_limit(facts: int) -> int:
    """Return the limit of questions and tellings for hidden facts of eight values.

    Halving needs three questions a fact and one telling. Asking for each value in turn
    needs 4.4 a fact on average.
    """
    return 3 * facts + 2


class Question(NamedTuple):
    """A question: whether each of some facts is in a set of values.

    Attributes:
        masks: Sets of values by the index of their aspect; none if the story has
            nothing to do with the question.
        certain: Whether the answer is "yes" whatever the facts are.
    """

    masks: tuple[tuple[int, int], ...]
    certain: bool = False

    def answer(self, story: Story) -> str:
        """Return "yes", "no" or "irrelevant"."""
        if self.certain:
            return "yes"
        if not self.masks:
            return "irrelevant"
        return "yes" if all(story.holds(*mask) for mask in self.masks) else "no"


class Telling(NamedTuple):
    """A story as the agent tells it.

    Attributes:
        values: Pairs of an aspect's index and the number of its value.
    """

    values: tuple[tuple[int, int], ...]


class Known(NamedTuple):
    """The part of an episode that changes.

    Attributes:
        possible: For each aspect the set of values that the answers leave, as far as
            they are about one aspect alone.
        found: For each aspect whether a question that names its value alone was
            answered with "yes", or its value was told.
        told: Whether the whole story was told.
        asked: How many questions and tellings were answered.
    """

    possible: tuple[int, ...]
    found: tuple[bool, ...]
    told: bool = False
    asked: int = 0

    def after_answer(self, question: Question, answer: str) -> Known:
        """Return the knowledge after the answer to a question."""
        possible, found = list(self.possible), list(self.found)
        if answer == "yes":
            for aspect, mask in question.masks:
                possible[aspect] &= mask
                # One bit: the question named this value and no other.
                found[aspect] |= mask & (mask - 1) == 0
        elif answer == "no" and len(question.masks) == 1:
            ((aspect, mask),) = question.masks
            possible[aspect] &= ~mask
        return Known(tuple(possible), tuple(found), self.told, self.asked + 1)

    def after_telling(self, telling: Telling, story: Story) -> Known:
        """Return the knowledge after a telling.

        The story is told when every hidden fact is told and none is wrong.
        """
        right = [a for a, value in telling.values if story.values[a] == value]
        found = tuple(f or a in right for a, f in enumerate(self.found))
        whole = all(a in right for a, hides in enumerate(story.hidden) if hides)
        told = whole and len(right) == len(telling.values)
        return Known(self.possible, found, told, self.asked + 1)
