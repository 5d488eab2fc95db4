"""Merged results of steps and resets are Gymnasium's."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same
from vector.test_merging import (
    BEGUN,
    CHOSEN,
    LEAVES,
    NUMBERS,
    gymnasium_merges,
    result_of,
)

from aq_gym.core.results import Start
from aq_gym.registration import TABLE
from aq_gym.vector.group_results import Stepped
from aq_gym.vector.parts import InfoParts, row_of_reset
from aq_gym.vector.result_merging import ResultMerger

# These two have a step or reset of their own.
SLOW = {"aq/BabyAI-text-v0", "aq/Jericho-v0"}
FAST = [row.id for row in TABLE if not (row.family or row.missing() or row.id in SLOW)]


def parts_of(more, begun, split):
    """Return infos in parts, as those of steps and resets with keys of their own."""
    rows = []
    for number, own in enumerate(more):
        flags = {"first": number > 2, f"{number % 2}": True}
        if split:
            flags = tuple(flags), bytes(flags.values())
        if number in begun:
            start = Start("text", "goal", f"{number}")
            rows.append(row_of_reset((0.0, False, False), (start, own, flags)))
        else:
            ends = 0.5, 1.0, True, number > 5, f"{number}", ""
            rows.append(("text", 0.5, False, False, *ends, own, flags))
    started = [("goal", f"{number}", "") for number in begun]
    return InfoParts.of([*zip(*rows, strict=True)][4:], begun, started)


@settings(max_examples=200)
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
    st.booleans(),
)
def test_infos_in_parts(more, chosen, has_begun, is_uniform, split):
    places = [place for place, is_in in enumerate(chosen) if is_in]
    more = (more[:1] * 8 if is_uniform else more)[: len(places)]
    begun = [number for number in range(len(places)) if has_begun[number]]
    parts = parts_of(more, begun, split)
    expected, error = result_of(lambda: gymnasium_merges(parts.infos(), places, 8))
    if error is None:
        at = None if len(places) == 8 else places
        same(ResultMerger(8).merged(parts, at), expected)


def in_gymnasiums_way(stepped):
    """Return the results that SyncVectorEnv makes of a step."""
    infos = dict(enumerate(infos_of(stepped.infos)))
    ended = dict(
        zip(
            stepped.ended,
            zip(stepped.finals, infos_of(stepped.final_infos), strict=True),
            strict=True,
        )
    )
    envs = VectorEnv()
    envs.num_envs = len(infos)
    merged = {}
    for place, info in infos.items():
        if place in ended:
            final_obs, final_info = ended[place]
            finals = {"final_obs": final_obs, "final_info": final_info}
            merged = envs._add_info(merged, finals, place)
        merged = envs._add_info(merged, info, place)
    return (
        np.array(stepped.rewards, dtype=np.float64),
        np.array(stepped.terminations, dtype=np.bool_),
        np.array(stepped.truncations, dtype=np.bool_),
        merged,
    )


def infos_of(infos):
    return infos.infos() if isinstance(infos, InfoParts) else infos


def step_of_four(ended):
    """Return a step of four environments, some of which were reset at its end."""
    infos = parts_of([{"count": number} for number in range(4)], ended, True)
    finals = parts_of([{"count": 9} for _ in ended], (), True) if ended else ()
    ends = [0.5] * 4, [place in ended for place in range(4)], [False] * 4
    texts = [f"end of {place}" for place in ended]
    return Stepped("abcd", *ends, infos, ended, ended, texts, finals)


ODD = [np.float64(0.5), np.float32(0.5), 1, 0, 2**40, 0.25, True, np.True_, "1", None]


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize(
    "name", ["progress", "success", "action_valid", "feedback", "more", "rewards"]
)
@pytest.mark.parametrize("ended", [[], [1], [0, 3]])
def test_a_step_with_a_value_of_another_type(ended, name, odd):
    stepped, merger = step_of_four(ended), ResultMerger(4)
    if name == "rewards" and not isinstance(odd, str | None):
        stepped = stepped._replace(rewards=[0.5, odd, 0.0, 0.5])
    elif name != "rewards":
        values = [*getattr(stepped.infos, name)]
        values[2] = {"count": odd} if name == "more" else odd
        infos = stepped.infos._replace(**{name: values})
        stepped = stepped._replace(infos=infos)
    expected, error = result_of(lambda: in_gymnasiums_way(stepped))
    if error is None:
        same(tuple(merger.stepped(stepped)), expected)
    # What it learned of one step does not change the next.
    usual = step_of_four(ended)
    same(tuple(merger.stepped(usual)), in_gymnasiums_way(usual))


@pytest.mark.parametrize("odd", [np.float64(0.5), 1, True], ids=repr)
def test_a_step_whose_first_feedback_is_no_text(odd):
    stepped = step_of_four([])
    infos = stepped.infos._replace(feedback=[odd, "1", "2", "3"])
    stepped = stepped._replace(infos=infos)
    expected, error = result_of(lambda: in_gymnasiums_way(stepped))
    if error is None:
        same(tuple(ResultMerger(4).stepped(stepped)), expected)


def test_infos_with_as_many_but_other_keys():
    parts = parts_of([{"x": "1"}, {"y": "2"}], (), True)
    expected = gymnasium_merges(parts.infos(), [0, 1], 2)
    same(ResultMerger(2).merged(parts), expected)


@pytest.mark.parametrize("key", ["goal", "task_id", "difficulty"])
def test_a_key_of_a_reset_that_is_also_the_benchmark_s_own(key):
    parts = parts_of([{key: "own"}] * 3, [1], True)
    expected = gymnasium_merges(parts.infos(), [0, 1, 2], 3)
    same(ResultMerger(3).merged(parts), expected)


def test_an_int_of_a_key_that_is_replaced_can_have_any_size():
    parts = parts_of([{"progress": 2**70}, {}], (), True)
    expected = gymnasium_merges(parts.infos(), [0, 1], 2)
    same(ResultMerger(2).merged(parts), expected)


def arrays_in(result):
    for value in result.values() if isinstance(result, dict) else result:
        if isinstance(value, np.ndarray):
            yield value
        else:
            yield from arrays_in(value)


@pytest.mark.parametrize("ended", [[], [1]])
def test_all_arrays_of_a_step_can_be_changed(ended):
    arrays = list(arrays_in(ResultMerger(4).stepped(step_of_four(ended))))
    assert len(arrays) > 20
    for array in arrays:
        assert array.flags.writeable
        assert array.flags.c_contiguous
    assert len({array.ctypes.data for array in arrays}) == len(arrays)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("env_id", FAST)
def test_arrays_of_a_step_are_made_together(env_id, mode, monkeypatch):
    # The slow way gives the same results.
    monkeypatch.delattr(ResultMerger, "_separately")
    envs = gym.make_vec(env_id, 3, autoreset_mode=mode)
    envs.reset(seed=0)
    for _ in range(3):
        envs.step(["help", "", "0123"])
    envs.close()


def test_groups_with_subgoals_as_dicts_and_in_parts_are_joined():
    start = Start("text", "goal", "1")
    subgoals = [{"a": False}, (("a", "b"), b"\0\0")]
    groups = [InfoParts.of_resets([(start, {}, one)]) for one in subgoals]
    joined = InfoParts.joined(groups)
    dicts = [{"a": False}, {"a": False, "b": False}]
    assert [info["subgoals"] for info in joined.infos()] == dicts
    merged = ResultMerger(2).merged(joined)
    same(merged, gymnasium_merges(joined.infos(), [0, 1], 2))


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
