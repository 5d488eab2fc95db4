"""Sudoku's packaged puzzles, symmetries, solver and grades."""

import os
from collections import Counter, defaultdict

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sudoku_judge import all_solutions, board_of

from aq_gym.envs.sudoku.bank import (
    BANKS,
    bank_lines,
    banked_tasks,
    cell_order,
    image,
    image_count,
)
from aq_gym.envs.sudoku.game import SudokuGame, layout
from aq_gym.envs.sudoku.solver import (
    DIFFICULTIES,
    Candidates,
    grade,
    pair,
    point,
    solve,
)

# The README's claim is about 10,000 seeds, which take 20 minutes.
SEEDS = int(os.environ.get("AQ_GYM_SUDOKU_SEEDS", "10"))
FILES = [(box, difficulty) for box, grades in BANKS.items() for difficulty in grades]


@pytest.mark.parametrize(("box", "difficulty"), FILES)
def test_lines_are_puzzles_with_their_solution(box, difficulty):
    board = layout(box)
    for line in bank_lines(box, difficulty):
        solution = [ord(s) - ord("1" if s.isdigit() else "a") + 1 for s in line]
        for unit in board.units:
            assert sorted(solution[cell] for cell in unit) == [*range(1, box**2 + 1)]
            assert any(line[cell].isalpha() for cell in unit)
        assert sum(map(str.isalpha, line)) <= 55


def _signature(box, line):
    """Describe a puzzle by properties that no symmetry changes."""
    givens = [cell for cell, symbol in enumerate(line) if symbol.isdigit()]
    digits = Counter(line)
    units = Counter(unit for cell in givens for unit in layout(box).units_of[cell])
    parts = []
    for cell in givens:
        row, column, square = (units[unit] for unit in layout(box).units_of[cell])
        lines = tuple(sorted((row, column)))
        parts.append((lines, square, digits[line[cell]]))
    return tuple(sorted(parts))


def _shape(line):
    """Number digits in the order of their first places, so that names do not matter."""
    names = {}
    return tuple(
        (symbol.isdigit(), names.setdefault(ord(symbol) % 16, len(names)))
        for symbol in line
    )


SMALL_ORDERS = [cell_order(layout(2), n) for n in range(128)]


def _small_images(line):
    return {_shape([line[cell] for cell in order]) for order in SMALL_ORDERS}


@pytest.mark.slow
def test_no_large_puzzle_is_an_image_of_another():
    lines = [line for difficulty in DIFFICULTIES for line in bank_lines(3, difficulty)]
    assert len({_signature(3, line) for line in lines}) == len(lines) == 3000


@pytest.mark.slow
def test_no_small_puzzle_is_an_image_of_another():
    alike = defaultdict(list)
    for line in bank_lines(2, "easy"):
        alike[_signature(2, line)].append(line)
    for lines in alike.values():
        images = set()
        for line in lines:
            assert _shape(line) not in images
            images |= _small_images(line)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_seeds_give_different_unique_puzzles_that_the_expert_solves(difficulty):
    env = gym.make("aq/Sudoku-v0", difficulty=difficulty)
    seen = set()
    for seed in range(SEEDS):
        observation, info = env.reset(seed=seed)
        puzzle = board_of(observation)
        seen.add(puzzle)
        (solution,) = all_solutions(puzzle)
        assert env.unwrapped.secrets() == (solution,)
        assert info["difficulty"] == difficulty
        blanks = puzzle.count(".")
        assert blanks <= 55
        for _ in range(blanks):
            observation, *_, info = env.step(env.unwrapped.expert_action())
        assert info["success"]
        assert board_of(observation) == solution
    assert len(seen) == SEEDS


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
