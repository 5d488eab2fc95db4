"""With any number of givens, no board of one split is a board of the other."""

import pytest

from aq_gym.core.splits import in_split
from aq_gym.envs.sudoku.bank import BANKS, bank_lines

_SHOW = str.maketrans("abcdefghi", "123456789")


def cycles(first, second):
    """The cycle lengths of the permutation that takes one row to another."""
    after, lengths = dict(zip(first, second, strict=True)), []
    while after:
        symbol, length = next(iter(after)), 0
        while symbol in after:
            symbol, length = after.pop(symbol), length + 1
        lengths.append(length)
    return tuple(sorted(lengths))


def invariant(line):
    """A value that symmetries of the rules do not change."""
    rows = [line.translate(_SHOW)[start : start + 9] for start in range(0, 81, 9)]
    return tuple(sorted(map(_bands, (rows, list(zip(*rows, strict=True))))))


def _bands(rows):
    bands = [rows[start : start + 3] for start in (0, 3, 6)]
    inside = [
        tuple(sorted(cycles(band[i], band[j]) for i in range(3) for j in range(i)))
        for band in bands
    ]
    between = [
        (
            tuple(sorted((inside[a], inside[b]))),
            tuple(sorted(cycles(one, two) for one in bands[a] for two in bands[b])),
        )
        for a in range(3)
        for b in range(a)
    ]
    return tuple(sorted(between))


@pytest.mark.slow
def test_no_two_9x9_puzzles_have_the_same_solution_up_to_symmetry():
    found = {}
    for difficulty in BANKS[3]:
        for line in bank_lines(3, difficulty):
            found.setdefault(invariant(line), []).append(in_split(line, "test"))
    assert {len(parts) for parts in found.values()} == {1}
