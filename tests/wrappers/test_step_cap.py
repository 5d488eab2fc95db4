import gymnasium as gym
import pytest

from aq_gym.wrappers import RepetitionRate, StepCap


def test_max_steps_on_foreign_envs(foreign, play):
    results = play(StepCap(foreign, max_steps=3))
    assert [info["cap"] for *_, info in results] == ["", "", "", "max_steps"]
    assert [result[3] for result in results[1:]] == [False, False, True]


def test_max_invalid_counts_in_a_row(room):
    env = StepCap(room, max_invalid=2)
    assert env.reset()[1]["cap"] == ""
    for action, cap in [("x", ""), ("open door", ""), ("x", ""), ("y", "max_invalid")]:
        _, _, _, truncated, info = env.step(action)
        assert (info["cap"], truncated) == (cap, cap != "")
    env.reset()
    assert env.step("x")[-1]["cap"] == ""


def test_max_repeated_counts_in_a_row(room):
    env = StepCap(RepetitionRate(room), max_repeated=2)
    env.reset()
    caps = [env.step(action)[-1]["cap"] for action in ["x", "x", "y", "y", "x"]]
    assert caps == ["", "", "", "", "max_repeated"]
    env.reset()
    assert [env.step("x")[-1]["cap"] for _ in range(2)] == ["", ""]


def test_a_streak_longer_than_its_cap_stays_capped(room):
    env = StepCap(room, max_invalid=1)
    env.reset()
    assert [env.step("x")[-1]["cap"] for _ in range(2)] == ["max_invalid"] * 2


def test_the_first_of_several_caps(room):
    env = StepCap(RepetitionRate(room), max_steps=2, max_invalid=2, max_repeated=1)
    env.reset()
    assert env.step("x")[-1]["cap"] == ""
    assert env.step("x")[-1]["cap"] == "max_steps"


def test_termination_at_the_cap_is_both(room):
    env = StepCap(room, max_steps=2)
    env.reset()
    env.step("take key")
    _, _, terminated, truncated, info = env.step("open door")
    assert (terminated, truncated, info["cap"]) == (True, True, "max_steps")


def test_the_environments_own_truncation_is_no_cap():
    env = StepCap(gym.make("CartPole-v1", max_episode_steps=2), max_steps=3)
    env.reset(seed=0)
    env.step(0)
    *_, truncated, info = env.step(1)
    assert (truncated, info["cap"]) == (True, "")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"max_steps": 0}, ValueError, "max_steps=0"),
        ({"max_invalid": -1}, ValueError, "max_invalid=-1"),
        ({"max_repeated": 1.5}, TypeError, "max_repeated=1.5"),
        ({"max_steps": True}, TypeError, "max_steps=True"),
    ],
)
def test_mistakes_are_named(room, arguments, error, message):
    with pytest.raises(error, match=message):
        StepCap(room, **arguments)


@pytest.mark.parametrize(
    ("cap", "fix"),
    [
        ("max_invalid", r"StepCap\(max_invalid=.*'action_valid'.*use max_invalid=None"),
        (
            "max_repeated",
            r"max_repeated=.*'action_repeated'.*: wrap it in RepetitionRate",
        ),
    ],
)
def test_missing_info_names_the_fix(cap, fix):
    env = StepCap(gym.make("CartPole-v1"), **{cap: 3})
    env.reset(seed=0)
    with pytest.raises(KeyError, match=fix):
        env.step(0)
