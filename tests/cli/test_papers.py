"""Suites of papers whose data are the user's: what is played, left out and said."""

import json
from dataclasses import replace

import pytest

from aq_gym.cli.main import main
from aq_gym.evaluation import Suite, Task, load_run
from aq_gym.papers.published import published_rows
from aq_gym.papers.suites import playable, prompt_lines, subgoal_lines
from aq_gym.report.data import load_runs

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


def test_runs_in_our_protocol_have_no_published_scores(tmp_path):
    from aq_gym.evaluation import run

    run(Suite("s", (Task("aq/Mastermind-v0", 0, max_steps=1),)), tmp_path / "run")
    assert published_rows(load_runs([tmp_path / "run"])) == []


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
