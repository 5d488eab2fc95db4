"""Merged infos are Gymnasium's, whatever environments put into them."""

import numpy as np
import pytest
from gymnasium.vector import VectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from vector.same import same

from aq_gym.vector.env_group import merged

LEAVES = (
    st.booleans()
    | st.integers(-9, 9)
    | st.floats(-1, 1)
    | st.just(np.float32(0.5))
    | st.just(np.True_)
    | st.text(max_size=2)
    | st.none()
    | st.tuples(st.text(max_size=1))
    | st.builds(np.full, st.just(2), st.integers(0, 9))
)
KEYS = st.sampled_from(["a", "b", "c", "final_obs"])
FLAGS = st.dictionaries(st.sampled_from("wxyz"), st.booleans(), max_size=4)
INFOS = st.dictionaries(KEYS, LEAVES | st.dictionaries(KEYS, LEAVES, max_size=2))
# As environments have them: each key has values of one kind.
ORDERLY = st.fixed_dictionaries(
    {"progress": st.floats(0, 1), "subgoals": FLAGS, "text": st.text(max_size=3)},
    optional={"error": st.text(max_size=3), "count": st.integers(0, 9), "more": FLAGS},
)


def gymnasium_merges(infos, num_envs):
    envs = VectorEnv()
    envs.num_envs = num_envs
    result = {}
    for place, info in infos.items():
        result = envs._add_info(result, info, place)
    return result


def result_of(merge, *args):
    try:
        return merge(*args), None
    except Exception as error:  # noqa: BLE001 (compared)
        return None, type(error)


@settings(max_examples=300)
@given(
    st.lists(INFOS, min_size=4, max_size=4) | st.lists(ORDERLY, min_size=4, max_size=4),
    st.sets(st.integers(0, 3)) | st.just({0, 1, 2, 3}),
)
@pytest.mark.slow
def test_any_infos(infos, chosen):
    infos = {place: infos[place] for place in sorted(chosen)}
    expected, error = result_of(gymnasium_merges, infos, 4)
    # Gymnasium cannot merge dicts with other values of their key, and sets a number in
    # the merged dict where a dict came first.
    if error is None and not is_mixed(list(infos.values())):
        same(merged(infos, 4), expected)


def is_mixed(rows):
    """Whether a key has dicts in some of the infos, and other values in others."""
    for key in {key for row in rows for key in row}:
        values = [row[key] for row in rows if key in row]
        dicts = [value for value in values if isinstance(value, dict)]
        if dicts and (len(dicts) < len(values) or is_mixed(dicts)):
            return True
    return False


def test_an_info_that_is_a_dict_in_some_environments_is_kept():
    found = merged({0: {"a": {"b": 1}}, 1: {"a": 2}}, 2)
    assert found["a"].tolist() == [{"b": 1}, 2]
    assert found["_a"].tolist() == [True, True]
