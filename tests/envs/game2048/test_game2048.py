"""2048: its rules, texts and expert."""

import copy
from math import log2

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.game2048 import expert
from aq_gym.envs.game2048.game import (
    DIRECTIONS,
    Game2048,
    can_move,
    deal,
    empty_cells,
    highest,
    moved,
    with_tile,
)


def play(env, actions):
    return [env.step(action) for action in actions]


def random_actions(seed, count):
    rng = np.random.default_rng(seed)
    return [("up", "a", "Move: s", "right")[i] for i in rng.integers(4, size=count)]


FIRST = """\
Let us play 2048, on a board of 3x3 cells. A move slides all tiles as far as they can \
go in one direction. Two equal tiles that meet merge into one of twice the value; a \
tile merges once a move at most. After each move that changes the board a 2, \
sometimes a 4, appears in a random empty cell. A move that changes nothing cannot be \
made.
You win when you make a tile of 128; you lose when the board is full and no move is \
left.
Move with up, down, left or right (or w, s, a, d).
The board has two tiles; a dot is an empty cell.
     .     .     .
     .     .     .
     2     2     ."""


def test_texts_are_pinned():
    env = gym.make("aq/2048-v0", size=3, goal=128)
    observation, info = env.reset(options={"task_id": "5"})
    assert observation == FIRST
    assert info["goal"] == "Make a tile of 128."
    left = (
        "You moved left. A 2 appeared in row 2, column 2. Your score is 4.\n"
        "     .     .     .\n     .     2     .\n     4     .     ."
    )
    assert env.step("left")[0] == left
    env.step("left")
    board = "     2     2     4\n     4     .     .\n     .     .     ."
    assert env.step("up")[0].endswith(f"Your score is 4.\n{board}")
    how = "Move with up, down, left or right (or w, s, a, d)."
    listed = "Moves that change the board now: down, left, right."
    assert env.step("help")[0] == f"{how} {listed}\n{board}"
    assert env.step("diagonal")[0] == f"'diagonal' is not a move. {how}"
    assert env.step("up")[0] == (
        "You cannot move up: no tile would slide or merge. "
        "You can move down, left or right."
    )
    bare, _ = gym.make("aq/2048-v0", instructions=False).reset(seed=0)
    assert bare.startswith("The board has two tiles; a dot is an empty cell.\n ")


def test_progress_is_counted_in_doublings_from_the_first_tile():
    env = gym.make("aq/2048-v0", goal=64)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        start = info["largest_tile"]
        assert start in (2, 4)
        tiles = [2**level for level in range(int(log2(start)) + 1, 7)]
        assert list(info["subgoals"]) == [f"tile {tile}" for tile in tiles]
        for *_, info in play(env, random_actions(seed, 30)):
            tile = info["largest_tile"]
            span = log2(64) - log2(start)
            assert info["progress"] == pytest.approx((log2(tile) - log2(start)) / span)
            assert info["subgoals"] == {f"tile {t}": tile >= t for t in tiles}
            assert info["agentquest_progress"] == round(log2(tile) / 6, 2)


def test_the_goal_ends_the_game():
    env = gym.make("aq/2048-v0", goal=8)
    env.reset(seed=0)
    for _ in range(60):
        action = env.unwrapped.expert_action()
        observation, _, terminated, _, info = env.step(action)
        if terminated:
            break
    assert info["success"]
    assert info["largest_tile"] == 8
    assert "You won! You made a tile of 8." in observation


def test_a_full_board_ends_the_game():
    env = gym.make("aq/2048-v0", size=3, goal=1024)
    env.reset(seed=0)
    for action in random_actions(0, 1_000):
        observation, _, terminated, truncated, info = env.step(action)
        if terminated:
            break
    assert terminated
    assert not truncated
    assert not info["success"]
    assert "You lost: the board is full and no move is left." in observation
    assert env.unwrapped.admissible_actions() == ()
    assert env.unwrapped.expert_action() is None


def test_a_move_that_changes_nothing_is_invalid_and_draws_nothing():
    env = gym.make("aq/2048-v0")
    for seed in range(20):
        env.reset(seed=seed)
        moves = env.unwrapped.admissible_actions()
        for action in {"up", "down", "left", "right"} - set(moves):
            state = env.unwrapped.get_state()
            info = env.step(action)[4]
            assert not info["action_valid"]
            assert f"You cannot move {action}" in info["feedback"]
            assert env.unwrapped.get_state() == state
        for action in moves:
            assert copy.deepcopy(env).step(action)[4]["action_valid"]


@pytest.mark.parametrize("task_id", ["-1", "01", "x", "", str(2**63), "9" * 5000, 5])
def test_what_is_no_deal_is_refused(task_id):
    with pytest.raises(ValueError, match="task_id="):
        gym.make("aq/2048-v0").reset(options={"task_id": task_id})


@pytest.mark.parametrize(
    ("goal", "size", "difficulty"),
    [
        (64, 3, "easy"),
        (128, 3, "hard"),
        (512, 4, "easy"),
        (1024, 4, "hard"),
        (2048, 5, "easy"),
        (4096, 5, "hard"),
    ],
)
def test_difficulty_is_by_goal(goal, size, difficulty):
    env = gym.make("aq/2048-v0", goal=goal, size=size)
    assert env.reset(seed=0)[1]["difficulty"] == difficulty


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"goal": 4}, "goal=4: with size=4 give a power of 2, 8 to 32768"),
        ({"goal": 100}, "goal=100"),
        ({"goal": -8}, "goal=-8"),
        ({"goal": 65536}, "goal=65536"),
        ({"size": 3}, "goal=2048: with size=3 give a power of 2, 8 to 1024"),
        ({"size": 2}, "size=2: give 3 to 5"),
        ({"size": 6}, "size=6"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/2048-v0", **arguments)


def test_the_documented_limits_are_allowed():
    for size, goal in ((3, 8), (3, 1024), (4, 32768), (5, 32768)):
        gym.make("aq/2048-v0", size=size, goal=goal).reset(seed=0)


READ = {
    "up": [
        "up", "UP", " up. ", "w", "W", "Move: w", "move up", "slide up", "upwards",
    ],
    "left": [
        "a", "left", "move left", "'left'", "swipe to the left", "Direction: left",
        "[left]", "slide all tiles left", "move the tiles to the left.",
    ],
    "down": ["s", "go down", "downward"],
    "right": ["d", "right!", "[right]", "press d"],
    "": [
        "", "u", "north", "left or right", "left, left", "I move left", "wasd", "move",
        "not left", "left because it merges", "upleft", "lefty", "right?", "up\x00",
    ],
}  # fmt: skip


@pytest.mark.parametrize("direction", READ)
def test_moves_are_read_tolerantly(direction):
    env = gym.make("aq/2048-v0").unwrapped
    for text in READ[direction]:
        assert env.understands(text) is bool(direction), text
        assert env.canonical_action(text) == (direction or text)


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
    column = tuple((tile, 0, 0, 0) for tile in row)
    slid = tuple((tile, 0, 0, 0) for tile in after)
    assert moved(column, "up") == (slid, points)
    assert moved(column[::-1], "down") == (slid[::-1], points)


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
    # Every ninth would be 833.
    assert 700 < fours < 820


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
