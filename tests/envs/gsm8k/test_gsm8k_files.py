"""Published files: read under bounds, as published, and never invented."""

import json

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.gsm8k.sources import DOWNLOAD
from aq_gym.support.data import packaged

# In the form of the published files; the problems are ours.
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


@pytest.mark.parametrize("task_id", ["test-0", "test-1", "test-2"])
def test_the_expert_solves_them(folder, task_id):
    env = make(folder, split="test")
    env.reset(options={"task_id": task_id})
    for _ in range(6):
        *_, over, _, info = env.step(env.expert_action())
        if over:
            break
    assert info["success"]


@pytest.mark.parametrize("name", ["socratic", "perturb"])
def test_what_needs_files_says_so(name):
    with pytest.raises(ValueError, match=f"{name}=True needs data_dir"):
        gym.make("aq/GSM8K-v0", **{name: True})


def test_a_changed_file_is_read_again(folder, tmp_path):
    env = make(folder, split="train")
    row = {"question": "Ann has 2 hens?", "answer": "#### 2"}
    (tmp_path / "train.jsonl").write_text(json.dumps(row))
    assert env.reset(seed=0)[1]["goal"] == "Ann has 2 hens?"
    assert make(folder, split="train").reset(seed=0)[1]["goal"] == "Ann has 2 hens?"
    env = make(folder, split="test")
    (tmp_path / "test.jsonl").write_text(json.dumps(row))
    with pytest.raises(ValueError, match=r"line 3 of .*test.jsonl"):
        env.reset(options={"task_id": "test-2"})


def test_a_missing_file_is_named(folder, tmp_path, monkeypatch):
    with pytest.raises(
        FileNotFoundError, match=r"train_socratic.jsonl.*download gsm8k"
    ):
        make(folder, split="train", socratic=True)
    monkeypatch.setenv(DOWNLOAD.variable, str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match=r"nothing' has no test.jsonl"):
        make("downloaded", split="test")


def test_the_digests_are_of_the_archive_that_is_downloaded():
    folder = DOWNLOAD.url.rpartition("/")[2].removesuffix(".zip")
    lines = packaged(*DOWNLOAD.known).decode().splitlines()
    assert len(lines) == 3
    for line in lines:
        digest, name = line.split()
        assert len(digest) == 64
        assert name.startswith(f"grade-school-math-{folder}/grade_school_math/data/")


def test_a_download_is_found(folder, tmp_path, monkeypatch):
    inner = tmp_path / "cache" / "grade-school-math-abc" / "grade_school_math" / "data"
    inner.mkdir(parents=True)
    (tmp_path / "test.jsonl").rename(inner / "test.jsonl")
    monkeypatch.setenv(DOWNLOAD.variable, str(tmp_path / "cache"))
    assert make("downloaded", split="test").reset(seed=0)[1]["goal"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1 of .*test.jsonl: "),
        ("[" * 9000, "line 1 of "),
        ("5", "question is None"),
        ('{"question": " ", "answer": "#### 1"}', "question is ' '"),
        ('{"question": "Q?", "answer": 5}', "answer is 5"),
        ('{"question": "Q?", "answer": "1"}', "must end with #### and a number"),
        ('{"question": "Q?", "answer": "#### x"}', "must end with #### and a number"),
        (" " * 20_000 + "{}", "20002 characters are more than 20000"),
    ],
)
def test_a_line_that_is_no_problem_is_named(tmp_path, line, message):
    (tmp_path / "test.jsonl").write_text(line)
    with pytest.raises(ValueError, match=message):
        make(str(tmp_path), split="test").reset()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has 0 problems"),
        (b"\xff\n", "is not UTF-8"),
    ],
)
def test_a_file_without_problems_is_refused(tmp_path, content, message):
    (tmp_path / "test.jsonl").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        make(str(tmp_path), split="test")


def test_annotations_that_cannot_be_read_are_left_out(tmp_path):
    answer = "<<2*x=4>>4 <<3*3=nine>> <<5*5=25>> <<2/0=8>>\n#### 40"
    row = json.dumps({"question": "Q?", "answer": answer})
    (tmp_path / "test.jsonl").write_text(row)
    env = make(str(tmp_path), split="test")
    assert len(env.reset()[1]["subgoals"]) == 4
    assert env.expert_action() == "calculate[5*5]"
