"""Generated questions have one right answer, and their options do not tell it."""

import hashlib
import json
import re
from collections import Counter
from random import Random

import numpy as np
import pytest

from aq_gym.envs.mmlu.families import NAMES
from aq_gym.envs.mmlu.generated import FAMILIES, GENERATED, question
from aq_gym.envs.mmlu.question import PUBLISHED, Question, chosen
from aq_gym.envs.mmlu.sources import task_source
from aq_gym.envs.mmlu.structure import structure

BOTH = pytest.mark.parametrize("level", ["easy", "hard"])


def numbers(text):
    return [int(one) for one in re.findall(r"-?\d+", text)]


# The first 60 questions of each level, whose answers a second solver found too.
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
        question(family, level, number)
        for level in ("easy", "hard")
        for number in range(60)
    ]
    assert all(len({*one.options}) == 4 for one in made)
    text = json.dumps(made)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == CHECKED[family]


@BOTH
@pytest.mark.parametrize("family", FAMILIES)
def test_questions_of_a_family_differ(family, level):
    texts = {question(family, level, number).text for number in range(300)}
    assert len(texts) > 285
    assert max(map(len, texts)) < 600


NAME = re.compile(rf"\b({'|'.join(NAMES)})\b")


def renamed(text, rng):
    """The same question about other people."""
    others = dict(zip(NAMES, rng.sample(NAMES, len(NAMES)), strict=True))
    return NAME.sub(lambda name: others[name[0]], text)


def form_of(family, text):
    return structure(Question(family, text, (), 0))


@BOTH
@pytest.mark.parametrize("family", ["knights", "orderings", "charts"])
def test_the_structure_ignores_names(family, level):
    for number in range(50):
        one = question(family, level, number)
        other = renamed(one.text, Random(number)).replace("    |", "|")
        assert form_of(family, other) == structure(one)


@pytest.mark.parametrize(
    ("family", "one", "other", "same"),
    [
        (
            "knights",
            'Ada: "Ben lies." Ben: "Ada and Eva are alike." Eva: "Ada lies."',
            'Dan: "Eva lies." Ada: "Dan lies." Eva: "Ada and Dan are alike."',
            True,
        ),
        ("knights", 'Ada: "Ben lies." Ben: "Ada lies."', 'A: "Ben lies."', False),
        (
            "orderings",
            "Ada is older than Ben. Who is younger than exactly 1 of the others?",
            "Eva is shorter than Dan. Who is taller than exactly 1 of the others?",
            True,
        ),
        (
            "orderings",
            "Ada is older than Ben. Who is younger than exactly 1 of the others?",
            "Ada is younger than Ben. Who is younger than exactly 1 of the others?",
            False,
        ),
        (
            "sets",
            "A = {1, 2, 9}, B = {2, 3, 4}. Which numbers are in A but not in B?",
            "A = {5, 6, 7}, B = {1, 5, 20}. Which numbers are in A but not in B?",
            False,
        ),
        (
            "sets",
            "A = {1, 2, 9}, B = {2, 3, 4}. Which numbers are in A but not in B?",
            "A = {5, 6, 7}, B = {1, 5, 20}. Which numbers are in B but not in A?",
            True,
        ),
        ("fractions", "What is 1/3 + 2/5?", "What is 2/5 + 1/3?", True),
        ("arithmetic", "What is 3 * 5 + 2?", "What is 5 * 3 + 2?", True),
        ("arithmetic", "What is 3 * 5 + 2?", "What is 3 * 2 + 5?", False),
        (
            "divisibility",
            "What is the greatest common divisor of 12 and 30?",
            "What is the greatest common divisor of 30 and 12?",
            True,
        ),
        (
            "prices",
            "2 pens at 1.00 euros each and 3 maps at 0.50 euros each are bought. Sum?",
            "3 mugs at 0.50 euros each and 2 pens at 1.00 euros each are bought. Sum?",
            True,
        ),
        ("prices", "2 pens at 1.00 euros each", "2 pens at 2.00 euros each", False),
        (
            "charts",
            "Each # is 2 books.\nAda | ##\n",
            "Each # is 2 books.\nAda | #\n",
            0,
        ),
        ("dates", "Today is a Monday. In 9 days?", "Today is a Sunday. In 9 days?", 1),
        ("units", "How many grams are 1.5 kilograms?", "meters 1.5 kilometers?", 0),
        ("word_order", "apple, river, lemon: first?", "lemon, apple, river: first?", 1),
        ("word_order", "apple, river, lemon: first?", "apple, river: first?", 0),
    ],
)
def test_questions_of_one_structure(family, one, other, same):
    assert (form_of(family, one) == form_of(family, other)) == same


@pytest.mark.slow
def test_no_test_question_is_a_renamed_training_question():
    """There are few structures in the easy knights; most of them are drawn here."""
    found = {}
    for split in ("train", "test"):
        source = task_source(None, split, ["knights", "orderings"], None, None)
        rng = np.random.default_rng(0)
        texts = [source.get(source.draw(rng)).text for _ in range(400)]
        found[split] = {re.sub(NAME, Numbered(), text) for text in texts}
    assert len(found["test"]) > 100
    assert not found["train"] & found["test"]


class Numbered:
    """Numbers names in the order of their appearance."""

    def __init__(self):
        self.known = {}

    def __call__(self, name):
        return f"{self.known.setdefault(name[0], len(self.known))}"


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
