"""Answers compared by kind: a table of pairs, and properties."""

import datetime
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.answers import is_same, normalized, read_date, read_number


def pairs():
    for line in Path(__file__).with_name("pairs.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        kind, expected, *answers = line.split(" | ")
        for answer in answers:
            yield kind.strip(), expected.strip(), answer[1:], answer[0] == "="


PAIRS = list(pairs())


@pytest.mark.parametrize("kind", sorted({kind for kind, *_ in PAIRS}))
def test_pairs(kind):
    wrong = [
        pair
        for pair in PAIRS
        if pair[0] == kind and is_same(pair[2], pair[1], kind) is not pair[3]
    ]
    assert not wrong


@given(st.fractions(max_denominator=10**6) | st.integers(-(10**20), 10**20))
def test_a_number_equals_itself_in_every_form(number):
    exact = Fraction(number)
    fraction = f"{exact.numerator}/{exact.denominator}"
    assert read_number(fraction).value == exact
    if exact.denominator == 1:
        assert read_number(f"{exact.numerator:,}").value == exact
        assert is_same(int(exact), fraction, "number")
    assert not is_same(fraction, str(exact + 1), "number")


@given(st.dates())
def test_a_date_is_read_in_every_form(date):
    for form in (date.isoformat(), f"{date:%B} {date.day}, {date.year:04}"):
        assert read_date(form) == date


@given(st.lists(st.integers() | st.booleans() | st.dates().map(str), max_size=5))
def test_a_set_has_no_order(parts):
    turned = parts[::-1]
    assert is_same(turned, parts, "set")
    assert is_same(parts, parts, "list")
    assert is_same(json.dumps(turned), parts, "set") or bool in map(type, parts)


@given(st.text())
def test_normalizing_twice_changes_nothing_more(text):
    assert normalized(normalized(text)) == normalized(text)


@given(
    st.text() | st.text(alphabet='0123456789.,/eE-+%$ []"{}\\abox', max_size=40),
    st.sampled_from(["text", "number", "date", "boolean", "list", "set"]),
)
def test_no_answer_raises(text, kind):
    assert is_same(text, "7", kind) in (True, False)
    is_same("7", text, kind)
    assert not is_same(text * 3 + "9" * 20_000, "7", kind)


@pytest.mark.parametrize(
    ("given_value", "expected", "kind", "same"),
    [
        (7, "7", "number", True),
        (7.0, 7, "number", True),
        (7.5, Fraction(15, 2), "number", True),
        (True, "yes", "boolean", True),
        (False, "no", "boolean", True),
        (False, "yes", "boolean", False),
        (None, "yes", "boolean", False),
        (["b", "a"], {"a", "b"}, "set", True),
        (("a", 1), ["A", "one"], "list", True),
        (datetime.date(2024, 3, 5), "5 March 2024", "date", True),
        ({"a": 1}, "7", "number", False),
    ],
)
def test_values_of_tools(given_value, expected, kind, same):
    assert is_same(given_value, expected, kind) is same


@pytest.mark.parametrize(
    ("answer", "expected", "same"),
    [
        (["seven"], ["Seven Samurai"], False),
        (["12"], ["12 Monkeys"], False),
        (["5.0 km"], ["5 km"], True),
        ("Tom and Jerry; Alien", ["Alien", "Tom and Jerry"], True),
        ("Tom and Jerry\nAlien, Again", ["Alien, Again", "Tom and Jerry"], True),
        ("- 5,\n- 3", [3, 5], True),
        ("1. Alien\n2. Rope", ["Rope", "Alien"], True),
        ([10**5000], [1], False),
    ],
)
def test_parts_of_a_set(answer, expected, same):
    assert is_same(answer, expected, "set") is same


def test_only_a_lead_in_is_removed_from_an_answer():
    assert not is_same("Answering Machine", "ing Machine", "text")
    assert not is_same("Machine", "Answer Machine", "text")
    assert is_same("**Answer:** Machine", "Machine", "text")
    assert is_same("**Answer:** 7", 7, "number")


@pytest.mark.parametrize("form", ["{}", "0.{}", "1/{}", "1 {}/7", "1 1/{}"])
def test_a_number_with_too_many_digits_is_no_number(form):
    assert read_number(form.format("9" * 59))
    assert read_number(form.format("9" * 61)) is None


def test_an_integer_too_long_to_print_is_no_answer():
    assert not is_same(10**5000, 1, "number")
