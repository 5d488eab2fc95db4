"""Parquet files that are damaged, or take far more memory than their size."""

import random

import pytest

pytest.importorskip("pyarrow")
import pyarrow
from pyarrow import parquet

from aq_gym.support import parquet_reader
from aq_gym.support.parquet_files import parquet_rows
from aq_gym.support.user_files import UserFileError

ROWS = [{"q": f"q{i}", "of": ["a", f"b{i % 5}"], "m": {"n": i}} for i in range(99)]


def bomb(path, length, count=1):
    """Write rows with a list of one text of 1,000 characters, repeated."""
    items = pyarrow.DictionaryArray.from_arrays([0] * length * count, ["y" * 1_000])
    ends = [length * row for row in range(count + 1)]
    table = pyarrow.table({"of": pyarrow.ListArray.from_arrays(ends, items)})
    parquet.write_table(table, path, store_schema=False, compression="zstd")
    assert path.stat().st_size < 20_000


def test_rows_are_read(tmp_path):
    table = pyarrow.Table.from_pylist(ROWS)
    parquet.write_table(table, tmp_path / "x", row_group_size=40)
    assert list(parquet_rows(tmp_path / "x", 10**6)) == ROWS


def test_columns_are_chosen_and_the_reader_ends_with_its_caller(tmp_path):
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "x")
    rows = parquet_rows(tmp_path / "x", 10**6, ("q", "none"))
    assert next(rows) == {"q": "q0"}
    process = rows.gi_frame.f_locals["process"]
    rows.close()
    assert process.returncode is not None


def test_the_sizes_of_a_row_and_of_all_are_bounded(tmp_path):
    bomb(tmp_path / "row", 5_000)
    with pytest.raises(UserFileError, match="has a row of over 4,194,304 bytes"):
        list(parquet_rows(tmp_path / "row", 10**9))
    bomb(tmp_path / "rows", 1, 2_000)
    with pytest.raises(UserFileError, match="unpacks to over 1,000,000 bytes"):
        list(parquet_rows(tmp_path / "rows", 10**6))


def test_a_row_that_is_cut_is_an_error(tmp_path, monkeypatch):
    killed = 'import os\nos.write(1, b\'{"q":1}\\n{"q":"y\')\nos.kill(os.getpid(), 9)'
    (tmp_path / "reader.py").write_text(killed)
    monkeypatch.setattr(parquet_reader, "__file__", str(tmp_path / "reader.py"))
    rows = parquet_rows(tmp_path / "x", 10**6)
    assert next(rows) == {"q": 1}
    with pytest.raises(UserFileError, match="is damaged, or takes more than"):
        next(rows)


@pytest.mark.slow
def test_a_list_of_endless_items_takes_1_gib_at_most(tmp_path):
    bomb(tmp_path / "x", 1_500_000)
    with pytest.raises(UserFileError, match="takes more than 20 seconds or 1 GiB"):
        list(parquet_rows(tmp_path / "x", 10**10))


@pytest.mark.slow
def test_a_damaged_file_is_refused_and_ends_no_process(tmp_path):
    path, rng = tmp_path / "x", random.Random(1)
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)
    whole = path.read_bytes()
    refused = 0
    for _ in range(12):
        data = bytearray(whole)
        data[-rng.randrange(9, 1_200)] = rng.randrange(256)
        path.write_bytes(data)
        try:
            list(parquet_rows(path, 10**6))
        except UserFileError:
            refused += 1
    assert refused > 6
