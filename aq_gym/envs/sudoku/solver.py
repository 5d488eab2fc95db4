"""The candidates of each cell as bit sets, with human techniques and a search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Literal, TypeAlias, get_args

from aq_gym.envs.sudoku.game import BLANK, Layout

Difficulty: TypeAlias = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)


class Candidates:
    """For each digit the cells that can hold it, as an int with one bit per cell.

    Whole boards are compared in a few operations on numbers of 81 bits. A cell or a
    digit without a candidate is found by :meth:`place_singles`.

    Args:
        layout: The layout of the board.
        puzzle: One character per cell, ``.`` for an empty cell.

    Attributes:
        layout: The layout of the board.
        masks: For every digit, in the order 1, 2, ..., the cells that can hold it.
        placed: The cells whose digit is known.
    """

    def __init__(self, layout: Layout, puzzle: str) -> None:
        self.layout = layout
        self.masks = [layout.full_mask] * layout.size
        self.placed = 0
        for cell, digit in enumerate(puzzle):
            if digit != BLANK:
                self.place(1 << cell, int(digit) - 1)

    def copy(self) -> Candidates:
        """Return an independent copy."""
        twin = object.__new__(Candidates)
        twin.layout = self.layout
        twin.masks = self.masks.copy()
        twin.placed = self.placed
        return twin

    def place(self, bit: int, digit: int) -> None:
        """Place a digit, counted from 0, in the cell with a bit."""
        masks = self.masks
        holds = masks[digit] & bit
        rest = ~bit
        for other, mask in enumerate(masks):
            masks[other] = mask & rest
        masks[digit] &= self.layout.non_peer_masks[bit.bit_length() - 1]
        masks[digit] |= holds
        self.placed |= bit

    def naked_singles(self) -> int | None:
        """Return the open cells with one candidate; None if a cell has none."""
        ones = twos = 0
        for mask in self.masks:
            twos |= ones & mask
            ones |= mask
        if ones != self.layout.full_mask:
            return None
        return ones & ~(twos | self.placed)

    def place_singles(self) -> bool:
        """Place naked and hidden singles until none is left; False on a conflict."""
        while True:
            singles = self.naked_singles()
            if singles is None:
                return False
            if singles:
                for digit, mask in enumerate(self.masks):
                    for bit in bits(mask & singles):
                        self.place(bit, digit)
            elif self.placed == self.layout.full_mask:
                return True
            else:
                hidden = self.hidden_single()
                if hidden is None:
                    return False
                bit, digit = hidden
                if not bit:
                    return True
                self.place(bit, digit)

    def hidden_single(self) -> tuple[int, int] | None:
        """Return an open cell and a digit that no other cell of a unit can hold.

        Returns:
            The cell as its bit, 0 if there is none; None if a digit has no cell.
        """
        open_cells = ~self.placed
        for digit, mask in enumerate(self.masks):
            for unit in self.layout.unit_masks:
                here = mask & unit
                if not here & (here - 1):
                    if not here:
                        return None
                    if here & open_cells:
                        return here, digit
        return 0, 0


def bits(mask: int) -> Iterator[int]:
    """Yield the bits of a number, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def solutions(candidates: Candidates) -> Iterator[str]:
    """Yield every solution; modifies the candidates."""
    if not candidates.place_singles():
        return
    if candidates.placed == candidates.layout.full_mask:
        yield _filled(candidates)
        return
    for bit, digit in _narrowest(candidates):
        attempt = candidates.copy()
        attempt.place(bit, digit)
        yield from solutions(attempt)


def solve(layout: Layout, puzzle: str, most: int = 2) -> list[str]:
    """Return at most ``most`` solutions of a puzzle."""
    return list(islice(solutions(Candidates(layout, puzzle)), most))


def _filled(candidates: Candidates) -> str:
    digit_of = {
        bit: str(digit)
        for digit, mask in enumerate(candidates.masks, 1)
        for bit in bits(mask)
    }
    return "".join(digit_of[1 << cell] for cell in range(candidates.layout.cells))


def _narrowest(candidates: Candidates) -> list[tuple[int, int]]:
    """Return the smallest choice: a cell's digits, or a unit's cells for a digit."""
    masks = candidates.masks
    cell = narrowest_cell(candidates)
    best = [(cell, digit) for digit, mask in enumerate(masks) if mask & cell]
    for digit, mask in enumerate(masks):
        if len(best) == 2:
            break
        for unit in candidates.layout.unit_masks:
            here = mask & unit & ~candidates.placed
            if here and here.bit_count() < len(best):
                best = [(bit, digit) for bit in bits(here)]
    return best


def narrowest_cell(candidates: Candidates) -> int:
    """Return the bit of the first open cell with the fewest candidates."""
    # at_least[k] has the cells with more than k candidates.
    at_least = [0] * len(candidates.masks)
    for mask in candidates.masks:
        for k, cells in enumerate(at_least):
            at_least[k] = cells | mask
            mask &= cells
    for k in range(1, len(at_least)):
        cells = at_least[k - 1] & ~at_least[k] & ~candidates.placed
        if cells:
            return cells & -cells
    cells = at_least[-1]
    return cells & -cells


def grade(layout: Layout, puzzle: str) -> Difficulty:
    """Grade a puzzle that has one solution.

    Returns:
        "easy" if naked and hidden singles solve it, "medium" if it also takes naked or
        hidden pairs or pointing, "hard" if these are not enough, so that it takes
        search (or rarer techniques).
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

    If all cells for a digit in one unit also lie in a second unit, the digit can't be
    elsewhere in the second. One of the units is a box, the other a row or column.
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

    If two cells of a unit can hold only the same two digits, no other cell of the unit
    can hold these. If two digits have only the same two cells, these cells can hold no
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
