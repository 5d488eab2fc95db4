"""The suites have 134 tasks each, two of them with AgentBoard's 30 steps."""

import collections

import pytest

from aq_gym.evaluation.preflight import check_tasks
from aq_gym.evaluation.suite import Suite

NAMES = ["agentboard-alfworld", "alfworld-generated"]


@pytest.mark.parametrize(("name", "easy"), list(zip(NAMES, (24, 42), strict=True)))
def test_their_shape(name, easy):
    tasks = Suite.load(name).tasks
    assert len(tasks) == 134
    assert {task.max_steps for task in tasks} == {30}
    grades = collections.Counter(task.difficulty for task in tasks)
    assert grades == {"easy": easy, "hard": 134 - easy}


def test_the_generated_tasks_are_what_they_say():
    seen = set()
    for task in Suite.load("alfworld-generated").tasks:
        _, info = task.make().reset(seed=task.seed)
        assert info["difficulty"] == task.difficulty
        seen.add(info["task_id"])
    assert len(seen) == 134


def test_the_official_tasks_say_how_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    suite = Suite.load("agentboard-alfworld")
    for place, task in enumerate(suite.tasks):
        assert task.kwargs == {
            "split": "valid_unseen",
            "game": place,
            "protocol": "agentboard",
        }
    with pytest.raises(FileNotFoundError, match="aq-gym download alfworld"):
        check_tasks(suite)
