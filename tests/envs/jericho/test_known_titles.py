"""The known titles: found, won, and with jericho's random streams."""

import warnings

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import DOWNLOAD, find_game, known_titles
from aq_gym.support.data import packaged


@pytest.mark.needs("module:jericho")
@pytest.mark.parametrize("name", ["loose", "zork1"])
def test_a_task_has_the_stream_that_jericho_has_at_its_number(name, games):
    import jericho

    env = JerichoEnv(game=name, games=str(games))
    for seed in (5, 12):
        judge = jericho.FrotzEnv(str(games / f"{name}.z5"), seed=seed)
        judge.reset()
        env.reset(options={"task_id": f"{name}-{seed}"})
        for action in walkthrough(games / f"{name}.z5")[0][:20]:
            theirs = " ".join(judge.step(action)[0].split())
            observation, _, terminated, _, _ = env.step(action)
            ours = " ".join(observation.partition("[The story waits")[0].split())
            assert ours in theirs
            if terminated:
                break
    env.close()


@pytest.mark.parametrize("task_id", ["zork1-0", "zork1-999999"])
def test_a_title_s_numbers_begin_at_0(task_id, games):
    env = JerichoEnv(game="zork1", games=str(games))
    assert env.reset(options={"task_id": task_id})[1]["task_id"] == task_id
    env.close()


def test_the_seed_of_an_adventure_is_its_stream_after_the_opening():
    game = find_game("mine")
    seed = game.boot_seed(4711)
    for _ in range(game.opening_draws):
        seed = (seed * 22_695_477 + 1) % 2**31
    assert seed == 4711


pytestmark = pytest.mark.needs("module:jericho")

# The steps in which the last subgoal is reached.
STEPS = {
    "905": 22, "acorncourt": 17, "afflicted": 66, "balances": 19, "darkhunt": 67,
    "detective": 50, "dragon": 6, "jewel": 8, "library": 30, "loose": 17, "night": 37,
    "omniquest": 27, "pentari": 24, "reverb": 13, "snacktime": 34, "weapon": 33,
    "zenon": 15, "zork1": 25, "zork2": 66, "zork3": 15,
}  # fmt: skip


def walkthrough(path):
    import jericho

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = jericho.FrotzEnv(str(path))
    return env.get_walkthrough(), env.bindings["seed"]


@pytest.mark.parametrize("name", STEPS)
def test_a_walkthrough_reaches_every_subgoal(title, name):
    path = title(name)
    commands, seed = walkthrough(path)
    env = gym.make(
        "aq/Jericho-v0", game=name, games=str(path.parent), protocol="jericho"
    )
    _, info = env.reset(seed=1)
    assert info["task_id"] == f"{name}-{seed}"
    steps, terminated = 0, False
    while not terminated:
        _, _, terminated, truncated, info = env.step(commands[steps])
        steps += 1
        assert not truncated
    assert info["best_progress"] == 1.0
    assert steps == STEPS[name]


def test_the_known_hashes_are_of_known_titles():
    lines = packaged(*DOWNLOAD.known).decode().splitlines()
    names = {line.rpartition("/")[2] for line in lines}
    assert names <= {notes["file"] for notes in known_titles().values()}
