"""Completions in the style of many models, over all benchmarks."""

import json
from pathlib import Path

import gymnasium as gym
import pytest

from aq_gym.wrappers import ExtractAction

FOLDER = Path(__file__).parent
# The completions for these ids are about one adventure and one question.
KWARGS = {
    "aq/BabyAI-text-v0": {"level": "GoToRedBall"},
    "aq/Jericho-v0": {"game": "lighthouse"},
    "aq/GAIA-v0": {"problem": "6d0c9979-4ca7-5345-978d-7384f09c0039"},
}


def read(name):
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


ACTIONS = read("completions.jsonl")
OTHERS = read("completions_without_action.jsonl")


@pytest.fixture(scope="module")
def make():
    """Give a function id -> a wrapped environment, made once."""
    envs = {}

    def find(env_id):
        if env_id not in envs:
            envs[env_id] = ExtractAction(gym.make(env_id, **KWARGS.get(env_id, {})))
        return envs[env_id]

    yield find
    for env in envs.values():
        env.close()


@pytest.mark.parametrize("row", ACTIONS, ids=lambda row: row["completion"][:40])
def test_an_action_is_read_as_it_was_meant(make, row):
    env = make(row["env"])
    env.reset(seed=0)
    info = env.step(row["completion"])[-1]
    assert info["extracted_action"] == row["action"]
    assert info["action_valid"], info["feedback"]


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row["completion"][:40])
def test_nothing_is_guessed(make, row):
    env = make(row["env"])
    env.reset(seed=0)
    info = env.step(row["completion"])[-1]
    assert not info["action_valid"], info["extracted_action"]
