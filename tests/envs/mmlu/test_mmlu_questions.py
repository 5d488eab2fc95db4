"""Generated questions have one right answer, and their options do not tell it."""

import hashlib
import json
import re
from collections import Counter

import pytest

from aq_gym.envs.mmlu.generated import FAMILIES, GENERATED, question
from aq_gym.envs.mmlu.question import PUBLISHED, Question, chosen

BOTH = pytest.mark.parametrize("difficulty", ["easy", "hard"])


def numbers(text):
    return [int(one) for one in re.findall(r"-?\d+", text)]


# The first 60 questions of each difficulty, whose answers a second solver found too.
CHECKED = {
    "arithmetic": "537cff50a35ea38a",
    "fractions": "006a0734e5fd6c30",
    "divisibility": "2bdd2760bcbee675",
    "sequences": "fabb2ecce0d5cca4",
    "dates": "48f1eeaa4428b061",
    "clock": "b57596d1cf9eb9fe",
    "units": "56abd409b5f83ce7",
    "prices": "bfcd8d48df753724",
    "sets": "0fc6df52f21994c9",
    "knights": "8ed5d1cba8013617",
    "orderings": "17b044ae4565d58e",
    "word_order": "a49b73ff61f8317b",
    "letters": "43956ea8e6b296d6",
    "charts": "146c40e21ef27179",
    "programs": "bbf4290da878cc1c",
}


def test_there_are_enough_families():
    assert len(FAMILIES) >= 12
    assert CHECKED.keys() == FAMILIES.keys() == GENERATED.keys()
    assert not GENERATED.keys() & PUBLISHED.keys()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_answers_are_those_that_were_checked(family):
    made = [
        question(family, difficulty, number)
        for difficulty in ("easy", "hard")
        for number in range(60)
    ]
    assert all(len({*one.options}) == 4 for one in made)
    text = json.dumps(made)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == CHECKED[family]


@BOTH
@pytest.mark.parametrize("family", FAMILIES)
def test_questions_of_a_family_differ(family, difficulty):
    texts = {question(family, difficulty, number).text for number in range(300)}
    assert len(texts) > 285
    assert max(map(len, texts)) < 600


def test_the_options_do_not_tell_the_answer():
    found = Counter()
    count = 0
    for family in FAMILIES:
        for number in range(100):
            one = question(family, "easy", number)
            count += 1
            ranked = sorted(one.options, key=lambda text: (numbers(text) or [0], text))
            for name, choice in {
                "longest": max(one.options, key=len),
                "shortest": min(one.options, key=len),
                **{f"rank {k}": option for k, option in enumerate(ranked)},
                **{f"letter {k}": option for k, option in enumerate(one.options)},
            }.items():
                found[name] += choice == one.options[one.answer]
    # 1,500 questions: a standard error of 1.1 points.
    assert all(0.21 < right / count < 0.29 for right in found.values()), found


def test_a_question_is_the_same_in_every_version():
    one = question("dates", "hard", 7)
    assert one == Question(
        *("dates", "Which date is 89 days after 25 May 1974?"),
        ("24 August 1974", "22 August 1974", "18 August 1974", "20 August 1974"),
        *(1, "hard"),
    )


def test_options_that_name_others_keep_their_order():
    plain = Question("anatomy", "q", ("1", "2", "3", "A lens"), 2)
    orders = {plain.shuffled(seed, "test-anatomy-1").options for seed in range(200)}
    assert len(orders) == 24
    for seed in range(20):
        one = plain.shuffled(seed, "test-anatomy-1")
        assert one.options[one.answer] == "3"
        assert one == plain.shuffled(seed, "test-anatomy-1")
    for last in ("All of the above", "none of these.", "Both A and B", "A, B, and C"):
        fixed = plain._replace(options=("1", "2", "3", last))
        assert {fixed.shuffled(seed, "x") for seed in range(20)} == {fixed}


def test_subjects_are_chosen_by_name_and_group():
    assert len(chosen(PUBLISHED, None, None)) == 57
    assert chosen(PUBLISHED, "anatomy", None) == ("anatomy",)
    assert chosen(GENERATED, ["dates", "sets"], "logic") == ("sets",)
    with pytest.raises(ValueError, match="did you mean 'anatomy'"):
        chosen(PUBLISHED, "anatomi", None)
    with pytest.raises(ValueError, match=r"choose from.*'STEM'"):
        chosen(PUBLISHED, None, "stem")
    with pytest.raises(ValueError, match="includes none of"):
        chosen(PUBLISHED, "anatomy", "STEM")
