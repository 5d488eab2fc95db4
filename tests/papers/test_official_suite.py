"""AgentQuest's own instances, from made-up files of its form."""

import json

import gymnasium as gym
import pytest

from aq_gym.evaluation import Suite
from aq_gym.papers.suites import playable
from aq_gym.support.user_files import UserFileError

BOARD = "\r\n".join(
    [
        "5|6|*|*|*|8|2|3|1", "*|*|7|*|1|2|5|*|*", "2|3|1|6|4|5|*|*|*",
        "6|5|3|*|*|*|1|4|2", "9|*|*|4|*|*|6|*|3", "*|4|*|5|*|*|9|*|8",
        "3|1|*|2|6|*|*|8|9", "*|8|9|*|*|3|4|*|6", "*|2|*|*|9|7|*|1|5",
    ]
)  # fmt: skip


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A function that writes the files and names their folder."""

    def write(codes, boards):
        files = {
            "mastermind": codes,
            "sudoku": boards,
            "hangman": {"3 letters": ["ant"], "5 letters": ["qzxjvw", "ant"]},
            "wordle": {"5 letters": ["abyes", "aback"]},
            "cipher": ["A cat. 9 lives."],
        }
        games = tmp_path / "legacy" / "agentquest" / "data" / "alfworld" / "games.json"
        games.parent.mkdir(parents=True, exist_ok=True)
        games.write_text('{"pick": ["/x/train/pick-1/trial_2", "/x/train/a/b"]}')
        monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
        for name, data in files.items():
            file = tmp_path / "agentquest" / "benchmarks" / name / "data.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(data))
        monkeypatch.setenv("AGENTQUEST_DATA", str(tmp_path))

    return write


def test_the_kinds_take_turns(checkout, monkeypatch):
    codes = {"4 digits": ["0123", "4567"], "5 digits": ["01234"]}
    checkout(codes, {"easy": [{"board": BOARD, "answer": ""}], "hard": []})
    with pytest.raises(UserFileError, match="object of lists"):
        Suite.load("agentquest-official")
    checkout(codes, {"easy": [{"board": BOARD, "answer": ""}]})
    suite = Suite.load("agentquest-official")
    assert [task.id for task in suite.tasks[:3]] == [
        "aq/Mastermind-v0", "aq/Mastermind-v0", "aq/Sudoku-v0",
    ]  # fmt: skip
    assert {task.max_steps for task in suite.tasks} == {60}
    assert {task.kwargs["protocol"] for task in suite.tasks} == {"agentquest"}
    assert suite.tasks[0].kwargs["code"] == "0123"
    first = [task for task in suite.tasks if task.id == "aq/Cipher-v0"]
    assert len(first) == 6 and first[0].kwargs["plaintext"] == "A cat. 9 lives."
    assert first[5].kwargs["plaintext"] == "acat9lives"
    words = [task.kwargs["word"] for task in suite.tasks if "word" in task.kwargs]
    assert words == ["ant", "abyes", "qzxjvw", "aback"]
    # The drivers' texts are not in this checkout.
    monkeypatch.delenv("AGENTQUEST_DATA")
    env = suite.tasks[2].make()
    _, info = env.reset(seed=0)
    givens = sum(cell.isdigit() for cell in BOARD)
    assert info["agentquest_progress"] == givens / 81 and info["progress"] == 0.0
    _, _, _, _, info = env.step(env.get_wrapper_attr("expert_action")())
    assert info["agentquest_progress"] == (givens + 1) / 81


def test_games_of_households_that_are_there_are_played(checkout, tmp_path):
    checkout({"4 digits": ["0123"]}, {"easy": [{"board": BOARD}]})
    suite = Suite.load("agentquest-official")
    assert not any(task.id == "aq/ALFWorld-v0" for task in suite.tasks)
    folder = tmp_path / "json_2.1.1" / "train" / "pick-1" / "trial_2"
    folder.mkdir(parents=True)
    (folder / "game.tw-pddl").write_text("{}")
    suite = Suite.load("agentquest-official")
    (task,) = (task for task in suite.tasks if task.id == "aq/ALFWorld-v0")
    assert task.kwargs["game"] == "train/pick-1/trial_2"
    assert task.progress == "plan_progress" and "1 games" in suite.note
    with pytest.raises(ValueError, match=r"game\.tw-pddl"):
        task.make()


@pytest.mark.parametrize("name", ["Hangman", "Wordle"])
def test_a_word_that_is_not_packaged_can_be_played(name):
    env = gym.make(f"aq/{name}-v0", word="qzxjv")
    _, info = env.reset(seed=0)
    assert info["task_id"] == "qzxjv"
    # The expert plays until no packaged word agrees with the letters.
    while (action := env.get_wrapper_attr("expert_action")()) is not None:
        _, _, over, _, info = env.step(action)
        if over:
            break
    env.reset(seed=0)
    _, _, over, _, info = env.step("qzxjv")
    assert over and info["success"]


@pytest.mark.parametrize(
    ("name", "kwargs", "problem"),
    [
        ("Hangman", {"word": "Ant"}, "letters from a to z"),
        ("Hangman", {"word": "an"}, "length=2"),
        ("Hangman", {"word": "ant", "split": "test"}, "omit length"),
        ("Wordle", {"word": "ant"}, "must be 5 letters"),
        ("Wordle", {"word": "aback", "split": "test"}, "omit split"),
    ],
)
def test_words_are_checked(name, kwargs, problem):
    with pytest.raises(ValueError, match=problem):
        gym.make(f"aq/{name}-v0", **kwargs)


@pytest.mark.parametrize(
    ("codes", "boards"),
    [
        ({"4 digits": [1234]}, {"easy": [{"board": BOARD}]}),
        ({"four": ["1234"]}, {"easy": [{"board": BOARD}]}),
        ({"4 digits": ["1234"]}, {"odd": [{"board": BOARD}]}),
        ({"4 digits": ["1234"]}, {"easy": [{}]}),
        (["1234"], {}),
    ],
)
def test_files_of_another_form_are_refused(checkout, codes, boards):
    checkout(codes, boards)
    with pytest.raises(UserFileError, match="is not AgentQuest's"):
        Suite.load("agentquest-official")


def test_without_a_checkout_it_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTQUEST_DATA", "")
    with pytest.raises(ValueError, match="non-commercial use"):
        Suite.load("agentquest-official")
    for value in (str(tmp_path), str(tmp_path / "nowhere")):
        monkeypatch.setenv("AGENTQUEST_DATA", value)
        for name in ("agentquest", "agentquest-official"):
            with pytest.raises(FileNotFoundError, match=f"DATA='{value}'.*unset it"):
                playable(Suite.load(name))
    with pytest.raises(ValueError, match="agentquest-official"):
        Suite.load("agentquest-offical")
