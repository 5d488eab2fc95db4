"""Published questions: csv and parquet files, and their limits."""

import gymnasium as gym
import pytest

from aq_gym.envs.mmlu.official import find_files, read_files
from aq_gym.envs.mmlu.question import PUBLISHED
from aq_gym.envs.mmlu.sources import task_source


def questions(folder, split="test"):
    return read_files(find_files(folder, split))


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return folder


def test_the_subjects_and_groups_are_the_published_ones():
    counts = {g: list(PUBLISHED.values()).count(g) for g in PUBLISHED.values()}
    assert len(PUBLISHED) == 57
    assert counts == {
        **{"STEM": 18, "humanities": 13, "social sciences": 12, "other": 14},
    }


def test_one_question_is_played(official):
    kwargs = {"data_dir": str(official), "split": "test", "subject": "virology"}
    env = gym.make("aq/MMLU-v0", question=2, **kwargs)
    for seed in range(3):
        assert env.reset(seed=seed)[1]["task_id"] == "test-virology-2"
    with pytest.raises(ValueError, match=r"test-virology has 3 questions, from"):
        gym.make("aq/MMLU-v0", question=3, **kwargs)
    with pytest.raises(ValueError, match=r"one subject and one split, not 57"):
        gym.make("aq/MMLU-v0", question=2, **{**kwargs, "subject": None})
    with pytest.raises(ValueError, match=r"question=2 needs data_dir"):
        gym.make("aq/MMLU-v0", question=2)


def test_files_without_a_header_are_read(official):
    found = questions(official)
    assert list(found) == sorted(PUBLISHED)
    assert {len(every) for every in found.values()} == {3}
    one = found["anatomy"][2]
    assert one.text == 'What, in "anatomy", is\ntest 2?'
    assert one.options == tuple(
        f"{word} of anatomy 2" for word in ("one", "two", "six", "ten")
    )
    assert one.letter == "C"


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("question,A,B,C,D,answer", "q,1,2,3,4,C"),
        ("input,A,B,C,D,target,subject", "q,1,2,3,4,2,anatomy"),
        (",subject,answer,D,C,B,A,Question", "0,anatomy,c,4,3,2,1,q"),
        ("question,A,B,C,D,answer", "q,1,2,3,4,C,,"),
        ("question,A,B,C,D,E,answer", "q,1,2,3,4,,C"),
    ],
)
def test_files_with_a_header_are_read(tmp_path, header, line):
    folder = write(tmp_path, "test/anatomy_test.csv", f"\ufeff{header}\n{line}\n\n")
    (one,) = questions(folder)["anatomy"]
    assert (one.text, one.options, one.letter) == ("q", ("1", "2", "3", "4"), "C")


@pytest.mark.needs("module:pyarrow")
@pytest.mark.parametrize("name", ["all/test-00000-of-00001.parquet", "test.parquet"])
def test_parquet_files_are_read(parquet, name):
    rows = [
        {"question": "q", "subject": subject, "choices": [*"wxyz"], "answer": answer}
        for subject, answer in (("anatomy", 3), ("virology", 0), ("anatomy", 1))
    ]
    found = questions(parquet(name, rows))
    assert [one.letter for one in found["anatomy"]] == ["D", "B"]
    assert [one.letter for one in found["virology"]] == ["A"]


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("q,1,2,3,4,E", "question 1 of .*answer is 'E'"),
        ("q,1,2,3,A", "answer is None"),
        ("q,1,2,3,4", "answer is None"),
        ("q,1", "needs the columns"),
        ('"q,1,2,3,4,A', "cannot be read as csv"),
        ("\0\0", "needs the columns|cannot be read"),
        (f"{'q' * 15_000},1,2,3,4,A", "15004 characters are more than 15000"),
        (f"{'q' * 200_000},1,2,3,4,A", "field larger"),
        (b"\xff\xfe", "cannot be read as csv"),
        ("How many legs?,5,4,6,8,2,D", "1 more than .*four options .*quotes"),
        ("ok,1,2,3,4,A\nA cat, or a dog?,1,2,3,4,B", "question 2 of .*1 more than"),
        ("q,1,2,3,4,5,6,A", "2 more than"),
        ("question,A,B,C,D,E,answer\nq,1,2,3,4,5,A", "1 more than"),
        ("question,A,B,C,D,answer\nq, or p,1,2,3,0,A", "1 more than"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, line, match):
    path = tmp_path / "test" / "anatomy_test.csv"
    path.parent.mkdir()
    path.write_bytes(line if isinstance(line, bytes) else line.encode())
    with pytest.raises(ValueError, match=match) as error:
        questions(tmp_path)
    assert "anatomy_test.csv" in str(error.value)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"test/\*\.csv.*aq-gym download mmlu"):
        gym.make("aq/MMLU-v0", data_dir=str(tmp_path), split="test")


def test_an_unknown_subject_in_a_file_is_an_error(tmp_path):
    folder = write(tmp_path, "test/astrology_test.csv", "q,1,2,3,4,A\n")
    with pytest.raises(ValueError, match=r"subject is ''.*57 subjects"):
        questions(folder)


def test_a_subject_without_questions_is_named(tmp_path):
    folder = write(tmp_path, "test/anatomy_test.csv", "q,1,2,3,4,A\n")
    given = {"data_dir": str(folder), "split": "test", "subject": "virology"}
    with pytest.raises(
        ValueError, match=r"no question of split='test' with .*virology"
    ):
        gym.make("aq/MMLU-v0", **given)


@pytest.mark.parametrize(
    ("split", "count"), [("dev", 5), ("validation", 2), ("test", 3), ("all", 10)]
)
def test_a_published_split_has_all_its_questions_and_no_others(official, split, count):
    source = task_source(str(official), split, "virology", None, None)
    ids = {
        f"{one}-virology-{number}"
        for one in ("dev", "validation", "test")
        for number in range(9)
    }
    found = [task_id for task_id in ids if _has(source, task_id)]
    assert len(found) == count
    assert split == "all" or {one.partition("-")[0] for one in found} == {split}


def _has(source, task_id):
    try:
        return source.get(task_id).subject == "virology"
    except ValueError:
        return False


def test_auxiliary_questions_are_for_training(official):
    env = gym.make("aq/MMLU-v0", data_dir=str(official), split="train")
    _, info = env.reset(seed=0)
    assert info["task_id"].startswith("train-auxiliary_train-")
    assert info["labels"] == {"subject": "auxiliary_train", "group": "none"}
