"""How moves are read, and what is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.sudoku import actions, text
from aq_gym.envs.sudoku.actions import Move
from aq_gym.envs.sudoku.logic.game import SudokuGame
from aq_gym.envs.sudoku.logic.layout import layout

PUZZLE = "123.........3.1."
SOLUTION = "1234432121433412"


@pytest.mark.parametrize(
    "action",
    [
        "Row: 1, Column: 3, Value: 4",
        "row 1, column 3, value 4",
        "Row: 1, Column: 3, Digit: 4.",
        '  "ROW:1,  COLUMN:3,\nVALUE:4"  ',
        "row=1; col=3; value=4",
        "1 3 4",
        "1,3,4",
        "1, 3, 4",
        "r1c3=4",
        "R1C3 = 4",
        "r1 c3 4",
        "r1c3: 4",
        "`r1c3=4`",
        "(1, 3, 4)",
        "(1, 3) = 4",
        "put 4 in row 1 column 3",
        "Put the digit 4 in row 1, column 3.",
        "place 4 at r1c3",
        "write 4 into cell (1, 3)",
        "set row 1 column 3 to 4",
    ],
)
def test_forms_of_a_move(action):
    assert actions.read(action) == Move(1, 3, 4)


@pytest.mark.parametrize(
    "action",
    ["clear r1c3", "Clear R1C3.", "clear 1 3", "clear row 1, column 3", "clear: r1c3"],
)
def test_forms_of_clearing(action):
    assert actions.read(action) == Move(1, 3, None)


@pytest.mark.parametrize(
    "action",
    [
        "",
        "134",
        "1 34",
        "r1c34",
        "r13=4",
        "1 3",
        "1 3 4 5",
        "r1c3=-4",
        "-1 3 4",
        "1.0 3 4",
        "clear",
        "clear r1",
        "clearr1c3",
        "clear r1c3=4",
        "I would play r1c3=4",
        "(1, 3, 4",
        "put 4 in row 1",
        "put 4 in row 1 column 3 or column 5",
        "set r1c3",
        "r1c3=4 r1c4=5",
        "Column: 3, Row: 1, Value: 4",
        "r1c3=1234",
        "r1c3=" + "9" * 5000,
        "r\u0661c3=4",
        "r1c3=\u00b2",
    ],
)
def test_what_is_not_a_move(action):
    assert actions.read(action) is None


@given(st.text())
def test_any_text_is_read_without_an_exception(action):
    actions.read(action)


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from("123456789."))
def test_moves_are_written_as_they_are_read(row, column, symbol):
    board = layout(3)
    written = actions.write(board, board.at(row, column), symbol)
    value = None if symbol == "." else int(symbol)
    assert actions.read(written) == Move(row, column, value)


def test_a_large_board_is_drawn_with_labels():
    puzzle = (
        "53..7....6..195....98....6.8...6...34..8.3..1"
        "7...2...6.6....28....419..5....8..79"
    )
    assert text.with_board("Look:", SudokuGame(layout(3), puzzle, puzzle)) == (
        "Look:\n"
        "Column  1 2 3   4 5 6   7 8 9\n"
        "      +-------+-------+-------+\n"
        "Row 1 | 5 3 . | . 7 . | . . . |\n"
        "Row 2 | 6 . . | 1 9 5 | . . . |\n"
        "Row 3 | . 9 8 | . . . | . 6 . |\n"
        "      +-------+-------+-------+\n"
        "Row 4 | 8 . . | . 6 . | . . 3 |\n"
        "Row 5 | 4 . . | 8 . 3 | . . 1 |\n"
        "Row 6 | 7 . . | . 2 . | . . 6 |\n"
        "      +-------+-------+-------+\n"
        "Row 7 | . 6 . | . . . | 2 8 . |\n"
        "Row 8 | . . . | 4 1 9 | . . 5 |\n"
        "Row 9 | . . . | . 8 . | . 7 9 |\n"
        "      +-------+-------+-------+"
    )


def test_instructions():
    assert text.instructions(layout(2), allow_conflicts=False) == (
        "Let us play Sudoku. Fill the 4x4 board so that every row, every column and "
        "every 2x2 box holds each digit from 1 to 4 exactly once. Rows are numbered 1 "
        "to 4 from top to bottom, columns 1 to 4 from left to right, and a dot is an "
        "empty cell. There is exactly one solution.\n"
        "The digits given at the start can't be changed; those that you put can be "
        "changed and cleared. A digit that already stands in the same row, column or "
        "box is refused; one that is accepted can still be wrong.\n"
        "To put a digit in a cell: Row: 1, Column: 3, Value: 4 (or 1 3 4, or r1c3=4). "
        "To empty a cell that you filled: clear r1c3"
    )


@given(st.lists(st.tuples(st.integers(0, 15), st.sampled_from("1234."))))
def test_what_is_said_depends_on_the_solution_only_when_it_is_found(moves):
    one = SudokuGame(layout(2), PUZZLE, SOLUTION)
    other = SudokuGame(layout(2), PUZZLE, "x" * 16)
    for cell, symbol in moves:
        if one.is_given(cell):
            continue
        for game in (one, other):
            game.put(cell, symbol)
        row, column = one.layout.row_column(cell)
        move = Move(row, column, None if symbol == "." else int(symbol))
        assert one.complete == other.complete
        if not one.solved:
            assert text.answer(one, move) == text.answer(other, move)
