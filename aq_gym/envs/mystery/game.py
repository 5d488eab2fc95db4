"""Stories of key facts, questions about them, and what an agent knows in a game."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from operator import and_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.support.data import packaged_json

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
    return packaged_json("aq_gym.envs.mystery", f"data/{name}")


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
    """Return the default limit of questions and tellings for some hidden facts.

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

    A box has a set of values for each aspect; it contains the stories whose values are
    in these sets.

    Attributes:
        possible: The smallest box of all stories that fit the answers.
        denied: Boxes of stories that don't fit, by answers about several aspects.
        told: Whether the whole story was told.
        asked: The number of answered questions and tellings.
    """

    possible: tuple[int, ...]
    denied: tuple[tuple[int, ...], ...] = ()
    told: bool = False
    asked: int = 0

    def after_answer(self, question: Question, answer: str) -> Known:
        """Return the knowledge after the answer to a question."""
        known = self._replace(asked=self.asked + 1)
        box = dict(question.masks)
        if not box:
            return known
        if answer == "yes":
            return known._within(box)
        if len(box) == 1:
            # Faster than _without, with the same result.
            return known._within({aspect: ~mask for aspect, mask in box.items()})
        return known._without(box)

    def after_telling(self, telling: Telling, story: Story) -> Known:
        """Return the knowledge after a telling.

        The story is told when every hidden fact is told and none is wrong. Otherwise,
        if every hidden fact is told, the answer says that they are not all right; if
        not, it says nothing about them.
        """
        known = self._replace(asked=self.asked + 1)
        values = dict(telling.values)
        if any(hides and a not in values for a, hides in enumerate(story.hidden)):
            return known
        box = {aspect: 1 << value for aspect, value in values.items()}
        if all(story.holds(*mask) for mask in box.items()):
            return known._within(box)._replace(told=True)
        return known._without(box)

    def _within(self, box: Mapping[int, int]) -> Known:
        possible = tuple(p & box.get(a, p) for a, p in enumerate(self.possible))
        return self._replace(possible=possible)._reduced()

    def _without(self, box: Mapping[int, int]) -> Known:
        denied = tuple(box.get(a, p) for a, p in enumerate(self.possible))
        return self._replace(denied=(*self.denied, denied))._reduced()

    def stories(self) -> int:
        """Return the number of stories that fit the answers."""
        return int(self._fits().sum()) if self.denied else _volume(self.possible)

    def _fits(self) -> NDArray[np.bool_]:
        """Return whether each story with possible values fits the answers."""
        fits = np.ones([mask.bit_count() for mask in self.possible], bool)
        for box in self.denied:
            sides = zip(map(_values, self.possible), box, strict=True)
            fits[np.ix_(*([bool(m >> v & 1) for v in a] for a, m in sides))] = False
        return fits

    def _reduced(self) -> Known:
        """Return the same knowledge with the smallest boxes."""
        inside = (tuple(map(and_, box, self.possible)) for box in self.denied)
        known = self._replace(denied=tuple({box: None for box in inside if all(box)}))
        sizes = [mask.bit_count() for mask in self.possible]
        # A value is excluded once all stories with this value are excluded.
        if sum(map(_volume, known.denied)) < _volume(self.possible) // max(sizes):
            return known
        axes = list(map(_values, self.possible))
        fits = known._fits()
        # A row for each value of an aspect: whether each story with this value fits.
        rows = (np.moveaxis(fits, i, 0).reshape(n, -1) for i, n in enumerate(sizes))
        left = (np.flatnonzero(every.any(1)) for every in rows)
        pairs = zip(axes, left, strict=True)
        possible = tuple(sum(1 << axis[i] for i in places) for axis, places in pairs)
        if possible == self.possible:
            return known
        return known._replace(possible=possible)._reduced()


def _values(mask: int) -> list[int]:
    """Return the values in a set."""
    return [value for value in range(VALUES) if mask >> value & 1]


def _volume(box: tuple[int, ...]) -> int:
    """Return the number of stories in a box."""
    return math.prod(mask.bit_count() for mask in box)


class StoryGame:
    """A generated story and what the agent knows of it.

    Args:
        story: The story.
        questions: The limit of questions and tellings.
        known: The agent's knowledge; None for what the opening tells.

    Attributes:
        story: The story.
        state: The agent's knowledge.
        judged: Always "", because the story's facts are the judge.
    """

    def __init__(
        self, story: Story, questions: int, known: Known | None = None
    ) -> None:
        self.story = story
        self._questions = questions
        self.judged = ""
        if known is None:
            facts = zip(story.values, story.hidden, strict=True)
            every = (1 << VALUES) - 1
            known = Known(tuple(every if hides else 1 << v for v, hides in facts))
        self.state = known

    @property
    def solved(self) -> bool:
        """Whether the whole story was told."""
        return self.state.told

    @property
    def left(self) -> int:
        """The number of questions and tellings that are left."""
        return self._questions - self.state.asked

    def subgoals(self) -> dict[str, bool]:
        """Return whether the answers determine each hidden fact, and "the story"."""
        facts = zip(ASPECTS, self.story.hidden, self.state.possible, strict=True)
        found = {f"the {name}": is_one(mask) for name, hides, mask in facts if hides}
        return {**found, "the story": self.state.told}


def is_one(mask: int) -> bool:
    """Return whether a set has one value."""
    return mask & (mask - 1) == 0
