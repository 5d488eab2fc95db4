"""Published scores of a user's file beside runs, and what marks the runs."""

import copy
import json

import pytest

from aq_gym.evaluation import Suite, Task, run
from aq_gym.papers.published import (
    published_columns,
    published_rows,
    published_source,
    read_published,
)
from aq_gym.report.data import load_runs
from aq_gym.support.user_files import UserFileError

PAPER = {
    "protocol": "agentquest",
    "name": "AgentQuest",
    "steps": 60,
    "source": "a table",
    "metrics": ["success rate", "steps"],
    "tasks": {"aq/Mastermind-v0": 1, "aq/Mystery-v0": 1},
    "settings": {"aq/Mastermind-v0": {"code_length": 4}},
    "models": {
        "a model": {"aq/Mastermind-v0": [12.5, None], "aq/Mystery-v0": [0, 60]},
        "its agent": {"aq/Mastermind-v0": [48, 7]},
    },
}


def write(folder, paper):
    file = folder / "mine.json"
    file.write_text(json.dumps([paper]))
    return file


def played(folder, *tasks):
    run(Suite("s", tasks), folder / "run", "expert")
    return load_runs([folder / "run"])


def test_a_users_scores_stand_beside_runs_in_any_protocol(tmp_path):
    tasks = (Task("aq/Mastermind-v0", 0, max_steps=60), Task("aq/Mystery-v0", 0, {}, 1))
    runs, papers = played(tmp_path, *tasks), read_published(write(tmp_path, PAPER))
    own, first, second, other, *_ = published_rows(runs, papers)
    assert own.values["success rate"] == 100.0 and own.values["steps"] > 1
    assert own.marks == (
        "not in the protocol agentquest", "the agent expert, not a model",
    )  # fmt: skip
    assert first == ("aq/Mastermind-v0", "a model", {"success rate": 12.5},
                     ("published, in your mine.json",), True)  # fmt: skip
    # Mystery has no protocols.
    assert other.marks == ("the agent expert, not a model", "fewer than 60 steps")
    assert published_source(runs, papers) == "a table, as you have them in mine.json"
    assert published_rows(runs) == []
    assert published_columns([own, first, second])[3:] == ["steps"]


def test_a_users_rows_replace_those_of_the_same_name(tmp_path):
    kwargs = {"protocol": "agentquest", "code": "12345", "code_length": 5}
    runs = played(tmp_path, Task("aq/Mastermind-v0", 0, kwargs, 60))
    own, *rows = published_rows(runs, read_published(write(tmp_path, PAPER)))
    assert [(row.name, row.values["success rate"]) for row in rows] == [
        ("a model", 12.5), ("its agent", 48), ("its agent with a memory", 60.0),
    ]  # fmt: skip
    assert {"code_length is 5, not 4", "not the paper's 15 codes"} < {*own.marks}


def test_other_tasks_than_the_papers_are_marked(tmp_path):
    board = {"level": "GoToRedBallGrey-v0", "protocol": "agentboard"}
    tasks = [Task("aq/BabyAI-text-v0", seed, board, 2) for seed in (1234, 1235, 7)]
    own, *_ = published_rows(played(tmp_path, *tasks))
    assert "1 tasks not among the paper's" in own.marks
    own, *_ = published_rows(played(tmp_path / "official", *tasks[:2]))
    assert not any("among" in mark for mark in own.marks)


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        (["steps"], True, r"\[0\]\['steps'\] must be of the type int"),
        (["protocl"], "x", "'protocl'.* must be one of the keys protocol"),
        (["metrics"], ["rate"], "'rate' must be one of success rate, "),
        (["metrics"], ["steps", "steps"], r"\['metrics'\] must be all different"),
        (["tasks"], {"aq/Mastermid-v0": 1}, "did you mean 'aq/Mastermind-v0'"),
        (["tasks"], {"aq/Mastermind-v0": 0}, "must be an integer above 0"),
        (["models", "a model"], 1, "'a model'.* must be an object"),
        (["models", "a model", "aq/Mystery-v0"], [1], "or null of success rate, steps"),
        (["models", "a model", "aq/Mystery-v0"], [1, "2"], "must be values"),
        (["models", "a model", "aq/Mystery-v0"], [101, 2], "must be values"),
        (["models", "a model", "aq/Mystery-v0"], [1, -2], "must be values"),
        (["steps"], 0, "'steps'. must be above 0"),
        (["settings"], {"aq/Wordle-v0": {}}, "an id of 'tasks'"),
        (["models", "a model", "aq/Wordle-v0"], [1, 2], "an id of 'tasks'"),
        (["suites"], {"aq/Mastermind-v0": "quik"}, "did you mean 'quick'"),
        (["settings"], {"aq/Mastermind-v0": 4}, "of the type dict"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path, place, value, problem):
    paper = copy.deepcopy(PAPER)
    inner = paper
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    with pytest.raises(UserFileError, match=f"mine.json: .*{problem}"):
        read_published(write(tmp_path, paper))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Expecting value"),
        ("{}", "it must be a list of objects"),
        ("[]", "it must be a list of objects"),
        ("[1]", r"\[0\] must be an object"),
        ("[" * 100_000, "it is nested too deeply$"),
        (f"[{'9' * 5_000}]", "Exceeds the limit"),
        ('[{"name": "a", "name": "b"}]', "the key 'name' must be given once"),
    ],
)
def test_other_files_are_refused(tmp_path, text, problem):
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(UserFileError, match=rf"mine\.json: {problem}"):
        read_published(tmp_path / "mine.json")


def test_several_files_are_shown_and_no_score_twice(tmp_path):
    other = {**PAPER, "models": {"another": {"aq/Mastermind-v0": [5, 6]}}}
    (tmp_path / "other").mkdir()
    files = write(tmp_path, PAPER), write(tmp_path / "other", other)
    runs = played(tmp_path, Task("aq/Mastermind-v0", 0, max_steps=60))
    _, *rows = published_rows(runs, read_published(*files))
    assert [row.name for row in rows] == ["a model", "its agent", "another"]
    with pytest.raises(UserFileError, match=r"'another' in aq/Mast.* given 2 times"):
        read_published(files[1], files[1])
