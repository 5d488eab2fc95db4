import json

from hypothesis import given
from hypothesis import strategies as st

from aq_gym.evaluation.json_files import indented, read_object, write_json

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_indented_is_as_in_json(value):
    assert indented(value) == json.dumps(value, indent=2, sort_keys=True)


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "summary.json"
    for value in ({"a": [1.5, {}]}, {"b": {"c": []}}):
        write_json(path, value)
        assert read_object(path) == value
        assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]
