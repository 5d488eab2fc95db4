"""A grammar of plain English sentences, numbered so that a number names one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

_PARTS = ("subjects", "verbs", "objects", "settings", "connectives")
_TWO_CLAUSES = 1 / 3


@dataclass(frozen=True)
class Grammar:
    """Sentences of one clause with a setting, or of two clauses that are connected.

    The sentences have numbers from 0; those of one clause come first.

    Attributes:
        clauses: Every subject, verb and object, as one text.
        settings: Where, when or how.
        connectives: What connects two clauses.
    """

    clauses: tuple[str, ...]
    settings: tuple[str, ...]
    connectives: tuple[str, ...]

    @property
    def short_count(self) -> int:
        """The number of sentences of one clause."""
        return len(self.clauses) * len(self.settings)

    @property
    def count(self) -> int:
        """The number of all sentences."""
        two = self.short_count * len(self.connectives) * len(self.clauses)
        return self.short_count + two

    def draw(self, rng: np.random.Generator) -> int:
        """Draw a sentence: one clause or, in a third of the cases, two."""
        if rng.random() < _TWO_CLAUSES:
            return int(rng.integers(self.short_count, self.count))
        return int(rng.integers(self.short_count))

    def sentence(self, number: int) -> str:
        """Return the sentence with a number, 0 to ``count - 1``."""
        tail = ""
        if number >= self.short_count:
            number, clause = divmod(number - self.short_count, len(self.clauses))
            number, connective = divmod(number, len(self.connectives))
            tail = f" {self.connectives[connective]} {self.clauses[clause]}"
        clause, setting = divmod(number, len(self.settings))
        words = f"{self.clauses[clause]} {self.settings[setting]}{tail}."
        return words[0].upper() + words[1:]

    def text(self, numbers: tuple[int, ...]) -> str:
        """Return sentences by their numbers, as one text."""
        return " ".join(map(self.sentence, numbers))


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the packaged grammar."""
    source = files("aq_gym.envs.cipher").joinpath("data/grammar.json")
    words = json.loads(source.read_text("utf-8"))
    subjects, verbs, objects, settings, connectives = (words[part] for part in _PARTS)
    clauses = tuple(
        f"{subject} {verb} {object_}"
        for subject in subjects
        for verb in verbs
        for object_ in objects
    )
    return Grammar(clauses, tuple(settings), tuple(connectives))
