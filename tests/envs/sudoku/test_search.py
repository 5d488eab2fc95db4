"""Solutions and the grade of a puzzle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sudoku_judge import all_solutions

from aq_gym.envs.sudoku.bank import banked_tasks
from aq_gym.envs.sudoku.logic.candidates import Candidates
from aq_gym.envs.sudoku.logic.layout import layout
from aq_gym.envs.sudoku.logic.search import solve
from aq_gym.envs.sudoku.logic.symmetry import image, image_count
from aq_gym.envs.sudoku.logic.techniques import (
    DIFFICULTIES,
    _naked_pair,
    grade,
    pair,
    point,
)

SINGLES = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
SEARCH = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
# Norvig's: no solution, and plain backtracking takes minutes to see it.
IMPOSSIBLE = (
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
)


@pytest.mark.parametrize("puzzle", [SINGLES, SEARCH, IMPOSSIBLE])
def test_solutions_agree_with_exact_cover(puzzle):
    assert solve(layout(3), puzzle) == list(all_solutions(puzzle))


@settings(max_examples=200)
@given(st.text("....1234", min_size=16, max_size=16))
def test_small_boards_have_the_same_solutions(puzzle):
    assert sorted(solve(layout(2), puzzle, most=300)) == sorted(all_solutions(puzzle))


def test_there_are_288_small_boards():
    found = solve(layout(2), "." * 16, most=1000)
    assert len(set(found)) == len(found) == 288


def test_most_bounds_the_search():
    assert len(solve(layout(3), "." * 81, most=5)) == 5


def test_contradictory_givens_have_no_solution():
    assert solve(layout(3), "11" + "." * 79) == []


def _naive_singles(puzzle):
    """Solve by singles with plain sets, as a person would."""
    cells = list(puzzle)
    units = layout(3).units
    while True:
        options = {
            cell: set(layout(3).digits)
            - {cells[other] for unit in units if cell in unit for other in unit}
            for cell in range(81)
            if cells[cell] == "."
        }
        found = {cell: min(left) for cell, left in options.items() if len(left) == 1}
        for unit in units:
            for digit in layout(3).digits:
                places = [cell for cell in unit if digit in options.get(cell, ())]
                if len(places) == 1:
                    found[places[0]] = digit
        if not found:
            return "".join(cells)
        for cell, digit in found.items():
            cells[cell] = digit


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_easy_is_what_singles_solve(difficulty):
    rng = np.random.default_rng(0)
    bank = banked_tasks(3, difficulty, "all")
    for _ in range(5):
        instance = bank.get(bank.draw(rng))
        solved = _naive_singles(instance.puzzle) == instance.solution
        assert solved == (difficulty == "easy")


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_grade_is_the_same_for_every_image(difficulty):
    rng = np.random.default_rng(0)
    board = layout(3)
    for _ in range(20):
        bank = banked_tasks(3, difficulty, "all")
        puzzle = bank.get(bank.draw(rng)).puzzle
        moved = image(board, puzzle, int(rng.integers(image_count(board))))
        assert grade(board, moved) == grade(board, puzzle) == difficulty


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_techniques_rule_out_no_right_digit(difficulty):
    rng = np.random.default_rng(1)
    for _ in range(10):
        bank = banked_tasks(3, difficulty, "all")
        instance = bank.get(bank.draw(rng))
        candidates = Candidates(layout(3), instance.puzzle)
        while point(candidates) | pair(candidates):
            pass
        for cell, digit in enumerate(instance.solution):
            assert candidates.masks[int(digit) - 1] >> cell & 1


def _cells_of(candidates, digit, unit):
    mask = candidates.masks[digit - 1]
    return [cell for cell in layout(3).units[unit] if mask >> cell & 1]


def _only(candidates, digit, unit, cells):
    for cell in set(layout(3).units[unit]) - set(cells):
        candidates.rule_out(cell, digit - 1)


ROW_1, COLUMN_1, BOX_1 = 0, 9, 18


def test_box_points_along_a_line():
    candidates = Candidates(layout(3), "." * 81)
    _only(candidates, 5, BOX_1, [0, 1])
    assert point(candidates)
    assert _cells_of(candidates, 5, ROW_1) == [0, 1]
    assert len(_cells_of(candidates, 5, ROW_1 + 1)) == 6
    assert not point(candidates)


def test_line_claims_a_box():
    candidates = Candidates(layout(3), "." * 81)
    _only(candidates, 5, COLUMN_1, [0, 9])
    assert point(candidates)
    assert _cells_of(candidates, 5, BOX_1) == [0, 9]
    assert not point(candidates)


def test_naked_pair_takes_its_digits_from_the_others():
    candidates = Candidates(layout(3), "." * 81)
    for cell in (0, 8):
        for digit in range(3, 10):
            candidates.rule_out(cell, digit - 1)
    assert pair(candidates)
    assert _cells_of(candidates, 1, ROW_1) == [0, 8]
    assert _cells_of(candidates, 2, ROW_1) == [0, 8]
    assert _cells_of(candidates, 3, ROW_1) == [1, 2, 3, 4, 5, 6, 7]


def test_hidden_pair_takes_the_others_from_its_cells():
    candidates = Candidates(layout(3), "." * 81)
    for digit in (1, 2):
        _only(candidates, digit, ROW_1, [0, 8])
    assert pair(candidates)
    assert _cells_of(candidates, 1, ROW_1) == [0, 8]
    assert _cells_of(candidates, 3, ROW_1) == [1, 2, 3, 4, 5, 6, 7]


def test_no_technique_applies_to_an_empty_board():
    candidates = Candidates(layout(3), "." * 81)
    assert not point(candidates)
    assert not pair(candidates)


@pytest.mark.parametrize("cell", [0, 1, 40, 80])
def test_the_only_place_of_a_digit_is_found(cell):
    solved = "".join(solve(layout(3), "." * 81, most=1)[0])
    digit = int(solved[cell])
    others = [
        other for other in range(81) if solved[other] == str(digit) and other != cell
    ]
    candidates = Candidates(layout(3), "." * 81)
    for other in others:
        candidates.place(1 << other, digit - 1)
    assert candidates.hidden_single() == (1 << cell, digit - 1)
    candidates.place(1 << cell, digit - 1)
    assert candidates.hidden_single() == (0, 0)
    candidates.masks[digit % 9] = 0
    assert candidates.hidden_single() is None


def test_two_cells_for_two_digits_alone_are_a_pair():
    unit = layout(2).unit_masks[0]
    masks = [0b0111, 0b0011, 0b1100, 0b1100]
    _naked_pair(masks, 0, 1, unit)
    assert masks == [0b0011, 0b0011, 0b1100, 0b1100]
