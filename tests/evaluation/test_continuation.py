"""Runs whose episodes go on beyond the step cap of an earlier run."""

import json
import sys
from dataclasses import replace

import pytest
from scripted_server import answer
from toy_envs import ToyAgent

from aq_gym import trajectory
from aq_gym.agents import requests_of
from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.evaluation.runner import continued_suite

# The second one is solved within three steps, whatever the cap.
GAMES = ("aq/Mastermind-v0", "aq/Hangman-v0")


def suite(cap, count=2, **more):
    tasks = [Task(name, n, {}, cap, **more) for name in GAMES for n in range(count)]
    return Suite("own", tuple(tasks))


def played(folder):
    """The actions, observations and progress of each episode."""
    found = {}
    for one in trajectory.iter_trajectories(folder / "trajectories"):
        key = one.header["spec"]["id"], one.header["seed"]
        found[key] = [
            (s["action"], s["observation"], s["info"]["progress"]) for s in one.steps
        ]
    return found


@pytest.mark.parametrize("agent", ["random", "expert"])
def test_a_continued_run_equals_one_with_the_larger_cap(tmp_path, agent):
    run(suite(3), tmp_path / "short", agent)
    longer = continued_suite(suite(3), 9)
    run(longer, tmp_path / "new", agent, parent=tmp_path / "short")
    run(suite(9), tmp_path / "long", agent)
    assert played(tmp_path / "new") == played(tmp_path / "long")
    new, long = (load_run(tmp_path / name).episodes for name in ("new", "long"))
    assert new == long


class Counting(ToyAgent):
    """An agent of another package, which writes the number of the step."""

    def reset(self, observation, info):
        self.count = 0

    def act(self, observation, info):
        self.count += 1
        return str(self.count)


def test_another_agent_is_asked_for_the_recorded_actions_too(tmp_path):
    agent = f"{__name__}:Counting"
    run(suite(3), tmp_path / "short", agent)
    run(suite(5), tmp_path / "new", agent, parent=tmp_path / "short")
    for steps in played(tmp_path / "new").values():
        assert [action for action, *_ in steps] == list("12345")


REPEATING = [answer(text) for text in ("1122", "1122", "3344", "5566", "1234", "4321")]
THINKING = [
    answer(text, reasoning_content=f"Think of {text}.")
    for text in ("1122", "3344", "5566", "1234", "4321", "1243")
]


@pytest.mark.parametrize(
    ("script", "params"),
    [
        (REPEATING, {}),
        (REPEATING, {"prompting": "memory"}),
        (REPEATING, {"context": 900, "max_tokens": 100}),
        (THINKING, {"keep_reasoning": True}),
    ],
)
def test_a_conversation_goes_on_as_it_was(tmp_path, serve, script, params):
    """Its requests are those of an agent that was never stopped."""
    task = Task(GAMES[0], 0, {}, 3)
    short, long = (Suite("own", (replace(task, max_steps=cap),)) for cap in (3, 5))
    whole = serve(*script)
    params = {**params, "model": "m"}
    run(long, tmp_path / "long", "llm", {**params, "base_url": whole.url})
    first = serve(*script)
    run(short, tmp_path / "short", "llm", {**params, "base_url": first.url})
    second = serve(*script[len(first.requests) :])
    again = {**params, "base_url": second.url}
    run(long, tmp_path / "new", "llm", again, parent=tmp_path / "short")
    assert [*first.requests, *second.requests] == whole.requests
    assert played(tmp_path / "new") == played(tmp_path / "long")
    new, known = (
        next(trajectory.iter_trajectories(tmp_path / name / "trajectories"))
        for name in ("new", "long")
    )
    assert requests_of(new) == requests_of(known)
    # Only what this run has asked for counts.
    calls = load_run(tmp_path / "new").episodes[0].usage["calls"]
    assert calls == len(second.requests)


def test_a_changed_world_is_noticed(tmp_path):
    run(suite(3), tmp_path / "short", "random")
    file = sorted((tmp_path / "short" / "trajectories").iterdir())[-1]
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        line.pop("crc", None)
    lines[2]["observation"] += "!"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run(suite(5), tmp_path / "new", "random", parent=tmp_path / "short")
    errors = [one.error for one in load_run(tmp_path / "new").episodes if one.error]
    assert len(errors) == 1
    assert "after 2 steps its observation differs" in errors[0]


def test_a_damaged_trajectory_of_the_parent_is_named(tmp_path):
    run(suite(3), tmp_path / "short", "random")
    file = sorted((tmp_path / "short" / "trajectories").iterdir())[-1]
    file.write_bytes(file.read_bytes()[:18])
    run(suite(5), tmp_path / "new", "random", parent=tmp_path / "short")
    errors = [one.error for one in load_run(tmp_path / "new").episodes if one.error]
    assert errors == [f"ContinuationError: {file} is damaged: it has no header"]


@pytest.mark.parametrize(
    ("count", "agent", "params", "message"),
    [
        (2, "expert", {}, "only that agent can continue"),
        (2, "random", {"seed": 1}, "only that agent can continue"),
        (3, "random", {}, "no error-free episode"),
    ],
)
def test_another_run_is_refused(tmp_path, count, agent, params, message):
    run(suite(3), tmp_path / "short", "random")
    with pytest.raises(ValueError, match=message):
        run(suite(5, count), tmp_path / "new", agent, params, parent=tmp_path / "short")
    assert not (tmp_path / "new" / "run.json").exists()


def command(*arguments):
    return main([*map(str, arguments), "--quiet"])


def test_a_run_is_continued_by_its_folder_alone(tmp_path, capsys):
    played_ids = ["--env", "aq/Mastermind-v0?code_length=5", "--episodes", 2]
    short, new = tmp_path / "short", tmp_path / "new"
    assert command("run", *played_ids, "--max-steps", 3, "--out", short) == 0
    again = ["run", "--from", short, "--continue-to", 6, "--out", new]
    assert command(*again) == 0
    what = json.loads((new / "run.json").read_text())
    assert what["suite"]["name"] == "command line (continued to 6)"
    assert what["parent"]["name"] == "short"
    assert {one.steps for one in load_run(new).episodes} == {6}
    rows = (new / "episodes.jsonl").read_bytes()
    assert command(*again) == 0
    assert (new / "episodes.jsonl").read_bytes() == rows


def test_an_agent_in_the_current_folder_continues_a_run(tmp_path, monkeypatch):
    (tmp_path / "near_agent.py").write_text(
        "class Agent:\n"
        "    def __init__(self, env): pass\n"
        "    def reset(self, observation, info): pass\n"
        "    def act(self, observation, info): return 'help'\n"
    )
    monkeypatch.chdir(tmp_path)
    again = ["--from", "short", "--continue-to", 4, "--out", "new"]
    for number, how in enumerate((["--max-steps", 2, "--out", "short"], again)):
        monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
        monkeypatch.delitem(sys.modules, "near_agent", raising=False)
        played = ["--env", "aq/Mastermind-v0", "--episodes", 1] * (number == 0)
        assert command("run", *played, "--agent", "near_agent:Agent", *how) == 0
    assert {one.steps for one in load_run("new").episodes} == {4}


def test_a_packaged_suite_is_found_by_its_name(tmp_path):
    part = ["--suite", "quick", "--only", "aq/Mastermind-v0"]
    short, new = tmp_path / "short", tmp_path / "new"
    assert command("run", *part, "--max-steps", 2, "--out", short) == 0
    again = ["run", "--from", short, "--continue-to", 4, "--out", new]
    assert command(*again) == 0
    assert {one.steps for one in load_run(new).episodes} == {4}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("agent", "os:system", "give --agent os:system"),
        ("count_tokens", "antigravity:x", "only that agent can continue the run"),
        ("keep_reasoningx", True, "in agent_params of {short}/run.json, which may be"),
        ("max_tokens", "many", "in agent_params of {short}/run.json, which may be"),
        ("setting", f"aq/Mastermind-v0?code={'[' * 100_000}", "code="),
        ("setting", f"aq/Mastermind-v0?code={'-' * 100_000}1", "code="),
        ("setting", "antigravity:aq/Mastermind-v0", "give it with --env"),
        ("setting", "aq/Jericho-v0?game=/etc/passwd", "is not trusted"),
    ],
)
def test_a_file_does_not_choose_code(
    tmp_path, capsys, monkeypatch, key, value, message
):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    run(suite(3), tmp_path / "short", "random")
    what = tmp_path / "short" / "run.json"
    found = json.loads(what.read_text())
    found["suite"]["name"] = "command line"
    if key == "agent":
        found["agent"] = value
    if key not in ("agent", "setting"):
        found |= {"agent": "llm", "agent_params": {"model": "m", key: value}}
    what.write_text(json.dumps(found))
    rows = tmp_path / "short" / "episodes.jsonl"
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    for line in lines:
        line.pop("crc", None)
        line.update({key: value} if key == "setting" else {})
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = ["run", "--from", tmp_path / "short", "--continue-to", 6]
    assert command(*again, "--out", tmp_path / "new") == 1
    message = message.replace("{short}", str(tmp_path / "short"))
    assert message in capsys.readouterr().err
    assert "antigravity" not in sys.modules
