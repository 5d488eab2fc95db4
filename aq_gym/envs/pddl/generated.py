"""Generated problems of the included domains."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

import numpy as np

from aq_gym.core.splits import draw, in_split
from aq_gym.envs.pddl.domains.problem_draft import ProblemDraft
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.library import DIFFICULTIES, load_domain
from aq_gym.envs.pddl.logic import Task, parse_problem

_NUMBERS = 2**31
_NAME = re.compile(r"(?P<kind>easy|hard|size[1-9][0-9]?)-(?P<number>0|[1-9][0-9]{0,9})")


class GeneratedProblems:
    """The generated problems of an included domain, each of which has a number.

    Args:
        name: The domain.
        difficulty: "easy", "hard", or None for both.
        split: "all", "train" or "test".
        problem: A fixed problem, as a number or as ``easy-7``; None for any.
        size: The number of objects that have to be moved, instead of a difficulty.

    Raises:
        ValueError: If there is no such domain or size, or the problem is malformed or
            not in the split.
    """

    def __init__(
        self,
        name: str,
        difficulty: str | None,
        split: str,
        problem: int | str | None,
        size: int | None = None,
    ) -> None:
        self._name = name
        self._loaded = load_domain(name)
        self._kinds = (difficulty,) if difficulty else DIFFICULTIES
        if size is not None:
            self._kinds = (self._kind_of_size(size, difficulty),)
        self._split = split
        self._fixed = None if problem is None else self._fix(problem)

    def draw(self, rng: np.random.Generator) -> str:
        """Draw the id of a problem of the split."""
        return f"{self._name}:{self._fixed or self._draw(rng)}"

    def get(self, task_id: object) -> Instance:
        """Generate a problem from its id, such as ``blocksworld:easy-7``.

        Raises:
            ValueError: If the id is malformed, or of another domain, difficulty or
                split.
        """
        domain, _, name = str(task_id).rpartition(":")
        if domain != self._name:
            raise ValueError(
                f"task_id={task_id!r}: give {self._name}:easy-NUMBER or "
                f"{self._name}:hard-NUMBER"
            )
        return self._make(self._check(name, f"task_id={task_id!r}"))

    def _draw(self, rng: np.random.Generator) -> str:
        kind = self._kinds[0]
        if len(self._kinds) > 1:
            kind = self._kinds[int(rng.integers(2))]
        return draw(
            lambda: f"{kind}-{int(rng.integers(_NUMBERS))}",
            self._split_key,
            self._split,
        )

    def _fix(self, problem: int | str) -> str:
        if isinstance(problem, bool) or not isinstance(problem, int):
            return self._check(str(problem), f"problem={problem!r}")
        if len(self._kinds) > 1:
            raise ValueError(
                f"problem={problem} needs a difficulty: give difficulty='easy' or "
                f"'hard', or problem='easy-{problem}'"
            )
        return self._check(f"{self._kinds[0]}-{problem}", f"problem={problem}")

    def _check(self, name: str, source: str) -> str:
        """Return a problem's name if it is valid; ``source`` is for the messages."""
        match = _NAME.fullmatch(name)
        if match is None or int(match["number"]) >= _NUMBERS:
            raise ValueError(
                f"{source}: give a number from 0 to 2**31 - 1: easy-NUMBER"
            )
        if match["kind"] not in self._kinds:
            raise ValueError(f"{source} is not {' or '.join(self._kinds)}")
        if not in_split(self._split_key(name), self._split):
            raise ValueError(f"{source} is not in split={self._split!r}")
        return name

    def _kind_of_size(self, size: int, difficulty: str | None) -> str:
        if difficulty is not None:
            raise ValueError(
                f"size={size}, difficulty={difficulty!r}: give one of them"
            )
        sizes = self._loaded.sizes
        if size not in sizes:
            raise ValueError(
                f"size={size}: {self._name} has the sizes {sizes[0]} to {sizes[-1]}"
            )
        return f"size{size}"

    def _split_key(self, name: str) -> str:
        if self._split == "all":
            return ""
        return f"{self._name},{_draft(self._name, name).canonical_form()}"

    def _make(self, name: str) -> Instance:
        draft, kind = _draft(self._name, name), name.partition("-")[0]
        pddl = draft.pddl(self._name, name)
        loaded = self._loaded
        return Instance(
            f"{self._name}:{name}",
            Task(loaded.domain, parse_problem(pddl, loaded.domain)),
            loaded.words,
            kind if kind in DIFFICULTIES else draft.difficulty,
            loaded.pddl,
            pddl,
        )


# draw() generates a problem to learn its split, and get() needs it again.
@lru_cache(maxsize=4)
def _draft(domain: str, name: str) -> ProblemDraft:
    kind, _, number = name.partition("-")
    size = None if kind in DIFFICULTIES else int(kind.removeprefix("size"))
    # Not np_random: the number alone determines the problem.
    return load_domain(domain).generate(Random(int(number)), kind, size)
