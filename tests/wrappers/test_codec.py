import enum
import json
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from aq_gym.wrappers import jsonl
from aq_gym.wrappers.codec import Opaque, canonical, decode, encode

TEXT = st.text(st.characters(exclude_categories=()))
NUMBERS = st.one_of(st.integers(), st.floats(), st.booleans(), st.none())
ARRAYS = hnp.arrays(
    st.one_of(hnp.scalar_dtypes(), hnp.unicode_string_dtypes()),
    hnp.array_shapes(min_dims=0, min_side=0, max_side=9),
)
# A numpy str comes back as a str: tested apart.
SCALARS = hnp.arrays(hnp.scalar_dtypes(), ()).map(lambda array: array[()])
HASHABLE = st.one_of(TEXT, NUMBERS, st.binary(), st.tuples(TEXT, NUMBERS))
VALUES = st.recursive(
    st.one_of(HASHABLE, ARRAYS, SCALARS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.one_of(TEXT, st.just("$type")), inner, max_size=4),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.sets(HASHABLE, max_size=4),
        st.frozensets(HASHABLE, max_size=4),
    ),
    max_leaves=12,
)


def same(one, other):
    """Compare deeply: types, NaN, the sign of zero, dtypes and shapes too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        equal = one.dtype == other.dtype and one.shape == other.shape
        # A NaN has many bit patterns, and only one of them comes back.
        nan = one.dtype.kind == "f" and np.array_equal(one, other, equal_nan=True)
        return equal and (one.tobytes() == other.tobytes() or nan)
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, dict):
        return len(one) == len(other) and all(map(same, one.items(), other.items()))
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, set | frozenset):
        return sorted(map(canonical, one)) == sorted(map(canonical, other))
    return one == other


@settings(max_examples=300, deadline=None)
@given(VALUES)
@example("\ud83d\ude00")
@example({"\ud83d\ude00": "\ud800"})
@example({"$type": "😀\0\n\u2028"})
@example([math.nan, -0.0, math.inf, {1: 2, "1": 3}, (), {()}])
@example(np.arange(100, dtype=np.float32).reshape(4, 25))
def test_every_value_comes_back(value):
    line = jsonl.dumps({"value": encode(value)})
    assert b"\n" not in line
    line.decode()
    back = decode(json.loads(line)["value"])
    assert same(value, back)
    assert canonical(back) == canonical(value)


@given(
    st.recursive(
        st.one_of(st.text(st.characters(codec="ascii")), st.integers()),
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.just("a"), inner)),
    )
)
def test_plain_values_stay_as_they_are(value):
    assert encode(value) == value


def test_classes_derived_from_plain_ones_keep_their_value():
    class Move(enum.IntEnum):
        left = 3

    class Name(str):
        pass

    class Pair(tuple):
        pass

    class Table(dict):
        pass

    value = [Move.left, Name("a"), Pair((1, 2)), Table(a=1), np.str_("b")]
    assert decode(encode(value)) == [3, "a", (1, 2), {"a": 1}, "b"]


def test_of_other_objects_the_class_is_kept():
    assert decode(encode(object())) == Opaque("builtins:object")
    assert decode(encode(np.zeros(2, "i4,f4"))) == Opaque("numpy:ndarray")
    assert canonical(Opaque("builtins:object")) == canonical(object())


def test_arrays_of_objects():
    array = np.empty(3, object)
    array[:] = [object(), (1,), None]
    array[2] = [1, 2]
    back = decode(encode(array))
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tolist() == [Opaque("builtins:object"), (1,), [1, 2]]


def test_decoded_arrays_can_be_written():
    for array in (np.zeros(3), np.zeros((10, 10))):
        decode(encode(array))[0] = 1.0


def test_small_numbers_are_readable():
    assert encode(np.array([1, 2]))["items"] == [1, 2]
    assert encode(np.float32(0.5))["items"] == [0.5]


def test_canonical_tells_types_apart():
    values = [1, 1.0, True, "1", None, np.int64(1), np.int32(1), [1], (1,), -0.0, 0.0]
    assert len({canonical(value) for value in values}) == len(values)
    assert canonical({"a": 1, "b": math.nan}) == canonical({"b": math.nan, "a": 1})


def test_an_unknown_type_is_named():
    with pytest.raises(ValueError, match="quaternion"):
        decode({"$type": "quaternion"})
