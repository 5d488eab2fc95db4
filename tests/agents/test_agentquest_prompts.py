"""AgentQuest's prompts, from made-up notebooks of its form."""

import json

import pytest
from scripted_server import answer

from aq_gym import trajectory
from aq_gym.agents import requests_of
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.papers.agentquest import tutorial, words
from aq_gym.papers.published import published_rows, published_source
from aq_gym.papers.suites import prompt_lines
from aq_gym.report import load_runs

CHAT = """
messages = [{"role": "ROLE", "content": "You find numbers."}]
messages.append({"role": "user", "content": obs.output})
"""
TUTORIAL = """
class CustomPromptTemplate:
    def format(self, action, observation):
        thoughts = ""
        thoughts += f"(action {action.value})" if action else ""
        thoughts += f"(after it {observation.output})" if observation else "'"
prompt = "A task: {input} and so far {history}."
"""
DRIVER = """
class Utils:
    def get_initial_instructions():
        return "Find it.\\n"
    def parse_agent_output(text):
        raise ValueError("It is not read.")
class Driver:
    def reset(self):
        return Utils.get_initial_instructions() + f"There are {4} digits."
    def step(self):
        return "It is found!"
        return f"{0} good {1} on {2}, {3} good {4} off {5}"
"""
TASK = Task(
    "aq/Mastermind-v0", 0, {"protocol": "agentquest", "code": "1234"}, max_steps=3
)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of AgentQuest's form, which ``AGENTQUEST_DATA`` names."""
    root = tmp_path / "agentquest-checkout"
    driver = root / "agentquest" / "benchmarks" / "mastermind" / "driver.py"
    driver.parent.mkdir(parents=True)
    driver.write_text(DRIVER)
    (root / "agents").mkdir()
    for name, code in (
        ("agents/mastermind-openai-chat-model-with-metrics", CHAT),
        ("tutorial", TUTORIAL),
    ):
        cells = [
            {"cell_type": "markdown", "source": ["not ", "Python"]},
            {"cell_type": "code", "source": code.splitlines(keepends=True)},
        ]
        (root / f"{name}.ipynb").write_text(json.dumps({"cells": cells}))
    monkeypatch.setenv("AGENTQUEST_DATA", str(root))
    return root


def play(serve, out, said, **params):
    server = serve(answer(said))
    params = {"model": "m", "base_url": server.url, "timeout": 3, **params}
    episodes = run(Suite("one", (TASK,)), out, "llm", params)
    return server.requests, episodes


@pytest.mark.parametrize("role", ["system", "developer"])
def test_an_answer_is_one_message(serve, tmp_path, checkout, role):
    file = checkout / "agents" / "mastermind-openai-chat-model-with-metrics.ipynb"
    file.write_text(file.read_text().replace("ROLE", role))
    said = "<think>hm</think>I say\nGuess: 1235"
    requests, _ = play(serve, tmp_path / "run", said)
    first, second, _ = requests
    begin = [
        {"role": role, "content": "You find numbers."},
        {"role": "user", "content": "Find it.\nThere are 4 digits."},
    ]
    assert first["messages"] == begin
    assert "stop" not in first and "temperature" not in first
    assert second["messages"] == [
        *begin,
        {"role": "assistant", "content": said},
        {
            "role": "user",
            "content": "3 good digits on positions, 0 good digit off position",
        },
    ]
    (played,) = trajectory.iter_trajectories(tmp_path / "run" / "trajectories")
    assert [one for (one,) in requests_of(played)] == [r["messages"] for r in requests]
    assert load_run(tmp_path / "run").manifest["notes"]["prompts"] == {
        TASK.id: "AgentQuest"
    }


def test_a_tutorial_repeats_the_latest_turn(checkout):
    known = words("mastermind", {"get_initial_instructions": ["x"]})
    prompt = tutorial("tutorial.ipynb", known, lambda said: said[1:])
    assert prompt.source == "AgentQuest"
    turns = [("", "begin")]
    assert prompt.rewrite(turns) == "A task: Find it.\n and so far (after it begin)."
    # What is not read is no turn, but the latest text until there is one.
    turns.append(("-", "wrong"))
    assert prompt.rewrite(turns).endswith("so far (after it wrong).")
    for number in range(7):
        turns.append((f"-{number}", f"o{number}"))
    turns.append(("", "wrong"))
    assert prompt.rewrite(turns).endswith(f"so far {'(action 6)(after it o6)' * 5}.")


def test_the_papers_rates_stand_beside_a_run(tmp_path, monkeypatch):
    monkeypatch.delenv("AGENTQUEST_DATA", raising=False)
    (line,) = prompt_lines(Suite("one", (TASK,)), {})
    assert "of this package: aq/Mastermind-v0; AgentQuest's need AGENTQUEST" in line
    run(Suite("one", (TASK,)), tmp_path / "run", "expert")
    runs = load_runs([tmp_path / "run"])
    own, *published = published_rows(runs)
    # Table 3 of the paper, and its success rates with 60 instances.
    assert [list(row.values.values()) for row in published] == [
        [47.0, 41.87, 62.0, 32.0], [60.0, 39.73, 73.0, 0.0], [43.0], [62.0],
    ]  # fmt: skip
    assert own.marks == (
        "1 of 15 tasks",
        "the agent expert, not a model",
        "fewer than 60 steps",
        "which 15 instances it played is not known",
    )
    assert "Table 3" in published_source(runs)
    assert "AgentBoard" not in published_source(runs)
