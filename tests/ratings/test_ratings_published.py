"""The reader of the authors' ratings, on made-up files of the same shape."""

import json

import pytest

from aq_gym.ratings import published_criteria, published_ratings, verify

CRITERIA = {
    "right": {"description": "Is it?", "accepted_values": ["no", "partly", "yes"]},
    "kind": {"description": "Which?", "accepted_values": ["sum", "product"]},
}
VALUES = CRITERIA["right"]["accepted_values"]


def episode(right, kind, success):
    rated = {"right": right, "kind": kind}
    return json.dumps({"actual_success": success, "estimated_performance": rated})


def write(folder):
    (folder / "criteria.json").write_text(json.dumps(CRITERIA))
    for seed in range(3):
        rows = {
            f"p{n}.json": episode(
                f"'{VALUES[n % 3]}'", '"sum"', ("false", "true")[n % 3 > 1]
            )
            for n in range(12)
        }
        rows["p0.json"] = episode("I would say 'no'.", "'sum'", "false")
        (folder / f"rated-{seed}.json").write_text(json.dumps(rows))
    copies = {
        f"p{n}.json": episode(["'yes'", "'no'"], ["'sum'", "'other'"], "true")
        for n in range(8)
    }
    (folder / "copies.json").write_text(json.dumps(copies))


def test_ratings_are_read_and_verified(tmp_path):
    write(tmp_path)
    criteria = published_criteria(tmp_path / "criteria.json", ["kind"])
    assert [one.ordinal for one in criteria] == [True, False]
    files = sorted(tmp_path.glob("rated-*.json"))
    ratings = published_ratings(criteria, files, tmp_path / "copies.json")
    right, kind = (verify(one, ratings[one.name]) for one in criteria)
    assert (right["ratings"], right["missing"]) == (36, 3)
    assert right["decision"] == "keep"
    assert right["coefficient_of_variation"] == 0.0
    assert right["success_area"].value == 1.0
    change = right["disturbed"]["disturbed"]
    assert (change["pairs"], change["lower"], change["mean_before"]) == (8, 8, 2)
    assert (kind["decision"], kind["entropy"]) == ("drop", 0.0)
    assert "success_area" not in kind


def test_ratings_without_success_are_read(tmp_path):
    write(tmp_path)
    rated = {"right": "partly", "kind": "sum"}
    (tmp_path / "rated.json").write_text(json.dumps({"p0.json": rated}))
    pairs = {"p0.json": [rated, {"right": "no"}], "p1.json": [rated, {}]}
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    criteria = published_criteria(tmp_path / "criteria.json")
    ratings = published_ratings(
        criteria, [tmp_path / "rated.json"], tmp_path / "pairs.json"
    )
    assert ratings["right"].repeats == {"p0.json": [1]}
    assert ratings["right"].truth == {}
    assert ratings["right"].disturbed == {"disturbed": {"p0.json": (1, 0)}}
    assert ratings["kind"].disturbed == {}


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("{'right': 'partly', 'kind': 'it\\'s a sum'}", 1),
        (json.dumps({"right": "'yes'"}), 2),
        ("{'right': {1, 2}}", None),
        ("{'right': 'no'} I hope this helps", None),
        ("I cannot rate it", None),
        ("__import__('os').abort()", None),
        ("[" * 100_000, None),
        ("{'right': 'no'" + " " * 30_000 + "}", None),
        ("['right']", None),
    ],
)
def test_an_answer_with_all_criteria_is_read(tmp_path, answer, value):
    write(tmp_path)
    row = {"actual_success": "true", "estimated_performance": answer}
    (tmp_path / "rated.json").write_text(json.dumps({"p0.json": json.dumps(row)}))
    criteria = published_criteria(tmp_path / "criteria.json")
    ratings = published_ratings(criteria, [tmp_path / "rated.json"])
    assert ratings["right"].repeats == {"p0.json": [value]}
    assert ratings["kind"].repeats == {"p0.json": [None]}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("criteria.json", "[]", "must contain a JSON object"),
        ("criteria.json", '{"x": 3}', "'x' must be an object"),
        ("criteria.json", '{"x": {"description": "y"}}', "worst_to_best must list"),
        ("rated-1.json", '{"p0.json": "no"}', "not JSON"),
        ("rated-1.json", '{"p0.json": {}}', "no 'estimated_performance'"),
        ("rated-1.json", '{"p0.json": {"other": "no"}}', "no 'estimated_performance'"),
        ("rated-1.json", '{"p0.json": [{"right": "no"}]}', "estimated_performance"),
        ("rated-1.json", '{"p0.json": null}', "no 'estimated_performance'"),
    ],
)
def test_another_form_is_refused(tmp_path, name, text, said):
    write(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=said):
        published_ratings(
            published_criteria(tmp_path / "criteria.json"),
            sorted(tmp_path.glob("rated-*.json")),
        )
