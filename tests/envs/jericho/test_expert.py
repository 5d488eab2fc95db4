"""The expert wins from a world that other actions have changed."""

import numpy as np
import pytest

from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import ADVENTURES

PLAYED = 10


def env_at(name, seed):
    env = JerichoEnv(game=name)
    env.reset(options={"task_id": f"{name}-{seed}"})
    return env


def wins(env):
    for _ in range(80):
        action = env.expert_action()
        if action is None:
            return False
        _, _, over, _, info = env.step(action)
        if over:
            return info["success"]
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", ADVENTURES)
def test_after_random_actions_that_change_things(name):
    env = env_at(name, 4)
    rng = np.random.default_rng(4)
    for _ in range(PLAYED):
        before = env.get_state()
        actions = env.admissible_actions()
        if env.step(actions[int(rng.integers(len(actions)))])[2]:
            env.set_state(before)
    assert wins(env)
    env.close()


@pytest.mark.slow
def test_what_lies_in_a_closed_container_is_taken_out():
    env = env_at("lighthouse", 7)
    for action in (
        "east", "open tackle box", "take matches", "west", "north", "west",
        "open teapot", "put matches in teapot", "close teapot", "east",
    ):  # fmt: skip
        observation, _, _, _, info = env.step(action)
        assert info["action_valid"]
        assert action != "close teapot" or "You close" in observation
    assert wins(env)
    env.close()


def test_a_door_that_was_closed_is_opened():
    env = env_at("lighthouse", 7)
    while not env.expert_action().startswith("unlock"):
        env.step(env.expert_action())
    env.step(env.expert_action())
    env.step("open tower door")
    assert "You close" in env.step("close tower door")[0]
    assert wins(env)
    env.close()


def test_in_a_dead_end_it_gives_up():
    env = env_at("bathyscaphe", 1)
    while True:
        before = env.get_state()
        if env.step("wait")[2]:
            break
    env.set_state(before)
    assert env.expert_action() is None
    assert env.expert_gave_up() == "the recorded solution cannot be resumed from here"
    env.close()
