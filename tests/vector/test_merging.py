"""Merged infos are Gymnasium's, whatever environments put into them."""

import numpy as np
import pytest
from gymnasium.vector import VectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same

from aq_gym.step_results import Start
from aq_gym.vector.flags import FlagMerger
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.parts import InfoParts, row_of_reset
from aq_gym.vector.result_merging import ResultMerger
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


def parts_of(more, begun):
    """Return infos in parts, as those of steps and resets with keys of their own."""
    rows = []
    for number, own in enumerate(more):
        flags = {"first": number > 2, f"{number % 2}": True}
        if number in begun:
            start = Start("text", "goal", f"{number}")
            rows.append(row_of_reset((0.0, False, False), (start, own, flags)))
        else:
            ends = 0.5, 1.0, True, number > 5, f"{number}", ""
            rows.append(("text", 0.5, False, False, *ends, own, flags))
    started = [("goal", f"{number}", "") for number in begun]
    return InfoParts.of([*zip(*rows, strict=True)][4:], begun, started)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"a": LEAVES}, optional={"b": NUMBERS, "_a": LEAVES})
        | st.dictionaries(st.sampled_from(["goal", "progress", "final_obs"]), LEAVES),
        min_size=8,
        max_size=8,
    ),
    CHOSEN.filter(any),
    BEGUN,
    st.booleans(),
)
def test_infos_in_parts(more, chosen, has_begun, is_uniform):
    places = [place for place, is_in in enumerate(chosen) if is_in]
    more = (more[:1] * 8 if is_uniform else more)[: len(places)]
    begun = [number for number in range(len(places)) if has_begun[number]]
    parts = parts_of(more, begun)
    expected, error = result_of(lambda: gymnasium_merges(parts.infos(), places, 8))
    if error is None:
        at = None if len(places) == 8 else places
        same(ResultMerger(8).merged(parts, at), expected)


def test_groups_without_a_reset_are_joined():
    resets = [
        (Start("text", f"goal {number}", "1"), {"n": number}, {"a": False})
        for number in range(3)
    ]
    groups = [resets[:1], [], resets[1:]]
    joined = InfoParts.joined([InfoParts.of_resets(group) for group in groups])
    infos = [
        {
            **{"progress": 0.0, "best_progress": 0.0, "success": False},
            **{"subgoals": {"a": False}, "n": number},
            **{"goal": f"goal {number}", "task_id": "1", "difficulty": ""},
        }
        for number in range(3)
    ]
    assert joined.infos() == infos
    merged = ResultMerger(5).merged(joined, [0, 2, 3])
    same(merged, gymnasium_merges(infos, [0, 2, 3], 5))
