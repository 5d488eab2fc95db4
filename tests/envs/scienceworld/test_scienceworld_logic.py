"""The tasks, splits, goals and grammar of ScienceWorld; none of it needs Java."""

from itertools import pairwise

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

import aq_gym  # noqa: F401 (registers the id)
from aq_gym.envs.scienceworld import env as env_module
from aq_gym.envs.scienceworld.protocol import (
    Experiment,
    ScienceWorldProtocol,
    forms,
)
from aq_gym.envs.scienceworld.tasks import (
    TASKS,
    Instance,
    checked_simplifications,
    checked_tasks,
    task_name,
    task_source,
    variations,
)
from aq_gym.envs.scienceworld.world import (
    Goal,
    Status,
    counted_names,
    parse,
    reached,
)

LINE = "-" * 100
REPORT = "\n".join(
    [
        "Completed keys: ",
        LINE,
        "Sequential Subgoals:",
        LINE,
        "0\ttrue\t   GoalFind\tfocus on substance",
        "1\tfalse\t   GoalIsStateOfMatter\t",
        LINE,
        "Unordered and Optional Subgoals:",
        LINE,
        "0\ttrue\t   GoalInRoomWithObject\tbe in same location as water",
        "1\tfalse\t  GoalActivateDeviceWithName\tactivate heater (oven)",
        "2\tfalse\t  GoalActivateDevice\tread time keeping device",
        "3\tfalse\t  GoalActivateDevice\tread time keeping device",
        LINE,
        "",
    ]
)


def test_there_are_30_tasks_and_7207_variations():
    assert (len(TASKS), sum(TASKS.values())) == (30, 7_207)
    assert task_name("1-1") == task_name("boil") == "boil"
    assert task_name("boiling") is None


@pytest.mark.parametrize("task", TASKS)
def test_the_splits_are_a_partition(task):
    parts = [variations(task, split) for split in ("train", "dev", "test")]
    assert [n for part in parts for n in part] == [*variations(task, "all")]
    for one, following in pairwise(parts):
        assert one.stop == following.start
    assert all(parts)


def test_a_report_of_goals():
    goals = parse(REPORT)
    assert goals.sequential == (
        Goal("focus on substance", True),
        Goal("is state of matter", False),
    )
    assert [goal.name for goal in goals.optional] == [
        "be in same location as water",
        "activate heater (oven)",
        "read time keeping device (1)",
        "read time keeping device (2)",
    ]
    with pytest.raises(ValueError, match="unpack"):
        parse("Sequential Subgoals:\n0\ttrue")


def read(said):
    protocol = ScienceWorldProtocol(task_source(("boil",), 0, "", "all"))
    action = protocol.read(Experiment(), said)
    return action and protocol.write(Experiment(), action)


def status(**changes):
    given = Status("", 0.5, False, 0, "kitchen", parse(REPORT))
    return given._replace(**changes)


def test_goals_of_the_start_and_of_alternatives_do_not_count():
    names = counted_names("boil", parse(REPORT))
    assert names == (
        "focus on substance",
        "is state of matter",
        "read time keeping device (1)",
        "read time keeping device (2)",
    )
    assert [*reached(names, status()).values()] == [True, False, False, False]
    # Nothing was left to do; a failed task is never complete.
    assert all(reached(names, status(score=1.0, completed=True)).values())
    failed = status(score=-1.0, completed=True)
    assert not failed.solved
    assert not all(reached(names, failed).values())


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Look around.", "look around"),
        (" 'open  the DOOR to kitchen' ", "open the door to kitchen"),
        ("12", "12"),
        ("pick up book (pride and prejudice) by jane austen", None),
        ("use thermometer in inventory on sodium chloride", None),
        ("pour cup containing nothing into sink", None),
        ("task", None),
    ],
)
def test_an_action_is_read(said, expected):
    assert read(said) == (expected or said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "1234",
        "fly to the moon",
        "I should open the door.",
        "open the door, then go to the kitchen",
        "open the door because the key is there",
        "look around\nopen door",
        "take",
        "connect wire",
        "open \x00",
        "open " + "x" * 500,
    ],
)
def test_other_text_is_not_an_action(said):
    assert read(said) is None


def test_simplifications_change_the_forms():
    electrical = Instance("power-component", 0, "easy")
    assert "connect OBJ to OBJ" in forms(electrical)
    assert "teleport OBJ" in forms(electrical)
    assert "connect OBJ to OBJ" not in forms(Instance("boil", 0, "easy"))
    assert "teleport OBJ" not in forms(Instance("boil", 0, ""))


def test_tasks_and_simplifications_are_checked():
    assert checked_tasks(["1-1", "boil"], "") == ("boil",)
    assert len(checked_tasks(None, "")) == 30
    assert len(checked_tasks(None, "openDoors,noElectricalAction")) == 26
    assert checked_simplifications(["openDoors", "openDoors"]) == "openDoors"
    for task, simplifications, message in [
        ("cook", "", "choose one of boil"),
        ("3-1", "noElectricalAction", "needs electrical actions"),
        ([], "", "at least one task"),
    ]:
        with pytest.raises(ValueError, match=message):
            checked_tasks(task, simplifications)
    for simplifications in ("hard", "easy,openDoors"):
        with pytest.raises(ValueError, match="simplifications"):
            checked_simplifications(simplifications)


def test_a_source_draws_and_gives_its_own():
    source = task_source(("boil", "melt"), None, "", "test")
    rng = np.random.default_rng(0)
    drawn = {source.draw(rng) for _ in range(200)}
    assert {f"boil-{n}" for n in range(21, 30)} <= drawn
    assert all(source.get(task_id) for task_id in drawn)
    for task_id in ("boil-20", "boil-30", "boil-021", "freeze-21", "boil", 3, "boil-²"):
        with pytest.raises(ValueError, match="split='test'"):
            source.get(task_id)
    assert task_source(("boil",), 3, "", "all").draw(rng) == "boil-3"
    for tasks, variation in ((("boil", "melt"), 3), (("boil",), 30)):
        with pytest.raises(ValueError, match="variation"):
            task_source(tasks, variation, "", "all")


@pytest.mark.parametrize("missing", ["find_java", "find_jar"])
def test_without_the_engine_it_says_what_to_install(monkeypatch, missing):
    monkeypatch.setattr(env_module, missing, lambda: None)
    with pytest.raises(DependencyNotInstalled, match=r"aq-gym\[scienceworld\]"):
        gym.make("aq/ScienceWorld-v0")
