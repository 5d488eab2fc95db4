"""Published scores next to those of runs, and the papers' suites."""

import copy
import json
from dataclasses import replace

import pytest

from aq_gym.cli.main import main
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.papers.published import (
    published_columns,
    published_rows,
    published_source,
    read_published,
)
from aq_gym.papers.suites import playable, prompt_lines, subgoal_lines
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
        "GPT-4": {"aq/Mastermind-v0": [48, 7]},
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
        ("a model", 12.5), ("GPT-4", 48), ("GPT-4 with a memory", 60.0),
        ("GPT-4, 60 instances", 43.0), ("GPT-4 with a memory, 60 instances", 62.0),
    ]  # fmt: skip
    assert "code_length is 5, not 4" in own.marks


def test_a_benchmark_without_protocols_is_the_papers_in_its_suite(tmp_path):
    task = Task("aq/Mystery-v0", 0, {"questions": 60}, 60)
    for name in ("mine", "agentquest-paper"):
        run(Suite(name, (task,)), tmp_path / name, "expert")
    assert published_rows(load_runs([tmp_path / "mine"])) == []
    _, paper = published_rows(load_runs([tmp_path / "agentquest-paper"]))
    assert [*paper.values.values()] == [20.0, 52.0, 46.0, 81.0]


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
        (["tasks"], {"aq/Mastermid-v0": 1}, "did you mean 'aq/Mastermind-v0'"),
        (["models", "a model"], 1, "'a model'.* must be an object"),
        (["models", "a model", "aq/Mystery-v0"], [1], "or null of success rate, steps"),
        (["models", "a model", "aq/Mystery-v0"], [1, "2"], "a list of numbers"),
        (["models", "a model", "aq/Wordle-v0"], [1, 2], "for ids of 'tasks'"),
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
    ],
)
def test_other_files_are_refused(tmp_path, text, problem):
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(UserFileError, match=rf"mine\.json: {problem}"):
        read_published(tmp_path / "mine.json")


def test_several_files_are_shown(tmp_path):
    other = {**PAPER, "models": {"another": {"aq/Mastermind-v0": [5, 6]}}}
    (tmp_path / "other").mkdir()
    files = write(tmp_path, PAPER), write(tmp_path / "other", other)
    runs = played(tmp_path, Task("aq/Mastermind-v0", 0, max_steps=60))
    _, *rows = published_rows(runs, read_published(*files))
    assert [row.name for row in rows] == ["a model", "GPT-4", "another"]


BABYAI_ID = "aq/BabyAI-text-v0"
BABYAI = {"level": "GoToRedBallGrey-v0", "protocol": "agentboard"}


@pytest.fixture(autouse=True)
def nothing(tmp_path, monkeypatch):
    """A machine without any of AgentBoard's data."""
    monkeypatch.delenv("AGENTBOARD_DATA", raising=False)
    for name in ("ALFWORLD_DATA", "AQ_GYM_DATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "none"))


def test_what_has_no_data_is_left_out_and_named():
    suite, missing = playable(Suite.load("agentboard"))
    assert {task.id for task in suite.tasks} == {"aq/BabyAI-text-v0"}
    assert len(suite.tasks) == 112
    assert suite.name.startswith("agentboard (without aq/ALFWorld-v0, aq/Jericho-v0")
    assert "aq-gym download alfworld" in missing["aq/ALFWorld-v0"]
    assert "AGENTBOARD_DATA" in missing["aq/PDDL-v0"]
    assert "huggingface" in missing["aq/WebShop-v0"]
    tools = [kind for kind in missing if "?world=" in kind]
    assert tools == [
        "aq/ToolQuery-v0?world=academia",
        "aq/ToolOperation-v0?world=todo",
        "aq/ToolOperation-v0?world=sheet",
    ]


def test_other_suites_are_played_whole_or_not_at_all():
    suite = Suite.load("agentboard-pddl")
    assert playable(suite) == (suite, {})
    quick = Suite.load("quick")
    assert playable(replace(quick, partial=True))[0] is not None
    with pytest.raises(ValueError, match="lacks all its data: aq/PDDL-v0"):
        playable(replace(suite, partial=True))


def test_a_run_says_what_it_plays_and_the_report_lays_scores_beside(
    tmp_path, capsys, monkeypatch
):
    out = str(tmp_path / "run")
    arguments = ["--suite", "agentboard", "--limit", "200", "--episodes", "1"]
    monkeypatch.setattr(
        Suite, "part",
        lambda self, **_: replace(self, tasks=(self.tasks[0], *self.tasks[134:136])),
    )  # fmt: skip
    assert main(["run", *arguments, "--agent", "random", "--quiet", "--out", out]) == 0
    said = capsys.readouterr().err
    assert "left out: aq/ALFWorld-v0: " in said
    assert "aq/BabyAI-text-v0: the subgoals are ours" in said
    notes = load_run(out).manifest["notes"]
    assert notes["subgoals"] == {"aq/BabyAI-text-v0": "ours"}
    ours, first, *_ = published_rows(load_runs([out]))
    assert ours.marks == (
        "2 of 112 tasks", "the agent random, not a model", "subgoals are ours",
    )  # fmt: skip
    assert (first.name, [*first.values.values()]) == ("GPT-4", [70.7, 56.2, 80.3])
    page = str(tmp_path / "page.html")
    own = {
        "protocol": "agentboard",
        "name": "AgentBoard",
        "steps": 30,
        "source": "mine",
    }
    own |= {"tasks": {BABYAI_ID: 112}, "metrics": ["success rate", "tokens"]}
    mine = []
    for name in ("own", "more"):
        scores = {"models": {f"of {name}": {BABYAI_ID: [1, 2]}}}
        (tmp_path / f"{name}.json").write_text(json.dumps([own | scores]))
        mine += ["--published", str(tmp_path / f"{name}.json")]
    assert main(["report", out, "--markdown", *mine]) == 1
    assert "--published shows scores on the page" in capsys.readouterr().err
    assert main(["report", out, "--out", page, *mine]) == 0
    with open(page, encoding="utf-8") as file:
        text = file.read()
    assert 'id="published"' in text and "2 of 112 tasks; the agent random" in text
    assert all(f"published, in your {name}.json" in text for name in ("own", "more"))
    assert ">tokens</th>" in text and ">success rate, %</th>" in text


def test_whose_prompts_and_subgoals_is_said(tmp_path, monkeypatch):
    suite = Suite("s", (Task("aq/BabyAI-text-v0", 1234, BABYAI),))
    (line,) = prompt_lines(suite, {})
    assert line.startswith("prompts of this package: aq/BabyAI-text-v0; AgentBoard's")
    assert "need AGENTBOARD_DATA" in line
    root = tmp_path / "there"
    agent = root / "agentboard" / "agents" / "vanilla_agent.py"
    agent.parent.mkdir(parents=True)
    agent.write_text("")
    row = {"task": "babyai", "goal": "g", "subgoals": ["a"], "difficulty": "easy"}
    row["additional_info"] = {"subtask": "BabyAI-GoToRedBallGrey-v0"}
    file = root / "data" / "babyai" / "test.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(row))
    monkeypatch.setenv("AGENTBOARD_DATA", str(root))
    # Its code is there, but not the file of this prompt.
    assert [*prompt_lines(suite, {})] == ["prompts of this package: aq/BabyAI-text-v0"]
    assert list(subgoal_lines(suite)) == [
        "aq/BabyAI-text-v0: AgentBoard's annotated subgoals"
    ]
    other = Suite("s", (Task("aq/BabyAI-text-v0", 1234),))
    assert [*prompt_lines(other, {}), *subgoal_lines(other)] == []
