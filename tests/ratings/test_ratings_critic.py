"""Criteria that a scripted critic suggests, and the file of criteria."""

import json

import pytest
from rating_judges import as_json, asked, criterion, honest, record

from aq_gym.ratings import Judge, Settings, assess, load_criteria, plan, save_criteria
from aq_gym.ratings.criteria import criteria_of

ONCE = Settings(repeats=1, disturbances=(), seeds=3, number=2)


class Critic:
    """Suggests a criterion for each seed, and picks the first ones asked for."""

    def __init__(self, *suggestions, wrap=lambda text: text):
        self.suggestions = list(suggestions)
        self.consolidations = []
        self.wrap = wrap

    def __call__(self, text):
        if "others have suggested" in text:
            lists = [line for line in text.splitlines() if line.startswith("[")]
            given = [one for line in lists for one in json.loads(line)]
            self.consolidations.append([one["name"] for one in given])
            return as_json(*given[:3])
        if criteria := list(asked(text)):
            return "\n".join(honest(values, text) for _, values in criteria)
        return self.wrap(self.suggestions.pop(0))


def run(folder, judge, critic, settings=ONCE, **options):
    if not folder.exists():
        record(folder, [1, 4, 2])
    server = judge(critic)
    judges = [Judge("m", server.url, max_retries=0, **options)]
    return assess(folder, judges, settings), server


def names(results):
    return [one["name"] for one in results["criteria"]]


def test_criteria_are_suggested_and_consolidated(tmp_path, judge):
    suggestions = [as_json(criterion(name)) for name in ("aaa", "bbb", "AAA!")]
    critic = Critic(*suggestions, wrap=lambda text: f"Here:\n```json\n{text}\n```")
    results, server = run(tmp_path / "run", judge, critic)
    assert critic.consolidations == [["aaa", "bbb", "AAA!"]]
    # More than were asked for.
    assert names(results) == ["aaa", "bbb"]
    assert results["based_on"] == "episodes"
    assert "An episode that succeeded:" in server.prompts[0]
    edited = load_criteria(tmp_path / "run" / "ratings" / "criteria.json")
    assert [one.name for one in edited] == ["aaa", "bbb"]
    # Continued: nothing is suggested again.
    again, server = run(tmp_path / "run", judge, critic)
    assert not server.requests
    assert names(again) == names(results)


def test_the_task_alone_is_enough(tmp_path, judge):
    critic = Critic(*[as_json(criterion("aaa"))] * 3)
    settings = Settings(repeats=1, disturbances=(), seeds=3, based_on="task", task="T!")
    results, server = run(tmp_path / "run", judge, critic, settings)
    assert results["based_on"] == "task"
    assert server.prompts[0].startswith("The task:\n| T!\n")
    assert "An episode that" not in "".join(server.prompts[:3])


def test_invalid_suggestions_are_asked_again(tmp_path, judge):
    broken = {**criterion("broken"), "worst_to_best": ["only one"]}
    critic = Critic(
        "I suggest clarity.", as_json(broken), as_json(broken, criterion("aaa")),
        *["{" * 3_000] * 3, "[]", json.dumps([criterion("bbb")]),
    )  # fmt: skip
    results, server = run(tmp_path / "run", judge, critic)
    assert names(results) == ["aaa", "bbb"]
    assert "answer number 2 was not of this form" in server.prompts[2]


def test_without_any_criteria_it_says_so(tmp_path, judge):
    with pytest.raises(ValueError, match="m suggested no valid criteria; write some"):
        run(tmp_path / "run", judge, Critic(*["no"] * 9))


def test_many_suggestions_are_consolidated_in_parts(tmp_path, judge):
    wide = [{**criterion(f"c{n}"), "description": "d" * 900} for n in range(5)]
    critic = Critic(*map(as_json, wide))
    settings = Settings(repeats=1, disturbances=(), seeds=5, number=2)
    results, _ = run(
        tmp_path / "run", judge, critic, settings, context=1_200, max_tokens=100
    )
    assert names(results) == ["c0", "c1"]
    assert len(critic.consolidations) > 1
    assert {name for own in critic.consolidations for name in own} >= {"c0", "c4"}


def test_a_plan_without_criteria_assumes_a_size(tmp_path, judge):
    record(tmp_path / "run", [1, 4, 2])
    server = judge({})
    planned = plan(tmp_path / "run", [Judge("m", server.url)], ONCE)
    # Three seeds, a consolidation, three episodes.
    assert planned["calls"] == 7
    assert not server.requests


GOOD = {
    "name": "clarity",
    "description": "Is it clear?",
    "worst_to_best": ["no", "yes"],
}


def with_(**fields):
    return [{**GOOD, **fields}]


def test_a_file_is_read_as_it_was_written(tmp_path):
    kind = {"name": "kind", "description": "What kind?", "unordered": ["a", "b", "c"]}
    criteria = criteria_of([GOOD, kind])
    assert [one.ordinal for one in criteria] == [True, False]
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
