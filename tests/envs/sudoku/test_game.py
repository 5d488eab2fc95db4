"""Layout, symmetries and the board being filled."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sudoku_judge import count_solutions

from aq_gym.envs.sudoku.logic.game import SudokuGame
from aq_gym.envs.sudoku.logic.layout import BLANK, layout
from aq_gym.envs.sudoku.logic.symmetry import cell_order, hide, image, image_count

PUZZLE = "123.........3.1."
SOLUTION = "1234432121433412"


def test_layout_of_a_small_board():
    board = layout(2)
    assert board.units[:4] == (
        (0, 1, 2, 3),
        (4, 5, 6, 7),
        (8, 9, 10, 11),
        (12, 13, 14, 15),
    )
    assert board.units[4] == (0, 4, 8, 12)
    assert board.units[8:] == (
        (0, 1, 4, 5),
        (2, 3, 6, 7),
        (8, 9, 12, 13),
        (10, 11, 14, 15),
    )
    assert board.names[0] == "row 1"
    assert board.names[11] == "box 4"
    assert board.peers[0] == (1, 2, 3, 4, 5, 8, 12)
    assert board.units_of[6] == (1, 6, 9)
    assert [board.at(2, 3), board.row_column(6)] == [6, (2, 3)]


def test_layout_of_a_large_board():
    board = layout(3)
    assert len(board.units) == len(board.names) == 27
    assert all(len(peers) == 20 for peers in board.peers)


@pytest.mark.parametrize("box", [1, 4, "3", 3.0, [3], None])
def test_other_boxes_are_refused(box):
    with pytest.raises(ValueError, match="choose 2 for 4x4 boards or 3 for 9x9"):
        layout(box)


def test_copies_of_a_layout_are_the_layout():
    assert copy.deepcopy(layout(3)) is layout(3)
    assert pickle.loads(pickle.dumps(layout(2))) is layout(2)


def test_image_zero_is_the_board():
    assert image(layout(2), SOLUTION, 0) == SOLUTION


def test_there_are_as_many_images_as_numbers():
    board = layout(2)
    assert image_count(board) == 3072
    assert image_count(layout(3)) == 1_218_998_108_160
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


@given(st.lists(st.tuples(st.integers(0, 15), st.sampled_from("1234."))))
def test_options_are_what_breaks_no_rule(moves):
    game = SudokuGame(layout(2), PUZZLE, SOLUTION)
    for cell, symbol in moves:
        if not game.is_given(cell):
            game.put(cell, symbol)
    strict, free = game.options(False), game.options(True)
    for cell, now in enumerate(game.cells):
        if game.is_given(cell):
            assert cell not in free
            continue
        changes = [symbol for symbol in "1234." if symbol != now]
        assert free[cell] == changes
        assert strict.get(cell, []) == [
            symbol
            for symbol in changes
            if symbol == "." or not list(game.broken_units(cell, symbol))
        ]


def test_broken_units_are_row_column_and_box():
    game = SudokuGame(layout(2), PUZZLE, SOLUTION)
    assert list(game.broken_units(3, "3")) == [0, 9]
    assert list(game.broken_units(4, "1")) == [4, 8]
    assert list(game.broken_units(5, "1")) == [8]
    assert game.breaks_rule(3, "3")
    assert not list(game.broken_units(4, "4"))
    assert not game.breaks_rule(4, "4")


def test_a_unit_without_blanks_is_not_counted():
    game = SudokuGame(layout(2), "1234" + "4.2." + "." * 8, SOLUTION)
    assert "row 1" not in game.complete
    assert len(game.complete) == 11
