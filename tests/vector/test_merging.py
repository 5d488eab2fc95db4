"""Merged infos are Gymnasium's, whatever environments put into them."""

import numpy as np
import pytest
from gymnasium.vector import VectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same

from aq_gym.vector.flags import FlagMerger
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.unlike import UnlikeError

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


@settings(max_examples=200)
@given(st.lists(INFOS, min_size=8, max_size=8), CHOSEN, BEGUN)
def test_any_infos(infos, chosen, begun):
    check(infos, chosen, begun, InfoMerger(8))


@settings(max_examples=200)
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
        with pytest.raises(UnlikeError):
            merger.merged([{"a": True}, {"a": value}], None)


def test_names_that_begin_as_those_of_the_step_before():
    merger = FlagMerger(2)
    for names in ("ab", "a", "ba", "ab"):
        dicts = [dict.fromkeys(names, True), dict.fromkeys(names, False)]
        merged = merger.merged(dicts, None)
        same(merged, gymnasium_merges(dicts, [0, 1], 2))


def test_a_refused_name_leaves_the_layout_of_the_step_before():
    merger = FlagMerger(2)
    before = merger.merged([{"a": True}, {"a": False}], None)
    with pytest.raises(UnlikeError):
        merger.merged([{"b": True}, {"_c": False}], None)
    same(merger.merged([{"a": True}, {"a": False}], None), before)


def test_an_interrupt_leaves_no_half_of_what_was_learned():
    class InterruptError(BaseException):
        pass

    class Interrupted(list):
        def append(self, item):
            raise InterruptError

    merger, dicts = FlagMerger(2), [{"a": True}, {"b": False}]
    merger._masks = Interrupted()
    with pytest.raises(InterruptError):
        merger.merged(dicts, None)
    same(merger.merged(dicts, None), gymnasium_merges(dicts, [0, 1], 2))


NUMBERED = tuple(f"position {number}" for number in range(1, 8))
# Nearly always the first ones of the longest names.
ROWS = st.integers(1, 7).map(lambda size: NUMBERED[:size]) | st.just(("x", "y"))
TABLES = st.lists(ROWS, min_size=8, max_size=8).flatmap(
    lambda names: st.tuples(
        *(
            st.tuples(st.just(one), st.binary(min_size=len(one), max_size=len(one)))
            for one in names
        )
    )
)


@settings(max_examples=200)
@given(st.lists(TABLES, min_size=1, max_size=4), st.lists(CHOSEN, min_size=4))
def test_flags_in_bytes(tables, chosen):
    merger = FlagMerger(8)
    for table, is_in in zip(tables, chosen, strict=False):
        places = [place for place, chosen in enumerate(is_in) if chosen] or [0]
        rows = [
            (names, bytes(code % 2 for code in row))
            for names, row in table[: len(places)]
        ]
        dicts = [dict(zip(names, map(bool, row), strict=True)) for names, row in rows]
        at = None if len(places) == 8 else places
        same(merger.merged(rows, at), gymnasium_merges(dicts, places, 8))
        same(merger.merged(rows, at), gymnasium_merges(dicts, places, 8))


@pytest.mark.parametrize("name", ["_a", "final_obs", 3])
def test_flags_in_bytes_with_a_refused_name(name):
    merger = FlagMerger(2)
    with pytest.raises(UnlikeError):
        merger.merged([(("a", name), b"\1\0")] * 2, None)
    same(
        merger.merged([(("a", "b"), b"\1\0"), (("a",), b"\0")], None),
        gymnasium_merges([{"a": True, "b": False}, {"a": False}], [0, 1], 2),
    )


def test_too_many_bytes_for_the_names_are_named():
    with pytest.raises(ValueError, match=r"_subgoal_parts\(\) must return one"):
        FlagMerger(2).merged([(("a",), b"\1\0"), (("a",), b"\0")], None)


def test_merged_flags_can_be_changed():
    merger = FlagMerger(2)
    rows = [(("a", "b"), b"\1\0"), (("a",), b"\0")]
    before = merger.merged(rows, None)
    for array in before.values():
        assert array.flags.writeable
        assert array.flags.c_contiguous
        array[:] = True
    assert merger.merged(rows, None)["b"].tolist() == [False, False]
