"""Stories of key facts, questions about them, and what an agent knows in a game."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

# The kinds of key facts, in the order in which a story gives them.
ASPECTS = ("person", "place", "object", "motive", "weather", "helper")
# The number of values of each aspect.
VALUES = 8
OUTCOMES = 8
_ID = re.compile(r"story-([0-7])-([0-7]{6})-([01]{6})")


class Story(NamedTuple):
    """One story.

    Attributes:
        outcome: The outcome's number, 0 to 7.
        values: The number of each aspect's value, 0 to 7.
        hidden: For each aspect, whether the agent has to find it.
    """

    outcome: int
    values: tuple[int, ...]
    hidden: tuple[bool, ...]

    @property
    def task_id(self) -> str:
        """The outcome, the facts and which facts are hidden, written as one word."""
        hidden = "".join("01"[hides] for hides in self.hidden)
        return f"story-{self.outcome}-{''.join(map(str, self.values))}-{hidden}"

    def holds(self, aspect: int, mask: int) -> bool:
        """Return whether an aspect's value is in a set of values."""
        return bool(mask >> self.values[aspect] & 1)


def draw_story(hidden: int, rng: np.random.Generator) -> Story:
    """Draw a story uniformly.

    Args:
        hidden: The number of hidden facts, 1 to 6.
        rng: The source of randomness.
    """
    values = tuple(map(int, rng.integers(VALUES, size=len(ASPECTS))))
    chosen = set(rng.permutation(len(ASPECTS))[:hidden].tolist())
    hides = tuple(i in chosen for i in range(len(ASPECTS)))
    return Story(int(rng.integers(OUTCOMES)), values, hides)


def read_story(task_id: str) -> Story | None:
    """Parse a ``task_id`` into a story, or return None."""
    match = _ID.fullmatch(task_id)
    if match is None or "1" not in match[3]:
        return None
    hidden = tuple(digit == "1" for digit in match[3])
    return Story(int(match[1]), tuple(map(int, match[2])), hidden)


class Aspect(NamedTuple):
    """One kind of key fact.

    A set of values is a bit mask: bit i stands for the i-th value.

    Attributes:
        name: One of ``ASPECTS``.
        values: The values it can have, as phrases.
        forms: Words for values and categories, each with its set of values; the set is
            empty if no story has what the word names.
        categories: Names of sets of values, with their sets.
        cues: Words for the aspect itself.
    """

    name: str
    values: tuple[str, ...]
    forms: Mapping[str, int]
    categories: Mapping[str, int]
    cues: tuple[str, ...]


@lru_cache(maxsize=1)
def aspects() -> tuple[Aspect, ...]:
    """Return the six kinds of key facts."""
    record = load("facts.json")
    return tuple(_aspect(name, record[name]) for name in ASPECTS)


def load(name: str) -> Any:
    """Return a packaged JSON file."""
    source = files("aq_gym.envs.mystery").joinpath(f"data/{name}")
    return json.loads(source.read_text("utf-8"))


def _aspect(name: str, record: Mapping[str, Any]) -> Aspect:
    values = tuple(record["values"])
    forms = dict.fromkeys(record["others"], 0)
    for i, words in enumerate(record["values"].values()):
        forms.update(dict.fromkeys(words, 1 << i))
    categories = {}
    for category, (words, members) in record["categories"].items():
        mask = sum(1 << values.index(member) for member in members)
        categories[category] = mask
        forms.update(dict.fromkeys(words, mask))
    return Aspect(name, values, forms, categories, tuple(record["cues"]))


def question_limit(facts: int) -> int:
    """Return the limit of questions and tellings for a number of hidden facts.

    A fact has eight values. Halving them needs three questions per fact and one
    telling; asking for each value in turn needs 4.4 questions per fact on average.
    """
    return 3 * facts + 2


class Question(NamedTuple):
    """A question whether one or more facts are in given sets of values.

    Attributes:
        masks: Sets of values by the index of their aspect; empty if the question is
            about no key fact.
        certain: Whether the answer is "yes" whatever the facts are.
        words: The words of the question, unless it is about exactly one fact.
    """

    masks: tuple[tuple[int, int], ...]
    certain: bool = False
    words: str = ""

    def answer(self, story: Story) -> str:
        """Return "yes", "no" or "irrelevant"."""
        if self.certain:
            return "yes"
        if not self.masks:
            return "irrelevant"
        return "yes" if all(story.holds(*mask) for mask in self.masks) else "no"


class Telling(NamedTuple):
    """The facts of a story in an agent's telling.

    Attributes:
        values: Pairs of an aspect's index and the number of its value.
    """

    values: tuple[tuple[int, int], ...]


class Known(NamedTuple):
    """The part of an episode that changes.

    Attributes:
        possible: For each aspect the set of values that are still possible; only
            answers about a single aspect are used.
        found: For each aspect whether a question that names only its value was answered
            with "yes", or its value was told.
        told: Whether the whole story was told.
        asked: The number of answered questions and tellings.
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
                # A single bit means that the question named only this value.
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


class StoryGame:
    """A generated story and what the agent knows of it.

    Args:
        story: The story.
        known: The agent's knowledge; None for what the opening tells.

    Attributes:
        story: The story.
        state: The agent's knowledge.
        judged: Always "", because the story's facts are the judge.
    """

    def __init__(self, story: Story, known: Known | None = None) -> None:
        self.story = story
        self.judged = ""
        if known is None:
            facts = list(zip(story.values, story.hidden, strict=True))
            every = (1 << VALUES) - 1
            possible = tuple(every if hides else 1 << value for value, hides in facts)
            known = Known(possible, tuple(not hides for _, hides in facts))
        self.state = known

    @property
    def solved(self) -> bool:
        """Whether the whole story was told."""
        return self.state.told

    @property
    def left(self) -> int:
        """The number of questions and tellings that are left."""
        return question_limit(sum(self.story.hidden)) - self.state.asked

    def subgoals(self) -> dict[str, bool]:
        """Return whether each hidden fact was found, and whether the story was told."""
        facts = zip(ASPECTS, self.story.hidden, self.state.found, strict=True)
        found = {f"the {name}": found for name, hides, found in facts if hides}
        return {**found, "the story": self.state.told}
