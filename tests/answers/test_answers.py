"""Answers compared by kind, and statements of answers in a text."""

import datetime
import json
from fractions import Fraction
from pathlib import Path

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym.answers import (
    is_same,
    normalized,
    read_date,
    read_number,
    statements,
    without_latex,
)
from aq_gym.wrappers import ExtractAction


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


def test_an_integer_too_long_to_print_is_no_answer():
    assert not is_same(10**5000, 1, "number")


# The last of them counts, wherever it stands.
STATED = [
    "{}",
    "The answer is {}.",
    "So the final answer is: **{}**",
    "She pays 95*100 = 9500 dollars. Therefore, the answer is {}.",
    "I think that the answer is {}",
    "First I thought that the answer is 1 or D.\nBut the correct answer is {}.",
    "The answer is 7. No, wait: the answer is {}.",
    "If the answer is 5, I am wrong. The answer is {}",
    "The answer to the question is {}, because the others cannot be.",
    "The answer is {}.\nI hope that this answer is helpful!",
    "Final Answer: {}",
    r"Final Answer: \({}\)",
    "### Final Answer\n{}",
    "**Answer**\n\n{}",
    r"\boxed{{{}}}",
    r"Thus $$\boxed{{\text{{{}}}}}$$",
    "The total follows.\n<|begin_of_box|>{}<|end_of_box|>",
    "<think>The answer is 3.</think>The answer is {}",
]
NOT_STATED = [
    "The answer is not {}.",
    "I don't think the answer is {}.",
    "If the answer is {}, then it is even",
    "Is the answer {}?",
    "This answer is {}",
    "The wrong answer: {}",
]
ASKED = {"aq/GSM8K-v0": "84", "aq/MMLU-v0": "C", "aq/GAIA-v0": "84"}


def played(env_id, text, extract):
    env = gym.make(env_id)
    env = ExtractAction(env) if extract else env
    env.reset(seed=0)
    *_, info = env.step(text)
    action = info["extracted_action"] if extract else text
    return env.unwrapped.canonical_action(action) if info["action_valid"] else None


@pytest.mark.parametrize("env_id", ASKED)
@pytest.mark.parametrize("extract", [False, True])
def test_the_last_statement_is_the_answer(env_id, extract):
    answer = ASKED[env_id]
    wanted = played(env_id, f"answer[{answer}]", False)
    assert answer in wanted
    wrong = []
    for form in STATED:
        if "<think>" in form and not extract:
            continue
        if played(env_id, form.format(answer), extract) != wanted:
            wrong.append(form)
    assert not wrong


@pytest.mark.parametrize("env_id", ASKED)
def test_a_doubt_or_a_denial_is_no_answer(env_id):
    answer = ASKED[env_id]
    stated = [form for form in NOT_STATED if played(env_id, form.format(answer), True)]
    assert not stated


def test_a_call_after_a_statement_is_the_action():
    in_json = '{"name": "calculate", "arguments": {"expression": "2 + 3"}}'
    for text in (
        "Perhaps the answer is 84. Let me check.\nAction: calculate[2 + 3]",
        f"The answer is 84?\n{in_json}",
        in_json,
        "calculate[2 + 3]",
    ):
        for extract in (False, True):
            action = played("aq/GSM8K-v0", text, extract)
            assert extract is False or action == 'calculate(expression="2 + 3")', text


# Texts of a model that repeats itself; quadratic time would reach the time limit.
REPEATED = (
    *("\\boxed{", "<|begin_of_box|>", "the answer is ", "the answer is 5. ", "#### "),
    *(
        "Answer: \\(",
        "the ",
        "# ",
        "the answer" + " " * 1_000,
        "$\\text{",
        "hundred and ",
    ),
)


@pytest.mark.parametrize("part", REPEATED)
def test_a_long_text_is_read(part):
    text = part * (30_000 // len(part))
    for env_id in ASKED:
        for extract in (False, True):
            played(env_id, text, extract)
    is_same(text, "7", "number")


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"$\boxed{9{,}500}$", "9,500"),
        (r"\(\frac{7}{3}\)", "7/3"),
        (r"18\text{ eggs}", "18 eggs"),
        (r"\$1{,}250.50", "$1,250.50"),
        ("$18", "$18"),
        ("Lisbon", "Lisbon"),
    ],
)
def test_an_answer_in_latex_is_plain(latex, plain):
    assert without_latex(latex) == plain


@given(st.text(alphabet="the answer is:\n*#5C\\boxed{}<|begin_of_box|>", max_size=80))
def test_any_text_is_searched(text):
    for one in statements(text, "answer option choice"):
        assert one.answer and one.written in text + "}<|end_of_box|>"
