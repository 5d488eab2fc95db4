"""The file of criteria."""

import json

import pytest

from aq_gym.ratings.criteria import criteria_of, load_criteria, save_criteria

GOOD = {
    "name": "clarity",
    "description": "Is it clear?",
    "worst_to_best": ["no", "yes"],
}


def with_(**fields):
    return [{**GOOD, **fields}]


def test_a_file_is_read_as_it_was_written(tmp_path):
    kind = {"name": "kind", "description": "What kind?", "unordered": ["a", "b", "c"]}
    part = {**GOOD, "name": "terms", "parent": "clarity"}
    criteria = criteria_of([GOOD, kind, part])
    assert [one.ordinal for one in criteria] == [True, False, True]
    save_criteria(tmp_path / "c.json", criteria)
    assert load_criteria(tmp_path / "c.json") == criteria
    assert json.loads((tmp_path / "c.json").read_text())["criteria"][1] == kind


def test_the_direction_is_in_the_key():
    turned = {"name": "x", "description": "y", "best_to_worst": ["good", "bad"]}
    assert criteria_of([turned])[0].values == ("bad", "good")


def test_texts_are_one_line_and_numbers_are_texts():
    (one,) = criteria_of(with_(name=" a\nb ", worst_to_best=[1, 2.5, 10**199]))
    assert (one.name, one.values) == ("a b", ("1", "2.5", str(10**199)))


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (None, "a list of 1 to"),
        ([], "a list of 1 to"),
        (["clear"], "criterion 1 must be an object"),
        (with_(name=""), "name=''"),
        (with_(name="x" * 81), "80"),
        (with_(description=None), "description=None"),
        (with_(score=1), "must not have 'score'"),
        (with_(worst_to_best=["yes"]), "2 to 20 values"),
        (with_(worst_to_best="yes"), "2 to 20 values"),
        (with_(worst_to_best=["yes", "yes"]), "a value twice"),
        (with_(worst_to_best=["yes", True]), "value=True"),
        (with_(worst_to_best=["yes", float("nan")]), "value=nan"),
        (with_(worst_to_best=["yes", float("inf")]), "value=inf"),
        (with_(unordered=["a", "b"]), "must have one of worst_to_best"),
        ([{"name": "x", "description": "y"}], "must have one of worst_to_best"),
        ([GOOD, *with_(name="Clarity")], "'clarity' is given twice"),
        (with_(parent="other"), "parent='other'"),
        (with_(parent="clarity"), "parent='clarity'"),
        (with_(parent=3), "parent=3"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, records, said):
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"criteria": records}))
    with pytest.raises(ValueError, match=r"c\.json") as error:
        load_criteria(path)
    assert said in str(error.value)
    assert str(error.value).count("c.json") == 1


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_broken_file_is_named_once(tmp_path, text):
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(ValueError, match="is damaged") as error:
        load_criteria(tmp_path / "c.json")
    assert str(error.value).count("c.json") == 1
