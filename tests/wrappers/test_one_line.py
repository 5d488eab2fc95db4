import json
import math
from json import encoder

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.trajectory import one_line as module
from aq_gym.trajectory.one_line import one_line, one_line_ascii

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_values_are_written_as_json_writes_them(value):
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert one_line(value) == plain
    assert json.loads(one_line_ascii(value)) == value
    assert one_line_ascii(value).isascii()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_lacks_are_refused(number):
    for write in (one_line, one_line_ascii):
        with pytest.raises(ValueError, match="JSON"):
            write([number])
        with pytest.raises(ValueError, match="JSON"):
            write(number)


def test_what_json_cannot_represent_is_refused():
    with pytest.raises(TypeError, match="object"):
        one_line([object()])


def test_python_without_the_encoder_in_c_writes_the_same(monkeypatch):
    value = {"a": [1, 0.5, True, None, "ä\n"]}
    monkeypatch.setattr(encoder, "c_make_encoder", None)
    slow = module._made_once()
    assert slow(value) == one_line(value) == '{"a":[1,0.5,true,null,"ä\\n"]}'
