import gymnasium as gym
import pytest

from aq_gym.wrappers import SubgoalProgress, SuccessReward

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
        assert second.calls > 1 or (reward, terminated) == (0.0, False)  # at reset
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


def test_what_holds_at_the_start_earns_nothing(room):
    env = SubgoalProgress(room, {"seen": "key", "key": "Taken", "out": "leave"})
    _, info = env.reset()
    assert values(info) == (0.0, 0.0, {"seen": True, "key": False, "out": False}, False)
    assert env.step("take key")[-1]["progress"] == 0.5
    assert env.step("open door")[-1]["progress"] == 1.0


def test_nothing_left_to_reach_is_refused(room):
    with pytest.raises(ValueError, match="at reset"):
        SubgoalProgress(room, {"seen": "key", "door": "door"}).reset()


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


def test_success_is_rewarded_in_the_step_that_solves(room):
    env = SuccessReward(SubgoalProgress(room, {"key": "Taken"}))
    for _ in range(2):
        env.reset()
        rewards = [env.step(action)[1] for action in ("x", "take key", "x")]
        assert rewards == [0.0, 1.0, 0.0]
        assert all(type(reward) is float for reward in rewards)


class Undone(gym.Env):
    """Is solved by the action 1, and unsolved again by the action 0."""

    observation_space = action_space = gym.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {"success": False}

    def step(self, action):
        return 0, 5.0, False, False, {"success": bool(action)}


def test_success_is_rewarded_once(duplicate):
    env = SuccessReward(Undone())
    env.reset()
    assert [env.step(action)[1] for action in (1, 0, 1)] == [1.0, 0.0, 0.0]
    env.reset()
    copied = duplicate(env)
    for one in (env, copied):
        assert [one.step(action)[1] for action in (0, 1, 1)] == [0.0, 1.0, 0.0]


def test_a_reward_needs_success():
    env = SuccessReward(gym.make("CartPole-v1"))
    env.reset(seed=0)
    with pytest.raises(KeyError, match="SubgoalProgress"):
        env.step(0)
