"""Groups of environments step them as their own ``step`` and ``reset`` do."""

import copy

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import TimeLimit

from aq_gym.core import TextEnv
from aq_gym.core.results import Turn
from aq_gym.envs.hangman.env import HangmanEnv
from aq_gym.vector.env_group import EnvGroup
from aq_gym.vector.parts import InfoParts
from aq_gym.vector.result_merging import ResultMerger


def hangman():
    return gym.make("aq/Hangman-v0", max_episode_steps=2)


def group_of(*envs, mode=AutoresetMode.NEXT_STEP):
    return EnvGroup([lambda env=env: env for env in envs], mode)


def test_infos_without_a_dict_are_those_of_the_environments():
    for mode in AutoresetMode:
        group = group_of(hangman(), hangman(), mode=mode)
        twins = [hangman() for _ in range(2)]
        begun = group.reset([0, 1], None, None)
        first = [twin.reset(seed=seed)[1] for seed, twin in enumerate(twins)]
        assert begun.infos.infos() == first
        for step in range(2):
            stepped = group.step(["a", "?"])
            assert isinstance(stepped.infos, InfoParts)
            if mode is AutoresetMode.SAME_STEP and step == 1:
                finals = [
                    twin.step(action) for twin, action in zip(twins, "a?", strict=True)
                ]
                assert list(stepped.finals) == [one[0] for one in finals]
                assert stepped.final_infos.infos() == [one[4] for one in finals]
                expected = [twin.reset()[1] for twin in twins]
            else:
                expected = [
                    twin.step(a)[4] for twin, a in zip(twins, "a?", strict=True)
                ]
            assert stepped.infos.infos() == expected
        if mode is AutoresetMode.NEXT_STEP:
            expected = [twin.reset()[1] for twin in twins]
            assert group.step(["a", "b"]).infos.infos() == expected


def test_a_benchmark_s_own_key_with_the_name_of_a_common_one_is_kept_in_a_reset():
    class Own(HangmanEnv):
        def extra_info(self):
            return {"feedback": "own", "action_valid": 1, "goal": "own"}

    group, twin = group_of(TimeLimit(Own(), 9)), TimeLimit(Own(), 9)
    begun = group.reset([0], None, None)
    assert isinstance(begun.infos, InfoParts)
    assert begun.infos.infos() == [twin.reset(seed=0)[1]]
    assert group.step(["a"]).infos.infos() == [twin.step("a")[4]]


def test_the_count_of_a_time_limit_is_its_own():
    """Fails if a TimeLimit has another way to count than the group knows."""
    env, twin = hangman(), hangman()
    group = group_of(env, mode=AutoresetMode.DISABLED)

    def counts(limit):
        own = vars(limit).items()
        return {name: value for name, value in own if isinstance(value, int)}

    assert isinstance(group.reset([0], None, None).infos, InfoParts)
    twin.reset(seed=0)
    assert counts(env) == counts(twin)
    assert not any(group.step(["?"]).truncations)
    assert not twin.step("?")[3]
    assert counts(env) == counts(twin) != {}
    # The environment can be stepped by itself, too, and still knows its steps.
    assert env.step("?")[3]
    group.reset([0], None, None)
    env.step("?")
    assert all(group.step(["?"]).truncations)


def test_a_class_that_changes_step_is_stepped_by_it():
    class Own(HangmanEnv):
        def step(self, action):
            return (*super().step(action)[:4], {"own": 1})

    group = group_of(TimeLimit(Own(), 9), TimeLimit(Own(), 9))
    group.reset([0, 1], None, None)
    assert group.step(["a", "b"]).infos == [{"own": 1}] * 2
    group.envs[:] = [hangman(), hangman()]
    group.reset([0, 1], None, None)
    assert isinstance(group.step(["a", "b"]).infos, InfoParts)


@pytest.mark.parametrize("owner", [TimeLimit, TextEnv])
@pytest.mark.parametrize("name", ["step", "reset"])
def test_a_method_that_is_replaced_in_the_base_class_is_called(
    monkeypatch, owner, name
):
    group, own, calls = group_of(hangman(), hangman()), getattr(owner, name), []

    def replaced(*args, **kwargs):
        calls.append(name)
        return own(*args, **kwargs)

    monkeypatch.setattr(owner, name, replaced)
    group.reset([0, 1], None, None)
    group.step(["a", "b"])
    assert calls == [name] * 2


def test_actions_are_listed_once_an_attribute_asks_for_them():
    group = group_of(hangman(), hangman())
    group.reset([0, 1], None, None)
    assert isinstance(group.step(["a", "b"]).infos, InfoParts)
    group.set_attr("list_actions", [True, True])
    assert all(info["admissible_actions"] for info in group.step(["c", "d"]).infos)
    group.call("set_wrapper_attr", ["list_actions", False])
    assert isinstance(group.step(["e", "f"]).infos, InfoParts)
    group.call("set_wrapper_attr", ["list_actions", True])
    assert all(
        info["admissible_actions"] for info in group.reset([0, 1], None, None).infos
    )


@pytest.mark.parametrize("name", ["step", "reset"])
@pytest.mark.parametrize("is_limit", [True, False])
def test_a_method_that_is_replaced_is_called_from_the_next_reset_on(name, is_limit):
    group = group_of(hangman(), hangman())
    assert isinstance(group.reset([0, 1], None, None).infos, InfoParts)
    env = group.envs[1] if is_limit else group.envs[1].unwrapped
    own, calls = getattr(env, name), []

    def replaced(*args, **kwargs):
        calls.append(name)
        return own(*args, **kwargs)

    setattr(env, name, replaced)
    group.reset([0, 1], None, None)
    group.step(["a", "b"])
    assert calls == [name]
    delattr(env, name)
    assert isinstance(group.reset([0, 1], None, None).infos, InfoParts)


def test_subgoals_come_without_a_dict_where_a_benchmark_gives_them_in_parts():
    group = group_of(hangman(), hangman())
    group.reset([0, 1], None, None)
    for actions in (["a", "b"], ["c", "d"]):
        for env, (names, row) in zip(
            group.envs, group.step(actions).infos.subgoals, strict=True
        ):
            subgoals = env.unwrapped.subgoals()
            assert names == tuple(subgoals)
            assert row == bytes(subgoals.values())


@pytest.mark.parametrize("mode", AutoresetMode)
def test_an_engine_that_fails_says_so_in_a_vector(mode):
    class Fails(HangmanEnv):
        def _step(self, action):
            return Turn("", False, truncated=True, feedback="no", error="out of memory")

    group, twin = group_of(TimeLimit(Fails(), 9), mode=mode), TimeLimit(Fails(), 9)
    group.reset([0], None, None)
    twin.reset(seed=0)
    stepped = group.step(["a"])
    infos = stepped.final_infos if mode is AutoresetMode.SAME_STEP else stepped.infos
    assert infos.infos() == [twin.step("a")[4]]
    assert infos.infos()[0]["error"] == "out of memory"
    assert list(stepped.truncations) == [True]


class Board(HangmanEnv):
    """Has an array and a dict in its info that it changes in place."""

    def _reset(self, options):
        self.board = getattr(self, "board", np.zeros(2, dtype=int))
        self.board[:] = 0
        self.counts = getattr(self, "counts", {})
        self.counts["step"] = 0
        return super()._reset(options)

    def _step(self, action):
        self.board += 1
        self.counts["step"] += 1
        return super()._step(action)

    def extra_info(self):
        return {"board": self.board, "counts": self.counts}


@pytest.mark.parametrize("has_parts", [True, False])
def test_final_infos_are_those_before_the_reset(has_parts):
    envs = [TimeLimit(Board(), 2) for _ in range(2)]
    if not has_parts:
        envs = [gym.Wrapper(env) for env in envs]
    group = group_of(*envs, mode=AutoresetMode.SAME_STEP)
    merger = ResultMerger(2)
    group.reset([0, 1], None, None)
    group.step(["a", "b"])
    infos = merger.stepped(group.step(["c", "d"])).infos
    assert infos["final_info"]["board"].tolist() == [[2, 2], [2, 2]]
    assert infos["final_info"]["counts"]["step"].tolist() == [2, 2]
    assert infos["board"].tolist() == [[0, 0], [0, 0]]


def test_an_environment_that_is_replaced_in_its_time_limit_is_stepped():
    group = group_of(hangman(), hangman())
    group.reset([0, 1], None, None)
    group.step(["a", "b"])
    limit = group.envs[1]
    limit.env = copy.deepcopy(limit.env)
    group.step(["a", "c"])
    assert limit.unwrapped._game.tried == ["b", "c"]


def test_a_vector_s_reset_without_subgoals_is_refused():
    class Without(HangmanEnv):
        def subgoals(self):
            return {}

        def _subgoal_parts(self):
            return (), b""

    for split in (False, True):
        with pytest.raises(RuntimeError, match="at least one subgoal"):
            Without()._reset_parts(0, split=split)


def _other(env):
    return {"other": env._game.lives < 9}


class Derived(HangmanEnv):
    """Has other subgoals than the benchmark, and its parts."""

    subgoals = _other

    def success(self):
        return False

    def progress(self):
        return 0.0


@pytest.mark.parametrize("where", ["derived class", "class", "env"])
def test_subgoals_that_are_replaced_are_those_of_a_vector(where, monkeypatch):
    env = TimeLimit(Derived() if where == "derived class" else HangmanEnv(), 9)
    if where == "class":
        monkeypatch.setattr(HangmanEnv, "subgoals", _other)
    elif where == "env":
        env.unwrapped.subgoals = lambda: _other(env.unwrapped)
    group = group_of(env, hangman())
    group.reset([0, 1], None, None)
    stepped = group.step(["a", "b"])
    assert isinstance(stepped.infos, InfoParts)
    assert stepped.infos.infos()[0]["subgoals"] == {"other": True}


@pytest.mark.parametrize("has_parts", [True, False])
def test_subgoals_that_a_reset_replaces_are_those_of_a_vector(has_parts):
    class Stages(HangmanEnv):
        stage = 0

        def _reset(self, options):
            start, names = super()._reset(options), (f"stage {self.stage}",)
            self.subgoals = lambda: dict.fromkeys(names, False)
            self.stage += 1
            return start

    if not has_parts:
        Stages.subgoals = lambda self: {"none": False}
    group = group_of(TimeLimit(Stages(), 1), hangman())
    group.reset([0, 1], None, None)
    found = [group.step(["a", "b"]).infos.infos()[0]["subgoals"] for _ in range(4)]
    assert found == [{f"stage {stage}": False} for stage in (0, 1, 1, 2)]
