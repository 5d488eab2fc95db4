"""Published files: their limits, and twins of their problems."""

import json
import re
import warnings
from fractions import Fraction

import gymnasium as gym
import numpy as np
import pytest

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.gsm8k.problem import Problem, Step, exact_value
from aq_gym.envs.gsm8k.sources import DOWNLOAD, problem_of
from aq_gym.envs.gsm8k.twins import twin_of

# These have the form of the published files; the problems are ours.
ROWS = {
    "train": [("Ann has 4 hens. Each lays 5 eggs. How many?", "<<4*5=20>>20\n#### 20")],
    "test": [
        (
            "Tom has 12 pens and buys three packs of 8. He gives 6 away. How many?",
            "Packs: <<3*8=24>>24\nAll: <<12+24=36>>36\nLeft: <<36-6=30>>30\n#### 30",
        ),
        ("Ben is 7. How old is he?", "He says so.\n#### 7"),
        (
            "A rope of 9 m and one of 4 m?",
            "<<9*2=18>>18 <<9*2=18>>18 <<2*2=4>>\n#### 1,036",
        ),
    ],
    "test_socratic": [
        (
            "Tom has 12 pens and buys three packs of 8. He gives 6 away. How many?",
            "How many come? ** <<3*8=24>>24\nAnd then? ** <<1+1=2>> <<12+24=36>>36\n"
            "And then? ** <<36-6=30>>30\n#### 30",
        )
    ],
}


@pytest.fixture
def folder(tmp_path):
    for name, rows in ROWS.items():
        lines = [json.dumps({"question": q, "answer": a}) for q, a in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return str(tmp_path)


def make(folder, **kwargs):
    return gym.make("aq/GSM8K-v0", data_dir=folder, **kwargs).unwrapped


def test_values_that_repeat_or_are_given_earn_nothing(folder):
    env = make(folder, split="test")
    _, info = env.reset(options={"task_id": "test-0"})
    assert list(info["subgoals"]) == ["value 1", "value 2", "right answer"]
    assert info["labels"] == {"subgoals": "3"}
    assert info["goal"] == ROWS["test"][0][0]
    _, info = env.reset(options={"task_id": "test-1"})
    assert list(info["subgoals"]) == ["right answer"]
    _, info = env.reset(options={"task_id": "test-2"})
    assert list(info["subgoals"]) == ["value 1", "right answer"]
    assert env.step("answer[1036]")[2]


def test_sub_questions_are_subgoals(folder):
    env = make(folder, split="test", socratic=True)
    _, info = env.reset()
    assert list(info["subgoals"]) == ["How many come?", "And then?", "right answer"]
    assert env.step("calculate[3 * 8]")[4]["subgoals"]["How many come?"]
    assert not env.step("calculate[1 + 1]")[1]


def test_the_splits_are_those_published(folder):
    drawn = {}
    for split in ("train", "test", "all"):
        env = make(folder, split=split)
        drawn[split] = {env.reset(seed=seed)[1]["task_id"] for seed in range(40)}
    assert drawn["train"] == {"train-0"}
    assert drawn["test"] == {"test-0", "test-1", "test-2"}
    assert drawn["all"] == drawn["train"] | drawn["test"]
    with pytest.raises(ValueError, match="not in split='train'"):
        make(folder, split="train").reset(options={"task_id": "test-0"})


def test_one_problem_can_be_named(folder):
    env = make(folder, split="test", problem=2)
    assert env.reset(seed=3)[1]["task_id"] == "test-2"
    for kwargs, message in (
        ({"split": "test", "problem": 3}, "problem='test-3' is not in split='test'"),
        ({"split": "test", "problem": -1}, "problem='test--1' is not in"),
        ({"problem": 0}, "needs split='train' or 'test'"),
    ):
        with pytest.raises(ValueError, match=message):
            make(folder, **kwargs)


@pytest.mark.parametrize("name", ["socratic", "perturb"])
def test_what_needs_files_says_so(name):
    with pytest.raises(ValueError, match=f"{name}=True needs data_dir"):
        gym.make("aq/GSM8K-v0", **{name: True})


def test_a_missing_file_is_named(folder, tmp_path, monkeypatch):
    with pytest.raises(
        FileNotFoundError, match=r"train_socratic.jsonl.*download gsm8k"
    ):
        make(folder, split="train", socratic=True)
    monkeypatch.setenv(DOWNLOAD.variable, str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match=r"nothing' has no test.jsonl"):
        make("downloaded", split="test")


def test_a_download_is_found(folder, tmp_path, monkeypatch):
    inner = tmp_path / "cache" / "grade-school-math-abc" / "grade_school_math" / "data"
    inner.mkdir(parents=True)
    (tmp_path / "test.jsonl").rename(inner / "test.jsonl")
    monkeypatch.setenv(DOWNLOAD.variable, str(tmp_path / "cache"))
    assert make("downloaded", split="test").reset(seed=0)[1]["goal"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "problem 1 of .*test.jsonl: .*an object in each line, or one array"),
        ("[" * 9000, "test.jsonl is not a JSON array"),
        ("[]", "has no problem"),
        ("5", "question is None"),
        ('{"question": " ", "answer": "#### 1"}', "question is ' '"),
        ('{"question": "Q?", "answer": []}', r"answer is \[\]"),
        ('{"question": "Q?", "answer": "So."}', "be a number, or end with #### and"),
        ('{"question": "Q?", "answer": "#### x"}', "be a number, or end with #### and"),
        (
            '{"id": 1, "input": "Q?", "target": "1"}',
            r"question is None. It has \['id', 'input', 'target'\]: name them, such as "
            r'columns=\{"question": "input", "answer": "target"\}',
        ),
        (
            '[{"problem": "Q?", "answer": 1}]',
            r'columns=\{"question": "problem"\}',
        ),
        (
            '{"question_id": 7, "instruction": "Q?", "answer_type": "int", '
            '"input": "", "response": "So it is 4.", "result": "4"}',
            r'columns=\{"question": "instruction", "answer": "result"\}',
        ),
        (
            '{"Body": "Ann has 3.", "Question": "How many?", "Answer": 3.0}',
            r'columns=\{"question": "Question", "answer": "Answer"\}',
        ),
        (
            '{"question": "Q?", "answer": "It is 4.", "final": "x", "gold": 4}',
            r'#### and one. It has .*columns=\{"answer": "gold"\}',
        ),
        ('{"a": "Q?", "b": 1}', r'columns=\{"question": "NAME", "answer": "NAME"\}'),
    ],
)
def test_a_line_that_is_no_problem_is_named(tmp_path, line, message):
    (tmp_path / "test.jsonl").write_text(line)
    with pytest.raises(ValueError, match=message):
        make(str(tmp_path), split="test").reset()


@pytest.mark.parametrize("name", ["test.jsonl", "test.json"])
@pytest.mark.parametrize("answer", ["<<4*5=20>>20\n#### 20", "20", 20, 20.0])
@pytest.mark.parametrize("array", [False, True])
def test_files_of_others_are_read(tmp_path, name, answer, array):
    row = json.dumps({"input": "4 times 5?", "target": answer})
    text = f"\n[\n{row},\n{row}]" if array else f"{row}\n{row}\n"
    (tmp_path / name).write_text(text)
    columns = {"question": "input", "answer": "target"}
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        env = make(str(tmp_path), split="test", columns=columns)
    steps = "<<" in str(answer)
    assert any("progress is 0 or 1" in str(one.message) for one in found) != steps
    _, info = env.reset(options={"task_id": "test-1"})
    assert info["goal"] == "4 times 5?"
    assert info["labels"] == {"subgoals": "1"}
    assert env.step("answer[20]")[2]


@pytest.mark.parametrize("columns", [{"questions": "input"}, {"question": 1}, "input"])
def test_columns_that_are_none_are_refused(folder, columns):
    with pytest.raises((ValueError, TypeError), match=r"columns=.*must"):
        make(folder, split="test", columns=columns)
    with pytest.raises(ValueError, match=r"columns=.*needs data_dir"):
        gym.make("aq/GSM8K-v0", columns={"question": "input"})


def test_annotations_that_cannot_be_read_are_left_out(tmp_path):
    answer = "<<2*x=4>>4 <<3*3=nine>> <<5*5=25>> <<2/0=8>>\n#### 40"
    row = json.dumps({"question": "Q?", "answer": answer})
    (tmp_path / "test.jsonl").write_text(row)
    env = make(str(tmp_path), split="test")
    assert len(env.reset()[1]["subgoals"]) == 4
    assert env.expert_action() == "calculate[5*5]"


def problem(question, *annotations, answer=None):
    steps = []
    for one in annotations:
        expression, _, value = one.partition("=")
        steps.append(Step(expression, Fraction(value)))
    return Problem(question, steps, Fraction(answer or steps[-1].value))


PENS = problem(
    "Mary has 40 pens and buys 3 boxes of 12. She sells 25% of all her pens, each for "
    "$2.50. She began with $1,200. How many dollars has she?",
    "3*12=36",
    "40+36=76",
    "76*.25=19",
    "19*2.5=47.5",
    "1200+47.5=1247.5",
)
SEEDS = range(30)


def twins(of):
    return [twin_of(of, np.random.default_rng(seed)) for seed in SEEDS]


def test_a_twin_says_other_numbers_and_is_solved_with_them():
    found = [twin for twin in twins(PENS) if twin]
    assert len({twin.question for twin in found}) > 5
    for twin in found:
        assert twin.answer == twin.steps[-1].value != PENS.answer
        for step in twin.steps:
            assert exact_value(step.expression) == step.value > 0
        pens, boxes, size, share, price, money = re.findall(r"[\d,.]*\d", twin.question)
        sold = (int(pens) + int(boxes) * int(size)) * Fraction(share) / 100
        assert twin.answer == sold * Fraction(price) + Fraction(money.replace(",", ""))
        assert int(boxes) < int(size) < int(share) < int(pens)
        assert re.fullmatch(r"\d\.\d\d", price)
        assert "," in money or int(money) < 1000
        assert "Mary" not in twin.question


def test_a_name_becomes_another_of_its_kind():
    one = problem("Ann and Mary met Tom's 50 cats and Zorg. Is 50 > 9?", "50-9=41")
    question = twins(one)[0].question
    assert "Mary" not in question
    assert "Tom" not in question
    assert "Zorg" in question


@pytest.mark.parametrize(
    "one",
    [
        problem("He has 8 cats and 5 dogs.", "8+5=12"),
        problem("He has 8 cats and 5 dogs.", "8+5=13", answer=14),
        problem("He has 8 cats and 5 dogs.", "8+6=14"),
        problem("He has 8 cats and 13 dogs and 5.", "8+5=13", "13*5=65"),
        problem("He has 8 cats and 5.", "8+5=13", "8+5=13", "13+13=26"),
        problem("He has a 9 and no more.", "9*1=9"),
        problem("He has 8 cats and 5 dogs and 6 owls.", "8+5=13"),
        problem("He naps for 35 and 3 times 5 minutes.", "3*5=15", "35+25=60"),
        problem("There are 9 boxes of 9.", "9*1=9"),
        problem("Half of the 50 cats.", ".5*50=25"),
        problem("Half of them, 50%, of 80 cats.", ".5*80=40"),
        problem(f"He has {'9' * 5000} cats and 8.", "8+8=16"),
        problem("He has a 6-pack, 1/3 and 8th.", "6*3=18", "18*8=144"),
        problem("He has 2 cats, half as many dogs.", "2/2=1"),
        problem("In seconds: 20 and 40. In minutes?", "20+40=60", "60/60=1"),
        problem("He has 3 cats.", answer=3),
        problem("Tires of 40 cars and 3 tricycles?", "3*3=9", "4*40=160", "9+160=169"),
    ],
)
def test_what_is_not_sure_has_no_twin(one):
    assert twins(one) == [None] * len(SEEDS)


@pytest.mark.parametrize(
    ("kept", "one"),
    [
        (
            "4 dogs",
            problem(
                "He has 4 dogs. The first walks 20 miles, the second 30 miles and the "
                "third 50 miles. The mean is 45 miles. How far walks the last dog?",
                *("4*45=180", "20+30+50=100", "180-100=80"),
            ),
        ),
        (
            "3 friends",
            problem(
                "Ann weighs 150 pounds, Bob 20 pounds less, and Tom twice as much as "
                "Bob. What do the 3 friends weigh on average?",
                *("150-20=130", "2*130=260", "150+130+260=540", "540/3=180"),
            ),
        ),
        (
            "6 cookies, two of each",
            problem(
                "She ate 6 cookies, two of each of the flavors, out of 90. She bakes "
                "40 more. How many has she?",
                *("90-6=84", "84+40=124"),
            ),
        ),
        (
            "6 days a week",
            problem(
                "He works 6 days a week for $50 a day. How much in 8 weeks?",
                *("6*50=300", "300*8=2400"),
            ),
        ),
        (
            "14 days",
            problem(
                "He drove for 14 days. A morning cost $60, an afternoon $20. How much "
                "in the two weeks?",
                *("14*60=840", "14*20=280", "840+280=1120"),
            ),
        ),
        (
            "10 hours every day",
            problem("He works 10 hours every day for $50. 40 days?", "10*50=500",
                    "500*40=20000"),
        ),
        ("6 legs", problem("70 ants with 6 legs and 30?", "70*6=420", "420+30=450")),
        (
            "$20 bills",
            problem("She has 30 $20 bills and 15 pens.", "30*20=600", "600/15=40"),
        ),
        (
            "from 1 to 4 pm",
            problem("He walks from 1 to 4 pm, 50 km an hour.", "4-1=3", "3*50=150"),
        ),
        (
            "seven cats, 7 dogs",
            problem("There are seven cats, 7 dogs and 60 owls.", "7+60=67", "67+7=74"),
        ),
    ],
)  # fmt: skip
def test_what_the_story_binds_stays(kept, one):
    found = [twin for twin in twins(one) if twin]
    assert all(kept in twin.question for twin in found)
    assert found


@pytest.mark.parametrize("names", ["Martha Marta", "Sam Samantha", "Ethel Ethal"])
def test_two_forms_of_a_name_stay(names):
    one, other = names.split()
    told = problem(f"{one} has 50 pens. If {other} loses 20 of them?", "50-20=30")
    found = [twin.question for twin in twins(told) if twin]
    assert all(one in text and other in text for text in found) and found


def test_words_and_digits_keep_their_order():
    one = problem("Ten of her 14 cats sleep, and 40 dogs.", "14-10=4", "40-4=36")
    for twin in filter(None, twins(one)):
        cats = int(re.search(r"(\d+) cats", twin.question)[1])
        assert cats > 10


def test_a_percentage_stays_one():
    one = problem("Of his 200 cats 95% are red.", "200*95/100=190")
    shares = [re.search(r"(\d+)%", twin.question)[1] for twin in twins(one) if twin]
    assert len(set(shares)) > 3
    assert all(int(share) <= 100 for share in shares)


def test_a_constant_stays():
    one = problem(
        "He works 3 days of 8 hours each. How many minutes?", "3*8=24", "24*60=1440"
    )
    assert all(
        twin is None or "*60" in twin.steps[-1].expression for twin in twins(one)
    )


def test_twins_are_played_and_named(tmp_path):
    row = '{"question": "Mary has 40 pens, 12 cats.", "answer": "<<40-12=28>> #### 28"}'
    none = '{"question": "Q?", "answer": "#### 28"}'
    (tmp_path / "test.jsonl").write_text(f"{none}\n{row}\n")
    kwargs = {"data_dir": str(tmp_path), "split": "test", "perturb": True}
    env = gym.make("aq/GSM8K-v0", **kwargs).unwrapped
    told = {}
    for seed in range(8):
        _, info = env.reset(seed=seed)
        told[info["task_id"]] = info["goal"]
        assert re.fullmatch(r"test-1-\d+", info["task_id"])
        again, _ = env.reset(options={"task_id": info["task_id"]})
        assert info["goal"] in again
        for _ in range(3):
            *_, over, _, last = env.step(env.expert_action())
            if over:
                break
        assert last["success"]
    assert len(set(told.values())) > 3
    for task_id in ("test-0-1", "test-1", "test-1-1000000", "test-1-01", "train-1-1"):
        with pytest.raises(ValueError, match=r"that has twins|not in split"):
            env.reset(options={"task_id": task_id})
    assert problem_of(tmp_path / "test.jsonl", 1, {}).answer == 28
