"""The explanation of numbers fits the format of the observations."""

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401


@pytest.mark.parametrize(
    ("obs_format", "said"), [("balrog", True), ("agentboard", False)]
)
def test_numbers_are_explained_where_none_are_seen(obs_format, said):
    env = gym.make("aq/BabyAI-text-v0", obs_format=obs_format)
    opening, _ = env.reset(seed=0)
    assert ("number 1 is the nearest" in opening) == said


def test_a_level_that_is_no_text_is_named():
    with pytest.raises(TypeError, match="level=3 must be a str"):
        gym.make("aq/BabyAI-text-v0", level=3)
