"""Values and lines of a trajectory are restored, and damage is noticed."""

import enum
import json
import math
import os

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from aq_gym.trajectory import jsonl
from aq_gym.trajectory.codec import Opaque, canonical, decode, encode
from aq_gym.trajectory.jsonl import JsonLines
from aq_gym.trajectory.writer import step_line

TEXT = st.text(st.characters(exclude_categories=()))
NUMBERS = st.one_of(st.integers(), st.floats(), st.booleans(), st.none())
ARRAYS = hnp.arrays(
    st.one_of(hnp.scalar_dtypes(), hnp.unicode_string_dtypes()),
    hnp.array_shapes(min_dims=0, min_side=0, max_side=9),
)
# A numpy str comes back as a str, which another test covers.
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


@settings(max_examples=300)
@given(VALUES)
@example("\ud83d\ude00")
@example({"\ud83d\ude00": "\ud800"})
@example({"$type": "😀\0\n\u2028"})
@example([math.nan, -0.0, math.inf, {1: 2, "1": 3}, (), {()}])
@example(np.arange(100, dtype=np.float32).reshape(4, 25))
@pytest.mark.slow
def test_every_value_comes_back(value):
    line = jsonl.dumps({"value": encode(value)})
    assert b"\n" not in line
    line.decode()
    back = decode(json.loads(line)["value"])
    assert same(value, back)
    assert canonical(back) == canonical(value)


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


@pytest.mark.parametrize(
    "array",
    [
        np.ma.array([1, 2], mask=[True, False]),
        np.ma.masked,
        np.rec.array([(1, 2.0)], dtype="i4,f4"),
        np.zeros(2).view(np.matrix),
    ],
)
def test_of_subclasses_of_arrays_the_class_is_kept(array):
    kind = f"{type(array).__module__}:{type(array).__name__}"
    assert decode(encode({"x": [array]})) == {"x": [Opaque(kind)]}


@pytest.mark.parametrize("digits", [300, 400, 5_000, 100_000])
def test_ints_of_any_length_come_back(digits):
    value = [10**digits, -(10**digits)]
    assert decode(json.loads(jsonl.dumps({"x": encode(value)}))["x"]) == value


def nested(depth):
    value = ()
    for _ in range(depth):
        value = [value]
    return value


@settings(max_examples=300)
@given(VALUES)
@example("\ud83d\ude00")
@example({"\ud83d\ude00": "\ud800"})
@example({"fine": {"text": "ä", "deeper": {"\ud800": 1}}})
@example([{"$type": 1}, {1: 2}, [math.nan, -math.inf], 10**400])
@pytest.mark.slow
def test_the_line_of_a_step_is_that_of_its_encoded_values(value):
    check_line_of_step(value)


@pytest.mark.parametrize("depth", [90, 98, 99, 100, 10_000])
def test_the_line_of_a_step_with_a_deep_value(depth):
    check_line_of_step(nested(depth))


def check_line_of_step(value):
    info = {"value": value, "subgoals": {"first": False}, "progress": 0.5}
    line = step_line(3, encode(value), (value, 0.5, 0, True, info), {"note": value})
    assert line == jsonl.dumps(
        {
            "kind": "step",
            "t": 3,
            "action": encode(value),
            "observation": encode(value),
            "reward": 0.5,
            "terminated": False,
            "truncated": True,
            "info": encode(info),
            "notes": encode({"note": value}),
        }
    )


def test_what_contains_itself_is_opaque():
    info = {"a": 1, "deep": nested(10_000), "fine": nested(90)}
    info["self"] = [info, info]
    opaque = Opaque("builtins:list")
    back = decode(json.loads(jsonl.dumps(encode(info))))
    assert back == {"a": 1, "deep": opaque, "fine": nested(90), "self": opaque}
    assert decode(encode(nested(10_000))) == opaque
    key = nested(0)
    for _ in range(1_000):
        key = (key,)
    assert decode(encode({key: 1})) == {Opaque("builtins:tuple"): 1}


@pytest.mark.parametrize("wrap", [lambda x: (x,), lambda x: {0: x}, lambda x: [x]])
def test_the_deepest_values_are_written_and_read(wrap):
    value = 1
    for _ in range(100):
        value = wrap(value)
    assert decode(json.loads(jsonl.dumps({"x": encode(value)}))["x"]) == value
    assert isinstance(decode(encode(wrap(value))), Opaque | dict)


def test_arrays_of_objects():
    array = np.empty(3, object)
    array[:] = [object(), (1,), None]
    array[2] = [1, 2]
    back = decode(encode(array))
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tolist() == [Opaque("builtins:object"), (1,), [1, 2]]


def test_canonical_tells_types_apart():
    values = [1, 1.0, True, "1", None, np.int64(1), np.int32(1), [1], (1,), -0.0, 0.0]
    assert len({canonical(value) for value in values}) == len(values)
    assert canonical({"a": 1, "b": math.nan}) == canonical({"b": math.nan, "a": 1})


def test_an_unknown_type_is_named():
    with pytest.raises(ValueError, match="quaternion"):
        decode({"$type": "quaternion"})


@pytest.mark.parametrize(
    "value",
    [
        {"$type": ["array"]},
        {"$type": "array"},
        {"$type": "array", "dtype": "no", "shape": [1], "items": [1]},
        {"$type": "array", "dtype": "<i4", "shape": 3, "items": [1]},
        {"$type": "array", "dtype": "|O", "shape": [1], "data": "AAAA"},
        {"$type": "array", "dtype": "|b1", "shape": [1], "items": 5},
        {"$type": "array", "dtype": "|i1", "shape": [1], "items": [1000]},
        {"$type": "bytes", "data": 5},
        {"$type": "bytes", "data": "\xe9"},
        {"$type": "dict", "items": [[[], 1]]},
        {"$type": "dict", "items": [1]},
        {"$type": "float", "value": None},
        {"$type": "float", "value": "x"},
        {"$type": "int", "hex": 5},
        {"$type": "set", "items": [[]]},
        {"$type": "text", "data": "/w=="},
        {"$type": "tuple", "items": 1},
    ],
)
def test_damaged_values_are_value_errors(value):
    with pytest.raises(ValueError):
        decode([value])


def write(path, records):
    lines = JsonLines(path)
    for record in records:
        lines.append(record)
    lines.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def test_a_tail_torn_anywhere_is_skipped_and_sealed(path):
    write(path, [{"a": 1}, {"b": {"c": [2, 3]}}])
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole) + 1):
        path.write_bytes(whole[:cut])
        # If only the line break is cut off, the record is complete.
        kept = [{"b": {"c": [2, 3]}}] if cut >= len(whole) - 1 else []
        torn = int(not kept and cut > first)
        assert jsonl.read(path) == ([{"a": 1}, *kept], torn)
        write(path, [{"d": 4}])
        assert jsonl.read(path) == ([{"a": 1}, *kept, {"d": 4}], torn)


@pytest.mark.parametrize("line", [b"12", b"\xff\xfe", b"[1]", b'"a"', b"{", b"\0\0"])
def test_lines_that_are_no_objects_count_as_torn(path, line):
    path.write_bytes(line + b'\n\n{"a":1}\n')
    assert jsonl.read(path) == ([{"a": 1}], 1)


def test_new_refuses_a_file_that_exists(path):
    write(path, [{}])
    with pytest.raises(FileExistsError):
        JsonLines(path, new=True)
    assert jsonl.read(path).records == [{}]


def test_nan_is_refused(path):
    with pytest.raises(ValueError, match="JSON compliant"):
        write(path, [{"a": math.nan}])
    assert path.read_bytes() == b"" and jsonl.read(path) == ([], 0)


def test_after_a_partial_write_the_next_record_begins_a_line(path, monkeypatch):
    lines = JsonLines(path)
    whole_write = os.write
    for most in (1, 3, 0, 1):
        with monkeypatch.context() as patch:
            patch.setattr(
                os, "write", lambda fd, data, most=most: whole_write(fd, data[:most])
            )
            with pytest.raises(OSError, match=f"only {most} of"):
                lines.append({"a": 1})
    lines.append({"b": 2})
    lines.append({"c": 3})
    lines.close()
    assert jsonl.read(path) == ([{"b": 2}, {"c": 3}], 2)


@pytest.mark.slow
def test_a_record_that_is_too_long_for_a_line_is_shortened(path):
    lines = JsonLines(path, checksums=True)
    array = {"$type": "array", "data": "A" * 2**23}
    lines.append({"a": "x" * 2**24, "b": [array, 1], "c": "as it was"})
    lines.append({"a": list(range(2**22)), "d": 1})
    lines.append({"last": True})
    lines.close()
    assert max(map(len, path.read_bytes().splitlines(keepends=True))) <= 2**24
    (first, second, last), torn = jsonl.read(path)
    assert torn == 0 and last == {"last": True}
    assert first["a"].startswith("xxx")
    assert first["a"].endswith("x [15,728,640 more characters left out]")
    assert first["b"] == [{"$type": "opaque", "kind": "a shortened array"}, 1]
    assert first["c"] == "as it was"
    assert first["shortened"] == ["a", "b"]
    assert second["a"][:2] == [0, 1] and second["a"][-1].endswith("items left out]")
    assert second["shortened"] == ["a"]


def test_a_changed_line_is_damaged_and_a_torn_one_is_not(path):
    lines = JsonLines(path, checksums=True)
    lines.append({"a": "as it was"})
    lines.close()
    line = path.read_bytes()
    path.write_bytes(b"?" + line[1:] + line[:-9] + b"\n" + line)
    assert [line.damaged for line in jsonl.read_lines(path)] == [True, False, False]


def test_a_record_of_many_short_parts_cannot_be_shortened(path, monkeypatch):
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 1 << 14)
    with pytest.raises(ValueError, match="bytes cannot be written"):
        write(path, [{f"a{n}": "x" * 10 for n in range(1_000)}])
    assert path.read_bytes() == b""


def test_a_line_over_the_limit_is_damaged_and_the_others_are_read(path):
    long = b'{"a":"' + b"x" * 2**24 + b'"}'
    path.write_bytes(b'{"n":1}\n' + long + b"\n" + long + b'\n{"n":2}\n')
    assert jsonl.read(path) == ([{"n": 1}, {"n": 2}], 2)
    assert [line.damaged for line in jsonl.read_lines(path)] == [0, 1, 1, 0]
