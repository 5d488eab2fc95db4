import pytest

from aq_gym.support.json_files import read_object, write_json


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "summary.json"
    for value in ({"a": [1.5, {}]}, {"b": {"c": []}}):
        write_json(path, value)
        assert read_object(path) == value
        assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]


def test_the_line_of_a_long_int_is_named(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(f'{{"a": 0.{"1" * 4_000},\n"b": {"9" * 5_000}}}')
    with pytest.raises(ValueError, match=f"{path} is damaged: line 2 has an int of"):
        read_object(path)
