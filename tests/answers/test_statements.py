"""Where a text states its answer, in every environment that asks for one."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym.answers import is_same, statements, without_latex
from aq_gym.wrappers import ExtractAction

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
