"""Merged infos are Gymnasium's, whatever environments put into them."""

import numpy as np
from gymnasium.vector import VectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same

from aq_gym.vector.merging import InfoMerger

NUMBERS = (
    st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.just(np.float32(0.5))
)
LEAVES = NUMBERS | st.text(max_size=2) | st.none() | st.tuples(st.text(max_size=1))
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
        collector = merger.begin()
        for info, is_begun in zip(infos, begun, strict=False):
            (collector.take_begun if is_begun else collector.take)(info)
        everyone = len(places) == num_envs
        return merger.merged(collector, None if everyone else places)

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
        collector = merger.begin()
        for _ in range(2):
            collector.take({"subgoals": {"a": value}, "n": int(value)})
        results.append(merger.merged(collector))
    assert results[0]["subgoals"]["a"].tolist() == [True, True]
    assert results[0]["n"].tolist() == [1, 1]
    results[0]["_n"][0] = False
    results[0]["subgoals"]["_a"][:] = False
    assert results[1]["_n"].all()
    assert results[1]["subgoals"]["_a"].all()
