import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

from aq_gym.wrappers import SubgoalProgress, SuccessReward


def test_one_on_the_step_that_solves(room):
    env = SuccessReward(SubgoalProgress(room, {"key": "Taken"}))
    for _ in range(2):
        env.reset()
        rewards = [env.step(action)[1] for action in ("x", "take key", "x")]
        assert rewards == [0.0, 1.0, 0.0]
        assert all(type(reward) is float for reward in rewards)


def test_on_foreign_envs(foreign, play):
    env = SuccessReward(SubgoalProgress(foreign, {"never": "$^x"}))
    assert all(result[1] == 0.0 for result in play(env)[1:])


def test_missing_success_names_the_fix():
    env = SuccessReward(gym.make("CartPole-v1"))
    env.reset(seed=0)
    with pytest.raises(KeyError, match="SubgoalProgress"):
        env.step(0)


def test_another_key(room):
    env = SuccessReward(room, keys={"success": "won"})
    env.reset()
    assert [env.step(a)[1] for a in ("take key", "open door")] == [0.0, 1.0]
    made = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert made.spec == env.spec


def test_copies_go_on_alike(duplicate, room):
    env = SuccessReward(SubgoalProgress(room, {"key": "Taken"}))
    env.reset(seed=1)
    env.step("take key")
    copied = duplicate(env)
    assert copied.step("take key") == env.step("take key")
