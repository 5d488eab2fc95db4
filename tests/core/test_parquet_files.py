"""Parquet files that lie about their sizes, or are damaged."""

import random

import pytest

pytest.importorskip("pyarrow")
import pyarrow
from pyarrow import parquet

from aq_gym.support.parquet_files import parquet_rows
from aq_gym.support.user_files import UserFileError

ROWS = [{"q": f"q{i}", "of": ["a", f"b{i % 5}"], "m": {"n": i}} for i in range(99)]


def varint(number, length=0):
    """Return a number of Thrift, with a given length or the shortest one."""
    number <<= 1
    found = []
    while number or len(found) < length:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found[:-1], found[-1] & 127])


@pytest.mark.parametrize("codec", ["snappy", "zstd", "gzip", "brotli", "none", "lz4"])
def test_every_codec_is_read(tmp_path, codec):
    table = pyarrow.Table.from_pylist(ROWS)
    for page, more in (("1.0", True), ("2.0", False)):
        options = {"compression": codec, "data_page_version": page}
        options |= {"use_dictionary": more, "write_statistics": more}
        parquet.write_table(table, tmp_path / "x", row_group_size=40, **options)
        assert list(parquet_rows(tmp_path / "x", 10**6)) == ROWS


def test_a_footer_that_lies_is_not_believed(tmp_path):
    path, table = tmp_path / "x", pyarrow.table({"q": ["x" * 10**6], "a": [1]})
    options = {"use_dictionary": False, "write_statistics": False}
    parquet.write_table(table, path, compression="zstd", **options)
    said = parquet.ParquetFile(path).metadata.row_group(0).column(0)
    true = varint(said.total_uncompressed_size)
    before, after = path.read_bytes().rsplit(true, 1)
    path.write_bytes(before + varint(9, len(true)) + after)
    said = parquet.ParquetFile(path).metadata.row_group(0).column(0)
    assert said.total_uncompressed_size == 9
    with pytest.raises(UserFileError, match=r"unpacks to 1,000,0\d\d bytes"):
        list(parquet_rows(path, 10**5))


def test_a_list_of_endless_items_is_refused(tmp_path):
    text = pyarrow.array(["y" * 1_000])
    items = pyarrow.DictionaryArray.from_arrays([0] * 300_000, text)
    lists = pyarrow.ListArray.from_arrays([0, 300_000], items)
    options = {"store_schema": False, "compression": "zstd"}
    parquet.write_table(pyarrow.table({"of": lists}), tmp_path / "x", **options)
    assert (tmp_path / "x").stat().st_size < 10_000
    with pytest.raises(UserFileError, match=r"has a row of 30\d,\d+,\d+ bytes"):
        list(parquet_rows(tmp_path / "x", 10**6))


def test_a_damaged_file_is_refused_and_ends_no_process(tmp_path):
    path, rng = tmp_path / "x", random.Random(1)
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)
    whole = path.read_bytes()
    refused = 0
    for _ in range(400):
        data = bytearray(whole)
        place = rng.choice((rng.randrange(len(data)), -rng.randrange(1, 1_200)))
        data[place] = rng.randrange(256)
        path.write_bytes(data)
        try:
            list(parquet_rows(path, 10**6))
        except UserFileError:
            refused += 1
    assert refused > 200


def test_a_categorical_list_is_refused_before_each_value_is_a_text(tmp_path):
    keys, ends = (pyarrow.array(n, pyarrow.int32()) for n in ([0] * 999, [0, 999]))
    texts = pyarrow.DictionaryArray.from_arrays(keys, ["x" * 99])
    column = pyarrow.ListArray.from_arrays(ends, texts)
    parquet.write_table(pyarrow.table({"a": column}), tmp_path / "a.parquet")
    with pytest.raises(UserFileError, match="has a categorical column"):
        next(parquet_rows(tmp_path / "a.parquet", 2**20))
