"""A question with four options."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

LETTERS = "ABCD"
# "All of the above", "A and C": such an option refers to others.
_NAMES_OTHERS = re.compile(
    r"\b(?i:above|below|these|other (?:options|choices|answers))\b|"
    r"\b[A-D](?:,| and| or| nor) [A-D]\b"
)


class Question(NamedTuple):
    """A question with four options, one of which is right.

    Attributes:
        subject: Its subject, or the family of a generated one.
        text: The question.
        options: The four options.
        answer: The number of the right one, 0 to 3.
        difficulty: "easy" or "hard"; "" for a published one.
    """

    subject: str
    text: str
    options: tuple[str, ...]
    answer: int
    difficulty: str = ""

    @property
    def letter(self) -> str:
        """The letter of the right option."""
        return LETTERS[self.answer]

    def shuffled(self, seed: int, task_id: str) -> Question:
        """Return the question with its options in another order.

        A question with an option that refers to others, such as "all of the above",
        keeps its order.
        """
        if any(_NAMES_OTHERS.search(option) for option in self.options):
            return self
        order = Random(f"{seed} {task_id}").sample(range(4), 4)
        options = tuple(self.options[k] for k in order)
        return self._replace(options=options, answer=order.index(self.answer))
