from types import MappingProxyType

import gymnasium as gym
import pytest

from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    SuccessReward,
    TrajectoryLogger,
)


class NoInfo(gym.Env):
    """Gives None where an info belongs, from the reset or from the first step on."""

    observation_space = gym.spaces.Text(9)
    action_space = gym.spaces.Text(9)

    def __init__(self, reset_info):
        self.reset_info = reset_info

    def reset(self, *, seed=None, options=None):
        return "", self.reset_info

    def step(self, action):
        return "", 0.0, False, False, None


WRAPPERS = {
    "extract": ExtractAction,
    "repetition": RepetitionRate,
    "cap": lambda env: StepCap(env, max_invalid=3),
    "progress": lambda env: SubgoalProgress(env, {"a": "a"}),
    "reward": SuccessReward,
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_info_can_be_any_mapping(name):
    env = WRAPPERS[name](NoInfo(MappingProxyType({"success": False})))
    assert env.reset()[1]["success"] is False


@pytest.mark.parametrize("name", [*WRAPPERS, "logger"])
@pytest.mark.parametrize("reset_info", [None, {}])
def test_info_that_is_none_is_named(name, reset_info, tmp_path):
    wrappers = {**WRAPPERS, "logger": lambda env: TrajectoryLogger(env, tmp_path)}
    env = wrappers[name](NoInfo(reset_info))
    with pytest.raises(TypeError, match=r"NoInfo.*info=None; it must be a dict"):
        env.reset(), env.step("x")
