"""Merged infos are Gymnasium's, whatever environments put into them."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers import TimeLimit
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same

from aq_gym.envs.hangman.env import HangmanEnv
from aq_gym.vector.alike import merged_alike
from aq_gym.vector.env_group import EnvGroup
from aq_gym.vector.flags import FlagMerger, UnlikeError
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.parts import InfoParts
from aq_gym.vector.parts_merging import PartsMerger

NUMBERS = (
    st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.just(np.float32(0.5))
)
LEAVES = NUMBERS | st.text(max_size=2) | st.none() | st.tuples(st.text(max_size=1))
SIMPLE = {bool, int, float, str, type(None)}
ARRAYS = st.builds(np.full, st.just(2), st.integers(0, 9))
KEYS = st.sampled_from(["a", "b", "c", "final_obs", "_a", "d"])
FLAGS = st.dictionaries(st.sampled_from("wxyz"), st.booleans(), max_size=4)
INFOS = st.dictionaries(
    KEYS, LEAVES | ARRAYS | FLAGS | st.dictionaries(KEYS, LEAVES, max_size=2)
)
# As environments have them: each key has values of one kind.
ORDERLY = st.fixed_dictionaries(
    {"progress": st.floats(0, 1), "subgoals": FLAGS, "text": st.text(max_size=3)},
    optional={"error": st.text(max_size=3), "count": st.integers(0, 9), "more": FLAGS},
)


def gymnasium_merges(infos, places, num_envs):
    envs = VectorEnv()
    envs.num_envs = num_envs
    merged = {}
    for info, place in zip(infos, places, strict=True):
        merged = envs._add_info(merged, info, place)
    return merged


def result_of(merge):
    try:
        return merge(), None
    except Exception as error:  # noqa: BLE001 (compared)
        return None, type(error)


def check(infos, chosen, begun, merger):
    places = [place for place, is_in in enumerate(chosen) if is_in][: len(infos)]
    infos = infos[: len(places)]
    num_envs = len(chosen)

    def ours():
        everyone = len(places) == num_envs
        numbers = [number for number in range(len(infos)) if begun[number]]
        return merger.merged(infos, None if everyone else places, numbers)

    expected, error = result_of(lambda: gymnasium_merges(infos, places, num_envs))
    if error is None:
        # A merger keeps what it learns of earlier infos.
        same(ours(), expected)
        same(ours(), expected)


CHOSEN = st.lists(st.booleans(), min_size=8, max_size=8) | st.just([True] * 8)
BEGUN = st.lists(st.booleans(), min_size=8, max_size=8) | st.just([False] * 8)


@settings(max_examples=200, deadline=None)
@given(st.lists(INFOS, min_size=8, max_size=8), CHOSEN, BEGUN)
def test_any_infos(infos, chosen, begun):
    check(infos, chosen, begun, InfoMerger(8))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(ORDERLY, min_size=8, max_size=8), min_size=1, max_size=3),
    CHOSEN,
    BEGUN,
)
def test_orderly_infos(steps, chosen, begun):
    merger = InfoMerger(8)
    for infos in steps:
        check(infos, chosen, begun, merger)


def test_a_merged_info_keeps_its_values():
    merger = InfoMerger(2)
    results = []
    for value in (True, False):
        infos = [{"subgoals": {"a": value}, "n": int(value)}] * 2
        results.append(merger.merged(infos))
    assert results[0]["subgoals"]["a"].tolist() == [True, True]
    assert results[0]["n"].tolist() == [1, 1]
    results[0]["_n"][0] = False
    results[0]["subgoals"]["_a"][:] = False
    assert results[1]["_n"].all()
    assert results[1]["subgoals"]["_a"].all()


def test_an_int_among_flags_makes_no_flags():
    merger = FlagMerger(2)
    assert merger.merged([{"a": True}, {"a": False}], None)["a"].dtype == np.bool_
    for value in (1, 0, None, np.True_, "T", 0.5, ...):
        assert merger.merged([{"a": True}, {"a": value}], None) is None


def test_a_refused_name_leaves_the_layout_of_the_step_before():
    merger = FlagMerger(2)
    before = merger.merged([{"a": True}, {"a": False}], None)
    with pytest.raises(UnlikeError):
        merger.merged([{"b": True}, {"_c": False}], None)
    same(merger.merged([{"a": True}, {"a": False}], None), before)


def test_infos_without_a_dict_are_those_of_the_environments():
    for mode in AutoresetMode:
        singles = [gym.make("aq/Hangman-v0", max_episode_steps=2) for _ in range(2)]
        group = EnvGroup([lambda one=one: one for one in singles], mode)
        twins = [gym.make("aq/Hangman-v0", max_episode_steps=2) for _ in range(2)]
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
                assert stepped.finals == [one[0] for one in finals]
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


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"a": LEAVES}, optional={"b": NUMBERS, "_a": LEAVES}),
        min_size=8,
        max_size=8,
    ),
    CHOSEN.filter(any),
    st.booleans(),
)
def test_infos_that_are_alike(infos, chosen, is_uniform):
    places = [place for place, is_in in enumerate(chosen) if is_in]
    infos = (infos[:1] * 8 if is_uniform else infos)[: len(places)]
    at = None if len(places) == 8 else np.array(places)
    try:
        merged = merged_alike(infos, at, 8)
    except UnlikeError:
        merged = None
    if merged is None:
        kinds = set(map(type, infos[0].values()))
        assert not is_uniform or "_a" in infos[0] or not kinds <= SIMPLE
    else:
        same(merged, gymnasium_merges(infos, places, 8))


def test_groups_without_a_reset_are_joined():
    infos = [
        {
            **{"progress": 0.0, "best_progress": 0.0, "success": False},
            **{"subgoals": {"a": False}, "n": number},
            **{"goal": f"goal {number}", "task_id": "1", "difficulty": ""},
        }
        for number in range(3)
    ]
    groups = [infos[:1], [], infos[1:]]
    parts = [InfoParts.begun_of([dict(one) for one in group]) for group in groups]
    joined = InfoParts.joined(parts)
    assert joined.infos() == infos
    merged = PartsMerger(5).merged(joined, [0, 2, 3])
    same(merged, gymnasium_merges(infos, [0, 2, 3], 5))


def test_a_class_that_changes_step_is_stepped_by_it():
    class Own(HangmanEnv):
        def step(self, action):
            return (*super().step(action)[:4], {"own": 1})

    group = EnvGroup([lambda: TimeLimit(Own(), 9)] * 2, AutoresetMode.NEXT_STEP)
    group.reset([0, 1], None, None)
    assert group.step(["a", "b"]).infos == [{"own": 1}] * 2
    group.envs[:] = [gym.make("aq/Hangman-v0") for _ in range(2)]
    group.reset([0, 1], None, None)
    assert isinstance(group.step(["a", "b"]).infos, InfoParts)


def test_actions_are_listed_once_an_attribute_asks_for_them():
    group = EnvGroup([lambda: gym.make("aq/Hangman-v0")] * 2, AutoresetMode.NEXT_STEP)
    group.reset([0, 1], None, None)
    assert isinstance(group.step(["a", "b"]).infos, InfoParts)
    group.set_attr("list_actions", [True, True])
    assert all(info["admissible_actions"] for info in group.step(["c", "d"]).infos)
