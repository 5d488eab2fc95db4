"""Blocksworld problems: from towers to other towers."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from aq_gym.envs.pddl.domains import (
    MOST_EASY_CONDITIONS,
    ProblemDraft,
    numbered,
)

SIZES = range(2, 11)


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Stack blocks at random, twice; every state is reachable from every other.

    Easy problems have 3 to 7 blocks, hard ones 8 to 10. A size is the number of blocks.
    """
    hard = difficulty == "hard"
    blocks = numbered("b", size or rng.randint(*((8, 10) if hard else (3, 7))))
    while True:
        before, after = _towers(rng, blocks), _towers(rng, blocks)
        goal = _on(after)
        graded = size or (len(goal) > MOST_EASY_CONDITIONS) == hard
        if goal and graded and not set(goal) & set(_on(before)):
            break
    init = ["arm-empty", *_on(before)]
    init += [f"on-table {tower[0]}" for tower in before]
    init += [f"clear {tower[-1]}" for tower in before]
    return ProblemDraft({"block": blocks}, init, goal)


def _towers(rng: Random, blocks: list[str]) -> list[list[str]]:
    """Put each block on the table or on a tower, from the bottom up."""
    towers: list[list[str]] = []
    for block in rng.sample(blocks, len(blocks)):
        place = rng.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([])
        towers[place].append(block)
    return towers


def _on(towers: list[list[str]]) -> list[str]:
    return [
        f"on {upper} {lower}" for tower in towers for lower, upper in pairwise(tower)
    ]
