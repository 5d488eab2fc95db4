from aq_gym.support.json_files import read_object, write_json


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "summary.json"
    for value in ({"a": [1.5, {}]}, {"b": {"c": []}}):
        write_json(path, value)
        assert read_object(path) == value
        assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]
