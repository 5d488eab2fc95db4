"""A story and its annotations."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aq_gym.envs.jericho.logic.predicates import Predicate, Symbols

# Jericho's linear congruence, reversed: only 31 bits of its state are ever used.
_MODULUS, _MULTIPLIER, _INCREMENT = 2**31, 22_695_477, 1
_INVERSE = pow(_MULTIPLIER, -1, _MODULUS)
_GOAL_UNKNOWN = "Bring the story to its best ending."


@dataclass(frozen=True)
class Subgoal:
    """One step towards the goal.

    Attributes:
        name: Its name, which reveals no secret.
        reached: Returns whether it holds in a state.
    """

    name: str
    reached: Predicate


@dataclass(frozen=True)
class Game:
    """A story and its annotations.

    Attributes:
        name: Begins its task ids.
        story: The file's content, checked.
        goal: The goal in one sentence.
        difficulty: "easy", "hard" or "" where nothing is known.
        subgoals: The last one is the goal; none for a story without annotation.
        player: The player's object, 0 where unknown.
        symbols: The story's numbers by name, for our adventures.
        walkthrough: The recorded solution of our adventures.
        misread: Phrases besides the usual ones by which the story says that it did
            not understand.
        opening_draws: How many random numbers the story draws before it first
            waits. An adventure's layout is the random stream after them.
        published_seed: The seed at which Jericho publishes a walkthrough.
        score_variable: The global variable that holds the score, None where there is
            none, or where the story's status line or words tell it.
        opening: Lines that lead from the first prompt to where a title's
            walkthrough begins.
        won: Whether the state shows that the story is won, where its words do not.
    """

    name: str
    story: bytes
    goal: str = _GOAL_UNKNOWN
    difficulty: str = ""
    subgoals: tuple[Subgoal, ...] = ()
    player: int = 0
    symbols: Symbols | None = None
    walkthrough: Sequence[Any] = field(default=(), repr=False)
    misread: tuple[str, ...] = ()
    opening_draws: int = 0
    published_seed: int = 0
    won: Predicate | None = None
    score_variable: int | None = None
    opening: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 of the story file."""
        return hashlib.sha256(self.story).digest()

    @property
    def first_seed(self) -> int:
        """The least number of a task; our adventures count layouts from 1."""
        return 1 if self.symbols else 0

    def boot_seed(self, seed: int) -> int:
        """Return the seed at which the random stream begins for a task's number."""
        for _ in range(self.opening_draws):
            seed = (seed - _INCREMENT) * _INVERSE % _MODULUS
        return seed

    @property
    def own_globals(self) -> Mapping[str, int]:
        """The global variables that an adventure itself declares."""
        return self.symbols["own"] if self.symbols else {}
