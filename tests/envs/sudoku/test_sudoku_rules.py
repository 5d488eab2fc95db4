"""Sudoku's boards, symmetries, solver and grades."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sudoku_judge import all_solutions, count_solutions

from aq_gym.envs.sudoku.bank import banked_tasks, cell_order, hide, image, image_count
from aq_gym.envs.sudoku.game import BLANK, SudokuGame, layout
from aq_gym.envs.sudoku.solver import (
    DIFFICULTIES,
    Candidates,
    grade,
    pair,
    point,
    solve,
)

PUZZLE = "123.........3.1."
SOLUTION = "1234432121433412"


def test_there_are_as_many_images_as_numbers():
    board = layout(2)
    assert image_count(board) == 3072
    assert image_count(layout(3)) == 1_218_998_108_160
    assert image(board, SOLUTION, 0) == SOLUTION
    orders = {tuple(cell_order(board, n)) for n in range(128)}
    assert len(orders) == 128
    # A puzzle without symmetry of its own has a different image for each number.
    assert len({image(board, "123....1...4..3.", n) for n in range(3072)}) == 3072


@given(st.integers(0, image_count(layout(3)) - 1))
def test_images_of_a_large_board_move_units_onto_units(number):
    board = layout(3)
    order = cell_order(board, number)
    assert sorted(order) == list(range(81))
    units = {frozenset(unit) for unit in board.units}
    assert {frozenset(order[cell] for cell in unit) for unit in board.units} == units


@given(st.integers(0, 3071))
def test_images_keep_the_solution_the_only_one(number):
    board = layout(2)
    line = "".join(
        hide(digit) if given == BLANK else given
        for digit, given in zip(SOLUTION, PUZZLE, strict=True)
    )
    moved = image(board, line, number)
    puzzle = "".join(s if s.isdigit() else BLANK for s in moved)
    solution = moved.translate(str.maketrans("abcd", "1234"))
    assert count_solutions(puzzle) == 1
    for unit in board.units:
        assert {solution[cell] for cell in unit} == set("1234")


@given(st.lists(st.tuples(st.integers(0, 15), st.sampled_from("1234."))))
def test_counts_follow_any_moves(moves):
    game = SudokuGame(layout(2), PUZZLE, SOLUTION)
    for cell, symbol in moves:
        if not game.is_given(cell):
            game.put(cell, symbol)
    fresh = SudokuGame(layout(2), PUZZLE, SOLUTION, "".join(game.cells))
    assert vars(game) == vars(fresh)
    right = [a == b for a, b in zip(game.cells, SOLUTION, strict=True)]
    assert game.correct == sum(right) - 5
    assert game.solved == all(right)
    assert game.empty == game.cells.count(".")
    rows = [set(game.cells[i : i + 4]) == set("1234") for i in range(0, 16, 4)]
    assert [game.complete[f"row {i}"] for i in range(1, 5)] == rows


def test_a_unit_without_blanks_is_not_counted():
    game = SudokuGame(layout(2), "1234" + "4.2." + "." * 8, SOLUTION)
    assert "row 1" not in game.complete
    assert len(game.complete) == 11


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
