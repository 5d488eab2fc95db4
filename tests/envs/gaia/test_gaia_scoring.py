"""GAIA's rules for answers, and the milestones of annotated steps."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.gaia.desk import is_right
from aq_gym.envs.gaia.env import read_answer
from aq_gym.envs.gaia.milestones import milestones_of, numbers_in


# Compared with the scorer of smolagents, as all of 23,796 other pairs were.
@pytest.mark.parametrize(
    ("given", "expected", "right"),
    [
        ("17", "17.0", True),
        ("$17", "17", True),
        ("1,000", "1000", True),
        ("17%", "17", True),
        ("1e3", "1000", True),
        ("17.", "17", True),
        ("seventeen", "17", False),
        ("17 dollars", "17", False),
        ("\u221217", "-17", False),
        ("nan", "nan", False),
        # What is no number counts as infinite there.
        ("anything", "inf", True),
        # A comma makes a list of it.
        ("1000", "1,000", False),
        ("1,000", "1,000", True),
        ("sea gull", "Seagull", True),
        ("St Petersburg", "St. Petersburg", True),
        ("the sea", "sea", False),
        ("\u2019tis", "tis", False),
        ("a,b", "a, b", True),
        ("a; b", "a, b", True),
        ("b, a", "a, b", False),
        ("a, b, c", "a, b", False),
        ("rome, $3.0", "Rome; 3", True),
        # In a list, punctuation counts.
        ("St Petersburg, Rome", "St. Petersburg, Rome", False),
        ("", "", True),
        ("!", "", True),
        ("x,", ",", False),
    ],
)
def test_an_answer_is_compared_as_by_the_leaderboard(given, expected, right):
    assert is_right(given, expected) == right


STEPS = """1. Search for "tall lighthouses in Norway".
2. Open the page "Lights of the North".
3. There are 3 of them, built in 1902.
4. The tower has 211 steps of 17 cm: 211 * 17 = 3587 cm.
5. In metres: 3587 / 100 = 35.87
6) On "Lights of the North" look for the year 1902.
Step 7: 35.87 / 12 = 2.99, so the answer is 3."""


def test_what_can_be_observed_in_steps_is_a_milestone():
    found = milestones_of(STEPS, "How many of 12 m are one of 211 steps?", "3")
    assert [(one.step, one.number or one.text) for one in found] == [
        (2, "lights of the north"),
        (3, 1902),
        (4, 3587),
        (5, Fraction("35.87")),
        (7, Fraction("2.99")),
    ]
    assert [one.expression for one in found[2:]] == [
        "211 * 17",
        "3587 / 100",
        "35.87 / 12",
    ]
    values = {one.step: one for one in found}
    assert values[7].is_in("", numbers_in("about 2.98917"))
    assert not values[7].is_in("", numbers_in("2.98"))
    assert not values[3].is_in("", numbers_in("1902.5"))
    assert values[2].is_in("the lights of the north, 1901", frozenset())


def test_a_number_in_a_table_is_read_with_and_without_its_comma():
    assert numbers_in("12,345 1,2,3 0.50 9" + "1" * 40) == {
        *(12345, 12, 345, 1, 2, 3, Fraction("0.5")),
    }


@given(st.text(), st.text(), st.text())
def test_any_annotation_is_read(steps, question, answer):
    for line in (steps, f"{steps} = 123", f'1. "{steps}abc"'):
        for one in milestones_of(line, question, answer):
            assert (one.number is None) != (one.text == "")
    is_right(steps, question)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("FINAL ANSWER: Lisbon", "Lisbon"),
        ("Answer: a, b", "a, b"),
        ("The final answer is St. Petersburg.", "St. Petersburg"),
        ("So the answer is: **17**", "17"),
        (r"$\boxed{\text{Lisbon}}$", "Lisbon"),
        (r"The answer is \boxed{1{,}250}.", "1,250"),
        ("-1,250.5", "-1,250.5"),
        ("Final answer: U.S.", "U.S."),
        ("The answer is unknown.", None),
        ("The answer is not 17.", None),
        ("Answer: calculate[3 * 6]", None),
        ('Answer: {"name": "answer"}', None),
        ("Lisbon", None),
        ("17 tons", None),
        ("Answer:", None),
        ("Answer: a\nand more", None),
        (f"Answer: {'a' * 500}", None),
    ],
)
def test_forms_of_an_answer(text, answer):
    assert read_answer(text) == answer
