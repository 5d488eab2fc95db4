"""The 2048 environment."""

import copy
from math import log2

import gymnasium as gym
import numpy as np
import pytest

from aq_gym.testing import CHECKS, Case

VARIANTS = (
    {"goal": 128},
    {"goal": 32, "size": 3, "split": "test", "instructions": False},
    {"goal": 64, "size": 5, "split": "train"},
)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kwargs", VARIANTS, ids=str)
def test_arguments_keep_the_contract(check, kwargs):
    check(Case("aq/2048-v0", kwargs))


def play(env, actions):
    return [env.step(action) for action in actions]


def random_actions(seed, count):
    rng = np.random.default_rng(seed)
    return [("up", "a", "Move: s", "right")[i] for i in rng.integers(4, size=count)]


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
    assert env.unwrapped.expert_action() == "check valid actions"


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


def test_a_deal_decides_every_tile():
    env, other = gym.make("aq/2048-v0"), gym.make("aq/2048-v0")
    observation, info = env.reset(seed=5)
    other.reset(seed=77)
    again, _ = other.reset(options={"task_id": info["task_id"]})
    assert again == observation
    actions = random_actions(1, 60)
    assert play(env, actions) == play(other, actions)


def test_resets_without_a_seed_go_on_with_other_deals():
    env = gym.make("aq/2048-v0")
    ids = [env.reset(seed=5)[1]["task_id"]]
    ids += [env.reset()[1]["task_id"] for _ in range(5)]
    assert len(set(ids)) == 6
    assert env.reset(seed=5)[1]["task_id"] == ids[0]
    assert env.unwrapped.np_random_seed == 5


@pytest.mark.parametrize("task_id", ["-1", "01", "x", "", str(2**63), "9" * 5000, 5])
def test_what_is_no_deal_is_refused(task_id):
    with pytest.raises(ValueError, match="task_id="):
        gym.make("aq/2048-v0").reset(options={"task_id": task_id})


@pytest.mark.parametrize(
    ("goal", "size", "difficulty"),
    [(128, 4, "easy"), (512, 4, "easy"), (1024, 4, "hard"), (256, 3, "hard")],
)
def test_difficulty_is_by_goal(goal, size, difficulty):
    env = gym.make("aq/2048-v0", goal=goal, size=size)
    assert env.reset(seed=0)[1]["difficulty"] == difficulty


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"goal": 4}, "goal=4: with size=4 give a power of 2, 8 to 32768"),
        ({"goal": 100}, "goal=100"),
        ({"goal": 0}, "goal=0"),
        ({"goal": -8}, "goal=-8"),
        ({"goal": 65536}, "goal=65536"),
        ({"size": 3}, "goal=2048: with size=3 give a power of 2, 8 to 1024"),
        ({"size": 2}, "size=2: give 3 to 5"),
        ({"size": 6}, "size=6"),
        ({"split": "dev"}, "split='dev'"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/2048-v0", **arguments)
