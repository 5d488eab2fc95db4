"""The examples that feedback shows are accepted as they stand."""

import re

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401  registers the ids

TOOLS = [
    *(
        ("aq/ToolQuery-v0", world)
        for world in ("movies", "weather", "academia", "library")
    ),
    *(("aq/ToolOperation-v0", world) for world in ("todo", "sheet")),
    *(("aq/GSM8K-v0", ""), ("aq/GAIA-v0", "")),
]


@pytest.mark.parametrize("rename", [False, True])
@pytest.mark.parametrize(("env_id", "world"), TOOLS)
def test_the_call_that_feedback_shows_is_valid(env_id, world, rename):
    env = gym.make(env_id, rename=rename, **({"world": world} if world else {}))
    env.reset(seed=1)
    observation, *_ = env.step("what now?")
    example = re.search(r"Write a call such as (.+\))\.", observation)[1]
    *_, over, _, info = env.step(example)
    assert info["action_valid"], info["feedback"]
    assert not over
