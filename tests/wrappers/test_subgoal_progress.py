import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

from aq_gym.wrappers import SubgoalProgress

SUBGOALS = {"key": "(?i)taken", "out": {"function": "foreign_envs:left"}}


def values(info):
    return info["progress"], info["best_progress"], info["subgoals"], info["success"]


def test_progress_is_latched(room):
    env = SubgoalProgress(room, SUBGOALS)
    _, info = env.reset()
    assert values(info) == (0.0, 0.0, {"key": False, "out": False}, False)
    half = (0.5, 0.5, {"key": True, "out": False}, False)
    assert values(env.step("take key")[-1]) == half
    assert values(env.step("dance")[-1]) == half
    assert values(env.step("open door")[-1]) == (
        1.0,
        1.0,
        {"key": True, "out": True},
        True,
    )
    assert values(env.reset()[1])[0] == 0.0


def test_on_foreign_envs(foreign, play):
    def second(observation, reward, terminated, info):
        second.calls += 1
        return second.calls == 3

    second.calls = 0
    inner = foreign
    results = play(SubgoalProgress(inner, {"third call": second, "never": "$^x"}), n=2)
    assert [info["progress"] for *_, info in results] == [0.0, 0.0, 0.5]
    for *_, info in results:
        assert [type(value) for value in values(info)] == [float, float, dict, bool]


def test_regex_reads_an_observation_that_is_no_text():
    env = SubgoalProgress(gym.make("FrozenLake-v1", is_slippery=False), {"4": "^4$"})
    env.reset(seed=0)
    assert env.step(1)[-1]["success"] is True


def test_the_reward_is_left_alone():
    env = SubgoalProgress(gym.make("CartPole-v1"), {"x": "$^x"})
    env.reset(seed=0)
    assert env.step(0)[1] == 1.0


def test_what_holds_at_the_start_earns_nothing(room):
    env = SubgoalProgress(room, {"seen": "key", "key": "Taken", "out": "leave"})
    _, info = env.reset()
    assert values(info) == (0.0, 0.0, {"seen": True, "key": False, "out": False}, False)
    assert env.step("take key")[-1]["progress"] == 0.5
    assert env.step("open door")[-1]["progress"] == 1.0


def test_nothing_left_to_reach_is_refused(room):
    with pytest.raises(ValueError, match="at reset"):
        SubgoalProgress(room, {"seen": "key", "door": "door"}).reset()


def test_ordered_subgoals_wait_for_the_one_before(room):
    subgoals = {"locked": "locked", "key": "Taken", "any": "Taken|leave"}
    free = SubgoalProgress(room, subgoals)
    free.reset()
    assert free.step("take key")[-1]["progress"] == pytest.approx(2 / 3)
    env = SubgoalProgress(room, subgoals, ordered=True)
    env.reset()
    assert env.step("take key")[-1]["progress"] == 0.0


def test_ordered_subgoals_may_fall_in_one_step(room):
    env = SubgoalProgress(room, {"key": "Taken", "any": "T"}, ordered=True)
    env.reset()
    assert env.step("take key")[-1]["progress"] == 1.0


def test_the_inner_info_is_not_changed():
    seen = []

    class Keep(gym.Wrapper):
        def step(self, action):
            result = super().step(action)
            seen.append((result[-1], dict(result[-1])))
            return result

    env = SubgoalProgress(Keep(gym.make("test/Room-v0")), SUBGOALS)
    env.reset()
    first = env.step("take key")[-1]
    second = env.step("open door")[-1]
    assert all(info == before for info, before in seen)
    assert first["subgoals"] == {"key": True, "out": False}
    assert first["subgoals"] is not second["subgoals"]


def test_ordered_subgoals_wait_at_reset_too(room):
    goals = {"key": "Taken", "seen": "door", "out": "leave"}
    env = SubgoalProgress(room, goals, ordered=True)
    _, info = env.reset()
    assert info["subgoals"] == {"key": False, "seen": False, "out": False}
    assert env.step("take key")[-1]["subgoals"]["seen"] is False
    first = SubgoalProgress(room, {"seen": "door", "key": "Taken"}, ordered=True)
    assert first.reset()[1]["subgoals"] == {"seen": True, "key": False}
    assert first.step("take key")[-1]["progress"] == 1.0


@pytest.mark.parametrize("ordered", ["no", 1, None])
def test_ordered_is_a_bool(room, ordered):
    with pytest.raises(TypeError, match="ordered="):
        SubgoalProgress(room, SUBGOALS, ordered=ordered)


@pytest.mark.parametrize(
    ("subgoals", "error", "message"),
    [
        (None, TypeError, "subgoals=None must be a mapping"),
        (["a"], TypeError, r"subgoals=\['a'\]"),
        ("a", TypeError, "subgoals='a'"),
        ({1: "a"}, TypeError, r"subgoals\[1\]"),
        ({}, ValueError, "at least one"),
        ({"a": "("}, ValueError, r"subgoals\['a'\]"),
        ({"a": 3}, TypeError, r"subgoals\['a'\]=3"),
        ({"a": {"regex": "x"}}, TypeError, "function"),
        ({"a": {"function": "math:nothing"}}, ValueError, "math:nothing"),
        ({"a": {"function": "math"}}, ValueError, "module:function"),
    ],
)
def test_mistakes_are_named(room, subgoals, error, message):
    with pytest.raises(error, match=message):
        SubgoalProgress(room, subgoals)


def test_renamed_keys(room):
    env = SubgoalProgress(room, SUBGOALS, keys={"success": "done"})
    assert env.reset()[1]["done"] is False


def test_spec_round_trip(room, play):
    env = SubgoalProgress(room, SUBGOALS, ordered=True)
    made = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert made.spec == env.spec
    assert play(made) == play(env)


def test_copies_go_on_alike(duplicate, room):
    env = SubgoalProgress(room, SUBGOALS)
    env.reset(seed=1)
    env.step("take key")
    copied = duplicate(env)
    assert copied.step("open door") == env.step("open door")
    env.reset()
    assert copied.step("x")[-1]["progress"] == 1.0
