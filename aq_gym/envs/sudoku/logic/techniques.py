"""The grade of a puzzle, by the techniques that solve it."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, TypeAlias, get_args

from aq_gym.envs.sudoku.logic.candidates import Candidates
from aq_gym.envs.sudoku.logic.layout import Layout

Difficulty: TypeAlias = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)


def grade(layout: Layout, puzzle: str) -> Difficulty:
    """Grade a puzzle that has one solution.

    Returns:
        "easy" where naked and hidden singles solve it, "medium" where naked and
        hidden pairs and pointing do as well, "hard" where they don't, so that it
        takes search (or rarer techniques).
    """
    candidates = Candidates(layout, puzzle)
    candidates.place_singles()
    difficulty: Difficulty = "easy"
    while candidates.placed != layout.full_mask:
        difficulty = "medium"
        if not (point(candidates) or pair(candidates)):
            return "hard"
        candidates.place_singles()
    return difficulty


def point(candidates: Candidates) -> bool:
    """Rule out by locked candidates; return whether that removed any.

    Box on line and line on box: where all places of a digit in one unit lie in a
    second, it can't stand elsewhere in the second.
    """
    masks = candidates.masks
    before = masks.copy()
    for one, other in candidates.layout.crossings:
        for digit, mask in enumerate(masks):
            if not mask & one & ~other:
                masks[digit] = mask & ~(other & ~one)
    return masks != before


def pair(candidates: Candidates) -> bool:
    """Rule out by naked and hidden pairs; return whether that removed any.

    Where two cells of a unit can hold just the same two digits, no other cell of the
    unit holds them; where two digits have just the same two cells, these hold no
    other digit.
    """
    before = candidates.masks.copy()
    for one, other in combinations(range(len(before)), 2):
        for unit in candidates.layout.unit_masks:
            _naked_pair(candidates.masks, one, other, unit)
            _hidden_pair(candidates.masks, one, other, unit)
    return candidates.masks != before


def _naked_pair(masks: list[int], one: int, other: int, unit: int) -> None:
    cells = masks[one] & masks[other] & unit
    if cells.bit_count() < 2:
        return
    for digit, mask in enumerate(masks):
        if digit not in (one, other):
            cells &= ~mask
    if cells.bit_count() == 2:
        masks[one] &= ~unit | cells
        masks[other] &= ~unit | cells


def _hidden_pair(masks: list[int], one: int, other: int, unit: int) -> None:
    cells = (masks[one] | masks[other]) & unit
    if cells.bit_count() != 2:
        return
    for digit in range(len(masks)):
        if digit not in (one, other):
            masks[digit] &= ~cells
