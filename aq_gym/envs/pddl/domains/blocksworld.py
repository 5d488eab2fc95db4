"""Blocksworld problems: from towers to other towers."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

from aq_gym.envs.pddl.domains import (
    MOST_EASY_CONDITIONS,
    ProblemDraft,
    numbered,
)

SIZES = range(2, 11)


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Stack blocks at random, twice; every state is reachable from every other.

    Easy problems have 3 to 7 blocks, hard ones 8 to 10. A size is their number.
    """
    hard = difficulty == "hard"
    blocks = numbered("b", size or rng.randint(*((8, 10) if hard else (3, 7))))
    while True:
        first, second = _draw(rng, len(blocks)), _draw(rng, len(blocks))
        conditions = len(blocks) - second.towers
        # Most hard draws are rejected for this alone, before towers are built.
        graded = size or (conditions > MOST_EASY_CONDITIONS) == hard
        if not conditions or not graded:
            continue
        before, goal = _build(blocks, first), _on(_build(blocks, second))
        if not set(goal) & set(_on(before)):
            break
    init = ["arm-empty", *_on(before)]
    init += [f"on-table {tower[0]}" for tower in before]
    init += [f"clear {tower[-1]}" for tower in before]
    return ProblemDraft({"block": blocks}, init, goal)


class _Draw(NamedTuple):
    """The random numbers of an arrangement of blocks.

    Attributes:
        picks: The numbers that ``random.sample`` draws to order the blocks.
        places: The tower that each block is put on; the number of towers for a new one.
        towers: The number of towers.
    """

    picks: list[int]
    places: list[int]
    towers: int


def _draw(rng: Random, count: int) -> _Draw:
    picks = [_below(rng, left) for left in range(count, 0, -1)]
    places, towers = [], 0
    for _ in range(count):
        place = _below(rng, towers + 1)
        places.append(place)
        towers += place == towers
    return _Draw(picks, places, towers)


def _below(rng: Random, limit: int) -> int:
    """Return the number that ``rng.randrange(limit)`` returns, in less time."""
    bits = limit.bit_length()
    number = rng.getrandbits(bits)
    while number >= limit:
        number = rng.getrandbits(bits)
    return number


def _build(blocks: list[str], draw: _Draw) -> list[list[str]]:
    """Put each block on the table or on a tower, from the bottom up."""
    pool, towers = list(blocks), list[list[str]]()
    for left, pick, place in zip(
        range(len(blocks), 0, -1), draw.picks, draw.places, strict=True
    ):
        block, pool[pick] = pool[pick], pool[left - 1]
        if place == len(towers):
            towers.append([block])
        else:
            towers[place].append(block)
    return towers


def _on(towers: list[list[str]]) -> list[str]:
    return [
        f"on {upper} {lower}" for tower in towers for lower, upper in pairwise(tower)
    ]
