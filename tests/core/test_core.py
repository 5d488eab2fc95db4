"""The base class of environments, tested on a toy environment."""

import copy
import dataclasses
import pickle
import threading
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest
from toy_envs import LampsEnv

from aq_gym import TextEnv, Turn
from aq_gym.core.results import digest


@pytest.fixture
def env():
    env = LampsEnv()
    env.reset(seed=0)
    return env


def test_reward_is_the_rise_of_the_best_progress(env):
    rewards = [env.step(f"switch {lamp}")[1] for lamp in (1, 1, 1, 2)]
    assert rewards == pytest.approx([1 / 3, 0, 0, 1 / 3])
    assert env.step("check valid actions")[4]["best_progress"] == pytest.approx(2 / 3)


def test_progress_may_fall_and_its_best_does_not(env):
    env.step("switch 1")
    info = env.step("switch 1")[4]
    assert (info["progress"], info["best_progress"]) == (0.0, pytest.approx(1 / 3))


def test_an_instance_that_begins_with_progress_is_refused():
    class Lit(LampsEnv):
        def _reset(self, options):
            start = super()._reset(options)
            self.on[0] = True
            return start

    with pytest.raises(RuntimeError, match="begins with progress"):
        Lit().reset(seed=0)


def test_an_engine_that_breaks_truncates_with_the_reason():
    class Breaks(LampsEnv):
        def _step(self, action):
            return Turn("The world ends.", error="engine died")

    env = Breaks()
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step("switch 1")
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["error"] == "engine died"


def test_an_incomplete_benchmark_names_what_is_missing():
    class Unfinished(LampsEnv):
        subgoals = TextEnv.subgoals
        _get_state = TextEnv._get_state

    with pytest.raises(
        TypeError, match=r"abstract class Unfinished .*_get_state'?, '?subgoals"
    ):
        Unfinished()


def test_a_benchmarks_own_mistakes_are_named():
    class NoStart(LampsEnv):
        def _reset(self, options):
            return super()._reset(options).observation

    class NoSubgoals(LampsEnv):
        def subgoals(self):
            return {}

    class OverwritesTheContract(LampsEnv):
        def extra_info(self):
            return {"progress": "mine"}

    with pytest.raises(TypeError, match="must return a Start"):
        NoStart().reset(seed=0)
    with pytest.raises(RuntimeError, match="at least one subgoal"):
        NoSubgoals().reset(seed=0)
    assert OverwritesTheContract().reset(seed=0)[1]["progress"] == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.reset(options=5),
        lambda env: env.reset(options=["task_id"]),
        lambda env: env.set_state(None),
        lambda env: env.step(5),
        lambda env: LampsEnv(instructions="no"),
        lambda env: LampsEnv(list_actions=1),
    ],
)
def test_a_value_of_another_type_raises(env, call):
    with pytest.raises(TypeError, match="="):
        call(env)


def test_a_refused_reset_leaves_the_episode_as_it_was(env):
    state = env.get_state()
    with pytest.raises(ValueError, match="'level'"):
        env.reset(seed=5, options={"level": 3})
    assert env.get_state() == state


def test_a_state_that_does_not_fit_changes_nothing(env):
    state = env.get_state()
    with pytest.raises(TypeError):
        env.set_state(dataclasses.replace(state, world=None, best_progress=0.5))
    assert env.get_state() == state


def test_an_action_beyond_the_limit_is_invalid(env):
    text, _, _, _, info = env.step("x" * 100_001)
    assert not info["action_valid"]
    assert "100001 characters" in text


@pytest.mark.parametrize(
    "words", ["help", "Check VALID actions.", '"help"', "\u00a0help" + " " * 60]
)
def test_help_is_understood_in_every_spelling(env, words):
    text, reward, _, _, info = env.step(words)
    assert text == "Valid actions: switch 1, switch 2, switch 3"
    assert info["action_valid"]
    assert reward == 0.0


def test_an_unknown_render_mode_raises():
    with pytest.raises(ValueError, match="render_mode='human'"):
        LampsEnv(render_mode="human")


def test_a_failed_reset_ends_the_episode(env):
    with pytest.raises(ValueError, match="task_id='x'"):
        env.reset(options={"task_id": "x"})
    with pytest.raises(Exception, match="call reset"):
        env.step("switch 1")


def test_a_state_restores_randomness_of_any_generator(env):
    env.np_random = np.random.Generator(np.random.SFC64(5))
    state = env.get_state()
    drawn = [env.np_random.random() for _ in range(3)]
    other = LampsEnv()
    other.reset(seed=1)
    other.set_state(state)
    assert [other.np_random.random() for _ in range(3)] == drawn


def test_a_state_of_an_ended_episode_stays_ended(env):
    for lamp in (1, 2, 3):
        env.step(f"switch {lamp}")
    ended = env.get_state()
    env.reset()
    env.set_state(ended)
    with pytest.raises(Exception, match="call reset"):
        env.step("help")


def test_a_state_of_other_arguments_is_refused(env):
    stranger = dataclasses.replace(
        env.get_state(), identity=("toy_envs:LampsEnv", '{"n": 2}')
    )
    with pytest.raises(ValueError, match="same arguments"):
        env.set_state(stranger)


class TerseEnv(LampsEnv):
    explains_by_default = False

    def _refuse(self, text):
        return Turn("Nothing happens.", action_valid=False, feedback="Say more.")


@pytest.mark.parametrize(
    ("kwargs", "shown"),
    [
        ({}, "Nothing happens."),
        ({"explain": False}, "Nothing happens."),
        ({"explain": True}, "Nothing happens.\nSay more."),
    ],
)
def test_explain_shows_the_feedback(kwargs, shown):
    env = TerseEnv(render_mode="ansi", **kwargs)
    env.reset(seed=0)
    observation, *_, info = env.step("anything")
    assert observation == env.render() == shown
    assert info["feedback"] == "Say more."


def test_a_feedback_that_is_in_the_observation_is_not_shown_twice(env):
    observation, *_, info = env.step("nonsense")
    assert observation.count(info["feedback"]) == 1


def test_equal_states_have_one_key_and_hash(env):
    state = env.get_state()
    env.step("nonsense")
    same = env.get_state()
    env.step("switch 1")
    other = env.get_state()
    assert state.key == same.key != other.key
    assert {state: 1, other: 2}[same] == 1
    copied = pickle.loads(pickle.dumps(state))
    assert (copied.key, hash(copied)) == (state.key, hash(state))


def test_states_of_parts_that_cannot_be_hashed_are_hashed(env):
    state = env.get_state()
    worlds = [dataclasses.replace(state, world={"lamps": [on]}) for on in (0, 0, 1)]
    assert worlds[0] == worlds[1] != worlds[2]
    assert len({*worlds}) == 2


def test_a_state_does_not_move_a_generator_of_somebody_else(env):
    state = env.get_state()
    mine = np.random.default_rng(7)
    env.np_random = mine
    env.set_state(state)
    assert mine.random() == np.random.default_rng(7).random()
    env.set_state(state)
    assert env.get_state() == state


def test_a_copy_shares_what_never_changes_and_nothing_else(env):
    class Shares(LampsEnv):
        shared_attributes = frozenset({"house"})

        def __init__(self):
            super().__init__()
            self.house = [1]

    env = Shares()
    env.reset(seed=0)
    copied = copy.deepcopy(env)
    assert copied.house is env.house
    assert copied.on is not env.on
    assert copied.np_random is not env.np_random
    assert copied.np_random.random() == env.np_random.random()
    assert copied.action_space.sample
    assert copied.action_space is not env.action_space


def test_a_copied_space_samples_alike(env):
    env.action_space.seed(3)
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert copied.action_space == env.action_space
        before = copied.action_space.sample()
        again = pickle.loads(pickle.dumps(env.action_space))
        assert before == again.sample()


class Waits(LampsEnv):
    """Waits in its step for an event."""

    inside, leave = threading.Event(), threading.Event()

    def _step(self, action):
        self.inside.set()
        assert self.leave.wait(120)
        return super()._step(action)


def test_two_threads_in_one_env_are_an_error():
    env = Waits()
    env.reset(seed=0)
    results = []
    thread = threading.Thread(target=lambda: results.append(env.step("switch 1")))
    thread.start()
    try:
        assert env.inside.wait(120)
        for call in (lambda: env.step("switch 2"), env.reset):
            with pytest.raises(RuntimeError, match="this Waits is used by two threads"):
                call()
        assert copy.deepcopy(env).reset(seed=1)
    finally:
        env.leave.set()
        thread.join()
    assert results[0][4]["subgoals"]["lamp 1"]
    assert env.step("switch 2")[4]["action_valid"]


def test_an_error_in_a_step_lets_the_next_call_in(env):
    with pytest.raises(TypeError):
        env.step(5)
    assert env.step("switch 1")[4]["action_valid"]


class Color(Enum):
    RED = 1


class Pair(NamedTuple):
    one: int
    two: str


@dataclass(frozen=True)
class Point:
    x: int
    seen: int = field(default=0, compare=False)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Cached:
    """A number that caches its text."""

    def __init__(self, number):
        self.number = number

    def asked(self):
        self.text = str(self.number)
        return self

    def __reduce__(self):
        return Cached, (self.number,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (True, 1),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({1, 2, 3}, frozenset({3, 2, 1})),
        (Point(1, 2), Point(1, 3)),
        (Pair(1, "a"), (1, "a")),
        (np.arange(3), np.arange(3)),
        (Slots(5), Slots(5)),
        (Cached(5), Cached(5).asked()),
    ],
)
def test_equal_values_have_one_digest(one, other):
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["ab", "c"], ["a", "bc"]),
        ([1, 2], (1, 2)),
        ("1", 1),
        (b"a", "a"),
        (Point(1), Point(2)),
        (Slots(5), Slots(6)),
        (Cached(5), Cached(6)),
        (Color.RED, 1),
        (np.arange(3), np.arange(3.0)),
        ([], {}),
    ],
)
def test_different_values_have_different_digests(one, other):
    assert digest(one) != digest(other)


def test_a_digest_never_changes():
    assert digest({"a": [1, 2.5, "x", None]}) == "d938003b9ddf6eea1404b55b5cef139a"
