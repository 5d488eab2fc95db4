"""The known titles, won along the walkthroughs that jericho publishes."""

import warnings

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.games import known_titles

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


def test_every_title_is_walked():
    assert set(STEPS) == set(known_titles())
