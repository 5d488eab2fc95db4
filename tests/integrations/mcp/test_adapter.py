"""Servers of other people as environments."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="needs mcp 2, as in .ci/integrations")
from scripted_server import ScriptedServer, answer

import aq_gym
from aq_gym import trajectory
from aq_gym.evaluation import Suite, Task, run

NOTES = f"mcp:{sys.executable} {Path(__file__).with_name('notes_server.py')}"
GOAL = {"goal": "Make three notes."}


def notes(steps):
    """The share of three notes that were made."""
    texts = [one for one in steps if one.name == "add_note" and one.valid]
    return min(1.0, sum(one.arguments.get("times", 1) for one in texts) / 3)


@pytest.fixture
def env():
    made = aq_gym.adapt(NOTES, arguments={**GOAL, "judge": notes})
    yield made
    made.close()


def test_a_goal_is_reached_by_third_party_tools(env):
    for _ in range(2):
        text, info = env.reset(seed=0)
        assert text.startswith("Make three notes.")
        assert '"times"' in text
        assert (info["progress"], info["success"]) == (0.0, False)
        text, reward, terminated, _, info = env.step('add_note(text="a")')
        assert (text, terminated) == ("1 notes", False), "each episode has its server"
        assert reward == pytest.approx(1 / 3)
        call = '{"name": "add_note", "arguments": {"text": "b", "times": 2}}'
        text, _, terminated, _, info = env.step(call)
        assert (text, terminated, info["success"]) == ("3 notes", True, True)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("make a note", "The tools are add_note, fail, leave."),
        ("ad_note()", "There is no tool"),
        ("add_note()", "text"),
        ("fail()", "fail"),
        ("add_note(text=[", "The tools are"),
        ("\ud83d", "The tools are"),
    ],
)
def test_what_is_wrong_is_said(env, action, said):
    env.reset(seed=0)
    text, reward, terminated, truncated, info = env.step(action)
    assert said in text
    assert not info["action_valid"]
    assert (reward, terminated, truncated) == (0.0, False, False)


def test_a_model_plays_it_by_native_calls(tmp_path):
    arguments = {**GOAL, "judge": "integrations.mcp.test_adapter:notes"}
    task = Task(
        "aq_gym.adapters:mcp/Notes-v0", 0, {"arguments": arguments}, max_steps=4
    )
    gym = pytest.importorskip("gymnasium")
    gym.register("mcp/Notes-v0", "aq_gym.adapters:adapt", kwargs={"env": NOTES})
    function = {"name": "add_note", "arguments": '{"text": "a", "times": 3}'}
    call = {"id": "a", "type": "function", "function": function}
    server = ScriptedServer(answer(None, "tool_calls", tool_calls=[call]))
    params = {"model": "m", "base_url": server.url, "tools": "native"}
    try:
        (episode,) = run(Suite("one", (task,)), tmp_path, "llm", params)
    finally:
        server.close()
    assert episode.success, episode.error
    offered = [one["function"]["name"] for one in server.requests[0]["tools"]]
    assert offered == ["add_note", "fail", "leave"]
    (played,) = trajectory.iter_trajectories(tmp_path / "trajectories")
    assert played.steps[0]["observation"] == "3 notes"


def test_our_own_server_is_one_too():
    command = f"mcp:{sys.executable} -m aq_gym mcp aq/Mastermind-v0?code=1234"
    env = aq_gym.adapt(command)
    try:
        assert "read_task" in env.reset(seed=0)[0]
        text, *_, info = env.step('act(action="Guess: 1234")')
        assert text.endswith("The episode is over.")
        assert info == {"action_valid": True}
    finally:
        env.close()


def test_a_judges_mistake_ends_the_episode():
    env = aq_gym.adapt(NOTES, arguments={"judge": lambda steps: 2.0 * len(steps)})
    env.reset(seed=0)
    *_, truncated, info = env.step("fail()")
    env.close()
    assert truncated
    assert "it must be from 0.0 to 1.0" in info["error"]


def test_a_server_that_is_lost_ends_the_episode_as_an_error(env):
    env.reset(seed=0)
    *_, truncated, info = env.step("leave()")
    assert truncated
    assert "Connection closed" in info["error"]
    assert "Make three notes." in env.reset(seed=0)[0]


@pytest.mark.parametrize("command", ["no-such-command x", f"{sys.executable} -c pass"])
def test_a_server_that_does_not_start_is_named(command):
    env = aq_gym.adapt(f"mcp:{command}")
    with pytest.raises(ConnectionError, match=r"the MCP server '.*' cannot be started"):
        env.reset(seed=0)


@pytest.mark.parametrize("arguments", [{"goal": 3}, {"judge": 5}])
def test_an_argument_of_another_type_is_refused(arguments):
    with pytest.raises(TypeError, match=f"{next(iter(arguments))}="):
        aq_gym.adapt(NOTES, arguments=arguments)
