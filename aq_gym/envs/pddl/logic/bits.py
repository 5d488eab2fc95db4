"""Conversion between ints and the positions of their bits."""

from __future__ import annotations

from collections.abc import Iterable


def positions(bits: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def mask(positions: Iterable[int]) -> int:
    """Return the int with the bits at some positions."""
    bits = 0
    for position in positions:
        bits |= 1 << position
    return bits
