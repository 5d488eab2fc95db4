"""The two suites name 134 tasks each, in AgentBoard's 30 steps."""

import collections
import json

import gymnasium as gym
import pytest

from aq_gym.data import packaged


def suite(name):
    return json.loads(packaged("aq_gym.envs.alfworld", f"data/suite_{name}.json"))


@pytest.mark.parametrize("name", ["agentboard", "generated"])
def test_their_shape(name):
    tasks = suite(name)
    assert len(tasks) == 134
    assert {task["max_steps"] for task in tasks} == {30}
    grades = collections.Counter(task["difficulty"] for task in tasks)
    assert grades == {"easy": 42, "hard": 92}


def test_the_generated_tasks_are_what_they_say():
    seen = set()
    for task in suite("generated"):
        env = gym.make(
            task["id"], **task["kwargs"], max_episode_steps=task["max_steps"]
        )
        _, info = env.reset(seed=task["seed"])
        assert info["difficulty"] == task["difficulty"]
        seen.add(info["task_id"])
    assert len(seen) == 134


def test_the_official_tasks_say_how_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    for place, task in enumerate(suite("agentboard")):
        assert task["kwargs"] == {"split": "valid_unseen", "game": place}
    with pytest.raises(FileNotFoundError, match="aq-gym download alfworld"):
        gym.make(task["id"], **task["kwargs"])
