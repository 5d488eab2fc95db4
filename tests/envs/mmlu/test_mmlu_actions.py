"""Texts that are answers, and texts that are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.mmlu.actions import AMBIGUOUS, read, write

OPTIONS = ("Paris", "3/4", "-3", "x + 1")


@pytest.mark.parametrize(
    "text",
    [
        *("B", "b", "(B)", "[B]", "B.", "B)", "**B**", "'B'", "option B", "Option (B)"),
        *(
            "Answer: B",
            "answer b",
            "Answer:B",
            "answer: (b).",
            "answer[B]",
            "answer(B)",
        ),
        *(
            "answer=B",
            "Answer: **B**",
            "Final answer: B",
            "my answer is b.",
            "I choose B",
        ),
        *("The answer is B", "The answer is: B", "the correct answer is (B)"),
        *("The answer is B because it is.", "So the answer is B since x", r"\boxed{B}"),
        *(r"$\boxed{\text{B}}$", r"The answer is $\boxed{B}$.", "I pick option B."),
        *("The answer is B: it is equal to the sum.", "Answer: B, which is a half."),
        *("B. 3/4", "(B) 3/4", "B: 0.75", "B - 3/4", "The answer is (B) 3/4.", "0.75"),
        *("B is correct.", "Option B is the correct answer.", "Option B. 3/4"),
        *("3/4", "Answer: B. 3/4", "Answer: 3/4", "The answer is 3/4."),
    ],
)
def test_these_are_the_answer_b(text):
    assert read(text, OPTIONS) == "B"


@pytest.mark.parametrize(
    "text",
    [
        *("", "A is wrong", "B or C", "The answer is B or C", "A bit", "E", "AB", "BB"),
        *("Answer: B. Paris", "The answer is B, or A.", "Answer: B; C is wrong"),
        *("The answer is a bit unclear", "answer", "B. Paris", "Not B", "Answer: A, B"),
        *("B is not correct", "is B correct?", "Option B. Paris", "A is correct or B"),
        *("the answer is not B", "A because", "because B", "A. no", "I don't know"),
        # An option is matched to the sign: its normalized text would not do.
        *("3", "x 1", "x - 1", "x * 1", "Paris Rome"),
    ],
)
def test_these_are_no_answers(text):
    assert read(text, OPTIONS) == ""


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        *(("paris.", "A"), ("The Paris", "A"), ("\u22123", "C"), ("-3.0", "C")),
        *(("X +  1", "D"), ("Answer: x + 1", "D"), ("A: Paris", "A")),
    ],
)
def test_the_text_of_an_option_is_an_answer(text, letter):
    assert read(text, OPTIONS) == letter


def test_a_letter_is_a_letter_even_where_an_option_is_another_one():
    assert read("B", ("B", "A", "AB", "O")) == "B"
    assert read("O", ("B", "A", "AB", "O")) == "D"


def test_the_text_of_two_options_is_ambiguous():
    assert read("zero", ("0", "zero", "Zero", "1")) == AMBIGUOUS
    assert read("0", ("0", "zero", "Zero", "1")) == "A"


@given(st.text(max_size=80), st.lists(st.text(max_size=12), min_size=4, max_size=4))
def test_any_text_is_read(text, options):
    letter = read(text, options)
    assert letter in ("", AMBIGUOUS, *"ABCD")
    if letter in tuple("ABCD"):
        assert read(write(letter), options) == letter


def test_a_long_text_is_read_at_once():
    assert read("(" * 100_000, OPTIONS) == ""
    long = "word " * 3_000
    assert read(long, ("x", long, "y", "z")) == "B"
