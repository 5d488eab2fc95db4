"""Where a text states its answer, in every environment that asks for one."""

import functools

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aq_gym  # noqa: F401
from aq_gym.answers import cleaned, is_same, statements, without_latex
from aq_gym.wrappers import ExtractAction

# The last of them counts, wherever it stands.
STATED = [
    'The row is {{"name": "Ann", "age": 40}}. The answer is {}.',
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
    "The answer to this problem is {}.",
    "The answer I get is **{}**.",
    "__Answer__: {}",
    "Answer (final): {}",
    "Final_Answer = {}",
    "ANS: {}",
    "The answer's {}!",
    "The answer must therefore be \u201c{}\u201d.",
    "Final Answer -> {}",
    "I would answer: {}",
    r"\textbf{{Answer:}} {}",
    r"The answer is $\displaystyle {}$.",
    "The answer is:\n\\[\n{}\n\\]",
    "The answer is:\n```text\n{}\n```",
    "<answer>\n{}\n</answer>",
    "[ANSWER]{}[/ANSWER]",
    '{{"reasoning": "2 * 4 = 8", "answer": "{}"}}',
    "\u56e0\u6b64\uff0c\u7b54\u6848\u662f {}\u3002",
    "Die richtige Antwort ist {}.",
    "La respuesta correcta es {}.",
    "Respuesta: {}",
    "La r\u00e9ponse est {}.",
    "La risposta \u00e8 {}.",
    "A resposta \u00e9 {}.",
    "\u041e\u0442\u0432\u0435\u0442: {}",
    "\u7b54\u3048\u306f{}",
    "Final result: {}",
    "The answer is {}, not 5.",
    "Final answer: answer[{}]",
    "The answer comes out to be {}.",
    "The answer (in dollars) is {}.",
    "The answer, therefore, is {}.",
    "The answer of the problem is actually {}.",
    "The answer is <b>{}</b>.",
    "Answer: {} \u2705",
    "Answer: {} (because 2 + 2 = 4)",
    "The answer is {}.\n\nQuestion: What is 3 + 4?\nAnswer: 7",
    "The answer is 3 or D.</think>The answer is {}.",
    "\u7b54\u3048\u306f{}\u3067\u3059\u3002",
]
NOT_STATED = [
    "The answer is not {}.",
    "I don't think the answer is {}.",
    "If the answer is {}, then it is even",
    "Is the answer {}?",
    "This answer is {}",
    "The wrong answer: {}",
    "Perhaps the answer is {}.",
    "The answer could be {}.",
    "The answer is probably {}.",
    "So the answer is {}, right?",
    "You said the answer is {}.",
    "Tom's answer: {}",
    "Put your final answer in <answer> tags, or in \\boxed{{}}.",
    "The answer is either {} or 5.",
    # Of a real model: intermediate results are told like this, too.
    "So Jacob had {} dollars left.",
    "The answer is",
]
# A call that is cut off or malformed is not an answer.
CUT = [
    '{"name": "think", "thought": "the answer is 84"}',
    "think[The answer is 84",
    "think[The answer is 84] Let me see",
    '{"name": "think", "arguments": {"thought": "the answer is 84"',
    '{"name": "thin", "arguments": {"thought": "the answer is 84"}}',
    'Action: think\nAction Input: {"thought": "The answer is 84"',
    "<function=think>\n<parameter=thought>\nThe answer is 84",
]
BY_OPTION = [
    "Therefore, option C is correct.",
    "(C) is the right answer",
    "I choose C.",
    "I pick C.",
    "Choice: C",
    "Option: C",
    "I select C.",
    "I'd go with C.",
    "I'd go with option C.",
    "The correct choice is letter C.",
]
ASKED = {"aq/GSM8K-v0": "84", "aq/MMLU-v0": "C", "aq/GAIA-v0": "84"}


@functools.cache
def made(env_id, extract):
    return ExtractAction(gym.make(env_id)) if extract else gym.make(env_id)


def played(env_id, text, extract):
    env = made(env_id, extract)
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
    for form in STATED + BY_OPTION * (answer == "C"):
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


@pytest.mark.parametrize(
    "text", ["84", "-84", "\u221284", "$84", "\u00a584", "\u20b984"]
)
@pytest.mark.parametrize("env_id", ["aq/GSM8K-v0", "aq/GAIA-v0"])
def test_a_number_alone_is_an_answer(env_id, text):
    assert "answer" in played(env_id, text, False).split("(")[0]


@pytest.mark.parametrize("text", CUT)
@pytest.mark.parametrize("env_id", ["aq/GSM8K-v0", "aq/GAIA-v0"])
def test_the_argument_of_a_call_is_no_answer(env_id, text):
    for extract in (False, True):
        action = played(env_id, text, extract)
        assert action is None or "answer" not in action.split("(")[0]


@pytest.mark.parametrize("extract", [False, True])
@pytest.mark.parametrize("env_id", ["aq/Mastermind-v0", "aq/PDDL-v0"])
def test_a_game_reads_what_is_stated(env_id, extract):
    env = made(env_id, extract)
    env.reset(seed=0)
    expert = env.unwrapped.expert_action()
    wanted = env.unwrapped.canonical_action(expert)
    for form in (
        "<|begin_of_box|>{}<|end_of_box|>",
        "It follows.\n\\boxed{{{}}}",
        "All clues fit, so the final answer is: **{}**.",
        "Final Answer: \\({}\\)",
    ):
        assert played(env_id, form.format(expert), extract) == wanted, form
        assert played(env_id, f"Perhaps the answer is {expert}", False) is None


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


# Texts of a model that repeats itself; in quadratic time, 20,000 characters took 35 s.
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


@pytest.mark.parametrize(
    "part", ("! ", "(", "]", "option C is ", "the answer to ", "? ", "\u7b54\u6848")
)
def test_a_long_statement_is_read(part):
    text = f"The answer is {part * (100_000 // len(part))}"
    cleaned(text)
    list(statements(text, "answer option choice"))


@pytest.mark.parametrize("part", REPEATED)
@pytest.mark.timeout(60)
def test_a_long_text_is_read(part):
    text = part * (20_000 // len(part))
    for env_id in ASKED:
        played(env_id, text, True)
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
