"""MMLU's environment: answers, retries, examples, orders of options."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.core.splits import in_split
from aq_gym.envs.mmlu.actions import AMBIGUOUS, read, write
from aq_gym.envs.mmlu.question import Question
from aq_gym.envs.mmlu.structure import structure

TASK = {"task_id": "dates-hard-7"}  # its right answer is B
OPENING = """\
The question has four options, and one is right. Answer with its letter, in the form \
"Answer: LETTER". Your first answer counts.

Question: Which date is 89 days after 25 May 1974?
A. 24 August 1974
B. 22 August 1974
C. 18 August 1974
D. 20 August 1974"""


def start(options=TASK, **kwargs):
    env = gym.make("aq/MMLU-v0", **kwargs)
    observation, info = env.reset(seed=0, options=options)
    return env, observation, info


def test_the_first_observation_is_the_question():
    _, observation, info = start()
    assert observation == OPENING
    assert info["goal"] == "Choose the right answer to a question about dates."
    assert info["labels"] == {"subject": "dates", "group": "measures"}
    assert info["subgoals"] == {"answered": False, "right answer": False}


def test_one_right_answer_solves_it():
    env, *_ = start()
    observation, reward, terminated, _, info = env.step("The answer is B.")
    assert (observation, reward, terminated) == ("Right answer.", 1.0, True)
    assert info["success"]
    assert info["subgoals"] == {"answered": True, "right answer": True}


def test_one_wrong_answer_ends_it_and_earns_nothing():
    env, *_ = start()
    observation, reward, terminated, _, info = env.step("Answer: A")
    assert (observation, reward, terminated) == ("Wrong answer.", 0.0, True)
    assert (info["progress"], info["success"]) == (0.0, False)
    assert info["subgoals"] == {"answered": True, "right answer": False}


def test_retries_count_answers_and_nothing_else():
    env, observation, _ = start(retries=2)
    assert "you can answer again, 2 times at most." in observation
    assert env.step("Answer: A")[0] == "Wrong answer. You can answer 2 times more."
    observation, *_, info = env.step("Answer: E")
    assert not info["action_valid"]
    assert info["answers_left"] == 2
    assert observation == (
        "'Answer: E' is not one of the options. Answer with its letter, in the form "
        '"Answer: LETTER".'
    )
    assert "Answer: D" in env.step("check valid actions")[0]
    assert env.step("Answer: A")[0] == "Wrong answer. You can answer once more."
    observation, reward, terminated, *_ = env.step("22 August 1974")
    assert (observation, reward, terminated) == ("Right answer.", 1.0, True)


def test_the_last_retry_ends_it():
    env, *_ = start(retries=1)
    assert not env.step("Answer: A")[2]
    assert env.step("Answer: C")[:3] == ("Wrong answer.", 0.0, True)


def test_two_options_of_one_text_need_a_letter(tmp_path):
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "anatomy_test.csv").write_text("q,zero,zero,1,2,B\n")
    env, *_ = start(None, data_dir=str(tmp_path), split="test", subject="anatomy")
    observation, *_, info = env.step("zero")
    assert not info["action_valid"]
    assert "is the text of more than one option" in observation
    assert env.step("b")[-1]["success"]


def test_examples_are_of_the_subject_and_not_the_question_itself(official):
    kwargs = {"data_dir": str(official), "shots": 5, "instructions": False}
    _, observation, _ = start(None, subject="virology", split="test", **kwargs)
    parts = observation.split("\n\n")
    assert parts[0] == "Examples about virology, with their answers:"
    assert [part[-9:] for part in parts[1:6]] == [f"Answer: {k}" for k in "ABCDA"]
    assert parts[2].startswith('Question: What, in "virology", is\ndev 1?\nA. one of')
    assert "Answer:" not in parts[6]
    assert len(parts) == 7
    options = {"task_id": "dev-virology-2"}
    _, observation, _ = start(options, split="dev", **kwargs)
    assert observation.count("dev 2?") == 1
    assert observation.count("\nAnswer: ") == 4


def test_generated_examples_are_of_the_training_split():
    for subject in ("sets", "knights"):
        env, *_ = start(
            None, shots=5, split="test", instructions=False, subject=subject
        )
        for seed in range(20):
            *examples, _ = env.reset(seed=seed)[0].split("\n\n")[1:]
            texts = [one[len("Question: ") :].partition("\nA. ")[0] for one in examples]
            forms = {structure(Question(subject, text, (), 0)) for text in texts}
            assert len(forms) == 5
            assert all(in_split(form, "train") for form in forms)


def test_options_are_put_in_one_other_order(official):
    kwargs = {"data_dir": str(official), "split": "test", "instructions": False}
    options = {"task_id": "test-virology-0"}
    plain = start(options, **kwargs)[1]
    orders = {start(options, shuffle=seed, **kwargs)[1] for seed in range(12)}
    assert len(orders) > 5
    assert {"".join(sorted(one)) for one in orders} == {"".join(sorted(plain))}
    env, observation, _ = start(options, shuffle=3, **kwargs)
    assert env.reset(seed=9, options=options)[0] == observation
    state = env.unwrapped.get_state()
    assert env.step("one of virology 0")[-1]["success"]
    env.unwrapped.set_state(state)
    assert env.step(env.unwrapped.expert_action())[-1]["success"]


@pytest.mark.parametrize(
    ("kwargs", "match"),
    [
        ({"split": "dev"}, "split='dev' needs data_dir"),
        ({"shots": 6}, "shots=6 must be 0 to 5"),
        ({"retries": -1}, "retries=-1 must be 0 to 100"),
        ({"subject": "datez"}, "did you mean 'dates'"),
        ({"group": "STEM"}, "choose from"),
        ({"data_dir": "", "split": "train", "group": "STEM"}, "have no subjects"),
        ({"data_dir": "", "split": "train", "shots": 1}, "so no examples"),
    ],
)
def test_wrong_arguments_are_named(official, kwargs, match):
    if "data_dir" in kwargs:
        kwargs = {**kwargs, "data_dir": str(official)}
    with pytest.raises(ValueError, match=match):
        gym.make("aq/MMLU-v0", **kwargs)


def test_the_downloaded_files_are_those_of_the_folder(official, monkeypatch):
    monkeypatch.setenv("AQ_GYM_MMLU", str(official))
    _, _, info = start(None, data_dir="downloaded", split="test", group="STEM")
    assert (info["labels"]["group"], info["source"]) == ("STEM", "published")


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
        # The option's punctuation has to agree; its normalized text is not compared.
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
