import math
import os

import pytest

from aq_gym.trajectory import jsonl
from aq_gym.trajectory.jsonl import JsonLines


def write(path, records):
    lines = JsonLines(path)
    for record in records:
        lines.append(record)
    lines.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def test_records_come_back(path):
    records = [{"a": 1}, {"b": ["é\ud800\n\0", None]}, {}]
    write(path, records[:2])
    write(path, records[2:])
    assert jsonl.read(path) == (records, 0)


def test_a_tail_torn_anywhere_is_skipped_and_sealed(path):
    write(path, [{"a": 1}, {"b": {"c": [2, 3]}}])
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole) + 1):
        path.write_bytes(whole[:cut])
        # All but the end of the line: then nothing is missing.
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
    assert path.read_bytes() == b""


def test_a_closed_file_takes_nothing(path):
    lines = JsonLines(path)
    lines.close()
    lines.close()
    with pytest.raises(ValueError, match="closed"):
        lines.append({})


def test_a_full_disk_is_told(path, monkeypatch):
    lines = JsonLines(path)
    whole_write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: whole_write(fd, data[:3]))
        with pytest.raises(OSError, match="only 3 of"):
            lines.append({"a": 1})
    lines.close()
    write(path, [{"b": 2}])
    assert jsonl.read(path) == ([{"b": 2}], 1)


def test_after_a_partial_write_the_next_record_begins_a_line(path, monkeypatch):
    lines = JsonLines(path)
    whole_write = os.write
    for most in (3, 0, 1):
        with monkeypatch.context() as patch:
            patch.setattr(
                os, "write", lambda fd, data, most=most: whole_write(fd, data[:most])
            )
            with pytest.raises(OSError, match=f"only {most} of"):
                lines.append({"a": 1})
    lines.append({"b": 2})
    lines.append({"c": 3})
    lines.close()
    assert jsonl.read(path) == ([{"b": 2}, {"c": 3}], 1)


def test_one_write_per_record(path, monkeypatch):
    lines = JsonLines(path)
    writes = []
    monkeypatch.setattr(os, "write", lambda fd, data: writes.append(data) or len(data))
    lines.append({"a": "x" * 100_000})
    assert len(writes) == 1
    lines.close()


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


def test_a_record_of_many_short_parts_cannot_be_shortened(path):
    with pytest.raises(ValueError, match="bytes cannot be written"):
        write(path, [{f"a{n}": "x" * 10 for n in range(800_000)}])
    assert path.read_bytes() == b""


def test_a_line_over_the_limit_is_damaged_and_the_others_are_read(path):
    long = b'{"a":"' + b"x" * 2**24 + b'"}'
    path.write_bytes(b'{"n":1}\n' + long + b"\n" + long + b'\n{"n":2}\n')
    assert jsonl.read(path) == ([{"n": 1}, {"n": 2}], 2)
    assert [line.damaged for line in jsonl.read_lines(path)] == [0, 1, 1, 0]


def test_brackets_and_commas_are_not_counted(path):
    write(path, [{"a": "[" * 3_000_000, "b": [0] * 4_000_000}, *[{}] * 10_000])
    records, torn = jsonl.read(path)
    assert (len(records), torn) == (10_001, 0)
    assert records[0]["a"].count("[") == 3_000_000
