"""Boards and grids, read from observations."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_runs import BABYAI, MASTERMIND, SUDOKU

import aq_gym  # noqa: F401
from aq_gym.envs.babyai.text import grid
from aq_gym.report.record import grid_of

GAME_2048 = "aq/2048-v0"


@pytest.mark.parametrize("box", [2, 3])
def test_sudoku_is_its_board(box):
    env = gym.make(SUDOKU, box=box)
    observation, _ = env.reset(seed=1)
    rows = grid_of(SUDOKU)(observation)
    cells = env.unwrapped.get_state().world[2]
    assert ["".join(cell or "." for cell in row) for row in rows] == [
        cells[n : n + box**2] for n in range(0, box**4, box**2)
    ]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_2048_is_its_board_at_reset_and_after_every_move(size):
    env = gym.make(GAME_2048, size=size, goal=64)
    observation, _ = env.reset(seed=1)
    for move in ("left", "up", "right", "down", "help", "nothing") * 4:
        rows = grid_of(GAME_2048)(observation)
        if "cannot move" in observation or "is not a move" in observation:
            assert rows is None
        else:
            drawn = [[int(cell or 0) for cell in row] for row in rows]
            board = env.unwrapped.get_state().world[0]
            assert drawn == [[1 << n if n else 0 for n in row] for row in board]
        observation = env.step(move)[0]


def test_babyai_has_the_agent_below_and_what_it_names_where_it_says():
    text = (
        "There is a grey ball 2 5 steps in front of you and 1 steps to your right. "
        "There is a red box 1 2 steps in front of you and 3 steps to your left. "
        "There is a blue closed door 1 right in front of you 4 steps away.  "
        "The room has walls around you. You are facing a wall 6 steps away. "
    )
    rows = grid(text)
    assert rows[6][3] == "▲"
    assert rows[1][4] == "grey ball 2"
    assert rows[4][0] == "red box 1"
    assert rows[2][3] == "blue closed door 1"
    assert rows[0][3] == "wall"
    assert sum(bool(cell) for row in rows for cell in row) == 5


@pytest.mark.parametrize("obs_format", ["agentboard", "balrog"])
def test_babyai_shows_every_object_that_the_text_names(obs_format):
    env = gym.make(BABYAI, obs_format=obs_format)
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        shown = [cell for row in grid_of(BABYAI)(observation) for cell in row]
        told = observation.partition("Your mission: ")[2].partition("\n")[2]
        for kind in ("key", "ball"):
            assert sum(kind in cell for cell in shown) == told.count(f"{kind} ")


@given(st.text())
def test_any_text_is_read_without_an_error(text):
    for env in (SUDOKU, BABYAI, GAME_2048, MASTERMIND):
        assert grid_of(env)(text) is None


def test_an_environment_without_pictures_has_none():
    assert grid_of(MASTERMIND)("Make your first guess.") is None


def test_a_name_that_is_not_registered_imports_nothing(tmp_path, monkeypatch):
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert grid_of("trap:Trap-v0")("text") is None


def test_an_engine_that_is_not_there_is_done_without(monkeypatch):
    spec = gym.envs.registration.EnvSpec("mine/Gone-v0", "not_installed:Env")
    monkeypatch.setitem(gym.registry, "mine/Gone-v0", spec)
    assert grid_of("mine/Gone-v0")("text") is None


class _Wrong:
    @staticmethod
    def grid(observation):
        return [[1, 2]]


def test_a_grid_of_something_else_is_a_mistake(monkeypatch):
    spec = gym.envs.registration.EnvSpec("mine/Wrong-v0", _Wrong)
    monkeypatch.setitem(gym.registry, "mine/Wrong-v0", spec)
    with pytest.raises(TypeError, match="must return a list of lists of str"):
        grid_of("mine/Wrong-v0")("text")
