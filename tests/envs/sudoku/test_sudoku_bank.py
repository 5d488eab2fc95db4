"""The packaged puzzles, their splits and the instances made of them."""

import os
from collections import Counter, defaultdict
from itertools import islice

import gymnasium as gym
import pytest
from sudoku_bank import generate
from sudoku_judge import all_solutions, board_of

from aq_gym.core.splits import in_split
from aq_gym.envs.sudoku.bank import BANKS, bank_lines, cell_order
from aq_gym.envs.sudoku.game import layout
from aq_gym.envs.sudoku.solver import DIFFICULTIES, grade

# The claim in the README of the env is for 10,000, which takes 20 minutes.
SEEDS = int(os.environ.get("AQ_GYM_SUDOKU_SEEDS", "25"))
FILES = [(box, difficulty) for box, grades in BANKS.items() for difficulty in grades]


def _puzzle(line):
    return "".join(symbol if symbol.isdigit() else "." for symbol in line)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_the_script_makes_the_packaged_lines_again(difficulty):
    count = 2 if difficulty == "medium" else 5
    made = list(islice(generate(3, difficulty), count))
    assert made == list(bank_lines(3, difficulty)[:count])


def test_the_script_makes_the_small_bank_again():
    assert tuple(generate(2, "easy")) == bank_lines(2, "easy")


@pytest.mark.parametrize(("box", "difficulty"), FILES)
def test_lines_are_puzzles_with_their_solution(box, difficulty):
    board = layout(box)
    for line in bank_lines(box, difficulty):
        solution = [ord(s) - ord("1" if s.isdigit() else "a") + 1 for s in line]
        for unit in board.units:
            assert sorted(solution[cell] for cell in unit) == [*range(1, box**2 + 1)]
            assert any(line[cell].isalpha() for cell in unit)
        assert sum(map(str.isalpha, line)) <= 55


@pytest.mark.parametrize(("box", "difficulty"), FILES)
def test_packaged_puzzles_have_the_grade_of_their_file(box, difficulty):
    for line in bank_lines(box, difficulty)[::40]:
        assert grade(layout(box), _puzzle(line)) == difficulty


def _signature(box, line):
    """Describe a puzzle by what no symmetry changes."""
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
    """Number digits as they come, so that their names do not count."""
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


SHOW = str.maketrans("abcdefghi", "123456789")


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
    rows = [line.translate(SHOW)[start : start + 9] for start in range(0, 81, 9)]
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
