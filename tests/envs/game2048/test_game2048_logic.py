"""2048's rules, packed rows and expert, apart from Gymnasium."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.game2048 import expert
from aq_gym.envs.game2048.expert import Packed, packed_rows
from aq_gym.envs.game2048.logic.board import (
    DIRECTIONS,
    can_move,
    empty_cells,
    highest,
    moved,
    with_tile,
)
from aq_gym.envs.game2048.logic.game import Game2048, deal


def boards(size, most=6):
    row = st.tuples(*[st.integers(0, most)] * size)
    return st.tuples(*[row] * size)


BOARDS = st.sampled_from([3, 4, 5]).flatmap(boards)
DIRECTION = st.sampled_from(DIRECTIONS)


@pytest.mark.parametrize(
    ("row", "after", "points"),
    [
        ((0, 0, 0, 0), (0, 0, 0, 0), 0),
        ((0, 1, 0, 2), (1, 2, 0, 0), 0),
        ((1, 1, 0, 0), (2, 0, 0, 0), 4),
        ((1, 0, 0, 1), (2, 0, 0, 0), 4),
        ((1, 1, 1, 1), (2, 2, 0, 0), 8),
        ((1, 1, 1, 0), (2, 1, 0, 0), 4),
        ((1, 1, 2, 0), (2, 2, 0, 0), 4),
        ((2, 1, 1, 0), (2, 2, 0, 0), 4),
        ((10, 10, 11, 0), (11, 11, 0, 0), 2048),
        ((1, 2, 1, 2), (1, 2, 1, 2), 0),
    ],
)
def test_a_row_slides_and_each_tile_merges_once(row, after, points):
    rest = ((0,) * 4,) * 3
    assert moved((row, *rest), "left") == ((after, *rest), points)
    assert moved((row[::-1], *rest), "right") == ((after[::-1], *rest), points)


def slide(row):
    """Slide a row tile by tile, as the original game does: another algorithm."""
    row, merged, points = list(row), [False] * len(row), 0
    for start in range(1, len(row)):
        i = start
        while i and row[i] and not row[i - 1]:
            row[i - 1], row[i] = row[i], 0
            i -= 1
        if i and row[i] and row[i] == row[i - 1] and not merged[i - 1]:
            row[i - 1], row[i] = row[i] + 1, 0
            merged[i - 1] = True
            points += 2 ** row[i - 1]
    return tuple(row), points


@given(BOARDS, DIRECTION)
def test_a_move_is_that_of_each_line(board, direction):
    def flipped(lines):
        return tuple(line[::-1] for line in lines)

    lines = board if direction in ("left", "right") else tuple(zip(*board, strict=True))
    back = direction in ("right", "down")
    slid = [slide(line) for line in (flipped(lines) if back else lines)]
    after = tuple(line for line, _ in slid)
    after = flipped(after) if back else after
    if direction in ("up", "down"):
        after = tuple(zip(*after, strict=True))
    assert moved(board, direction) == (after, sum(points for _, points in slid))


@given(BOARDS, DIRECTION)
def test_a_move_keeps_the_sum_of_all_tiles(board, direction):
    def total(some):
        return sum(2**level for row in some for level in row if level)

    assert total(moved(board, direction)[0]) == total(board)


@given(BOARDS)
def test_a_full_board_is_over_when_no_move_changes_it(board):
    movable = any(moved(board, d)[0] != board for d in DIRECTIONS)
    if not empty_cells(board):
        assert can_move(board) == movable
    assert Game2048(board, 11).over == (not movable and not empty_cells(board))
    assert Game2048(board, 11).moves == tuple(
        d for d in DIRECTIONS if moved(board, d)[0] != board
    )


@given(BOARDS, DIRECTION, st.integers(0, 100))
def test_a_tile_is_added_after_a_move_that_changes_something(board, direction, seed):
    game = Game2048(board, 11)
    rng = np.random.default_rng(seed)
    untouched = rng.bit_generator.state
    after, points = moved(board, direction)
    tile = game.play(direction, rng)
    if after == board:
        assert tile is None
        assert game.board == board
        assert rng.bit_generator.state == untouched
        return
    cell = (tile.row - 1) * len(board) + tile.column - 1
    assert cell in empty_cells(after)
    assert game.board == with_tile(after, cell, {2: 1, 4: 2}[tile.value])
    assert game.score == points
    assert game.level == max(highest(board), highest(game.board))


def test_a_new_four_can_be_the_highest_tile():
    fours = 0
    for seed in range(60):
        game = Game2048(((1, 0, 0), (0, 0, 1), (0, 0, 0)), 11)
        tile = game.play("left", np.random.default_rng(seed))
        assert game.level == {2: 1, 4: 2}[tile.value] == highest(game.board)
        fours += tile.value == 4
    assert fours


def test_tiles_are_spread_evenly_and_every_tenth_is_a_four():
    rng = np.random.default_rng(0)
    cells, fours = np.zeros(16), 0
    for _ in range(4_000):
        for number, level in enumerate(sum(deal(4, rng), ())):
            cells[number] += level > 0
            fours += level == 2
    assert cells.sum() == 8_000
    assert cells.min() > 430
    assert cells.max() < 570
    assert 700 < fours < 900


@pytest.mark.parametrize("size", [3, 4])
def test_packed_rows_slide_like_rows(size):
    table = packed_rows(size)
    for row in product(range(5), repeat=size):
        number = sum(level << 4 * i for i, level in enumerate(row))
        board = (row, *[(0,) * size] * (size - 1))
        for direction, slid in (("left", table.to_beginning), ("right", table.to_end)):
            after = moved(board, direction)[0][0]
            assert tuple(table.levels[:, slid[number]]) == after
        assert tuple(table.levels[:, number]) == row


# The tables of a size are made once, which takes long for 5x5 cells.
@given(BOARDS)
def test_packed_boards_move_like_boards(board):
    size = len(board)
    packed = Packed(size)
    boards_after, changed = packed.moved(packed.pack(board))
    for number, direction in enumerate(DIRECTIONS):
        after = moved(board, direction)[0]
        levels = packed.levels(boards_after[:, number])[:, :, 0]
        assert tuple(map(tuple, levels.tolist())) == after
        assert bool(changed[number, 0]) == (after != board)


@given(BOARDS)
def test_packed_boards_get_every_tile(board):
    packed = Packed(len(board))
    boards_with, source = packed.with_tiles(packed.pack(board))
    cells = empty_cells(board)
    expected = [with_tile(board, cell, level) for level in (1, 2) for cell in cells]
    got = packed.levels(boards_with).transpose(2, 0, 1).tolist()
    assert [tuple(map(tuple, one)) for one in got] == expected
    assert source.tolist() == [0] * len(cells)


def expected_value(search, board, depth):
    """Value a board before a tile by plain recursion."""
    cells = empty_cells(board)
    total = 0.0
    for cell, (level, chance) in product(cells, ((1, 0.9), (2, 0.1))):
        new = with_tile(board, cell, level)
        values = [-1e6]
        for direction in DIRECTIONS:
            after = moved(new, direction)[0]
            if after != new:
                values.append(
                    expected_value(search, after, depth - 1)
                    if depth
                    else float(search._value(search._packed.pack(after))[0])
                )
        total += chance * max(values)
    return total / len(cells)


@pytest.mark.parametrize(
    "board",
    [
        ((1, 2, 3), (4, 5, 6), (1, 0, 2)),
        ((3, 2, 1), (1, 2, 4), (0, 0, 1)),
        ((1, 2, 1), (2, 0, 2), (1, 2, 1)),
    ],
)
@pytest.mark.parametrize("depth", [0, 1])
def test_the_search_is_expectimax(board, depth):
    search = expert._search(3)
    value = search._before_tile(search._packed.pack(board), depth)[0]
    assert value == pytest.approx(expected_value(search, board, depth))


def played(size, goal, seed):
    rng = np.random.default_rng(seed)
    game = Game2048(deal(size, rng), goal)
    while not (game.solved or game.over):
        assert game.play(expert.best_move(game.board), rng) is not None
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("size", "goal"), [(3, 6), (4, 8), (5, 8)])
def test_the_expert_reaches_small_goals(size, goal):
    assert all(played(size, goal, seed).solved for seed in range(3))


def test_the_expert_takes_the_only_move():
    board = ((1, 2, 3), (4, 5, 6), (1, 2, 2))
    assert expert.best_move(board) in ("left", "right")
