"""AgentBoard's prompts, from made-up files of its form."""

import json
from dataclasses import replace

import gymnasium as gym
import pytest
from scripted_server import answer

from aq_gym import trajectory
from aq_gym.agents import requests_of
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.models.conversation import Transcript
from aq_gym.models.messages import exchange, message
from aq_gym.papers import agentboard
from aq_gym.support.user_files import UserFileError

AGENT = """
class Agent:
    def make_prompt(self, check="a default text of any length"):
        query = self.rules
        query += "\\nExamples of other games:\\n" + "".join(self.examples) + "\\n"
        query += "Your aim in this game is: " + self.goal + "\\n"
        query += "Whoever is lost should ask for help: " + check + "\\n"
        query += "Whoever is lost should ask for help: inventory\\n"
        return query
"""
TOOLS = """
def play(tool):
    if tool == "weather":
        init_obs = "Ask for the place before the weather."
    else:
        init_obs = "Say that you have finished at the end."
"""
PROMPTS = {
    "babyai_vanilla_prompt": {
        "instruction": "Walk.", "examples": ["One."], "system_msg": "You walk.",
    },
    "alfworld_base": {
        "instruction": "Tidy up.",
        "examples": {"put": ["Obs.\n", "Act.\n"], "examine": ["Look.\n"]},
        "system_msg": "You tidy up.",
    },
    "pddl_vanilla_prompt": {
        "gripper": {"instruction": "Grip.", "examples": [], "system_msg": "You grip."},
        "blockworld": {"instruction": "A.", "examples": [], "system_msg": "B."},
    },
    "todo_prompt": {"instruction": "Do.", "examples": "T.", "system_msg": "You do."},
}  # fmt: skip
TASK = Task(
    "aq/BabyAI-text-v0",
    1234,
    {"level": "GoToRedBallGrey-v0", "protocol": "agentboard"},
    max_steps=3,
)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of AgentBoard's form, which ``AGENTBOARD_DATA`` names."""
    root = tmp_path / "AgentBoard"
    prompts = root / "agentboard" / "prompts" / "VanillaAgent"
    prompts.mkdir(parents=True)
    for name, record in PROMPTS.items():
        (prompts / f"{name}.json").write_text(json.dumps(record))
    for name, code in (("agents/vanilla_agent.py", AGENT), ("tasks/tool.py", TOOLS)):
        file = root / "agentboard" / name
        file.parent.mkdir()
        file.write_text(code)
    monkeypatch.setenv("AGENTBOARD_DATA", str(root))
    return root


def play(serve, out, said="turn left", **params):
    server = serve(answer(said))
    params = {"model": "m", "base_url": server.url, "timeout": 3, **params}
    episodes = run(Suite("one", (TASK,)), out, "llm", params)
    return server.requests, episodes


def test_a_request_is_one_message_in_the_papers_words(serve, tmp_path, checkout):
    requests, _ = play(serve, tmp_path / "run")
    first, second, _ = requests
    system, user = first["messages"]
    assert system == {"role": "system", "content": "You walk."}
    query = (
        "Walk.\nExamples of other games:\nOne.\nYour aim in this game is: go to the "
        "red ball\nWhoever is lost should ask for help: check valid actions\n"
        "Whoever is lost should ask for help: inventory\nObservation: In front of you"
    )
    assert user["content"].startswith(query)
    assert user["content"].endswith(" You are not carrying anything.\nAction: ")
    assert second["messages"][0] == system
    more = second["messages"][1]["content"]
    assert more.startswith(f"{user['content']}turn left\nObservation: In front of you")
    assert first["temperature"] == 0 and first["stop"] == "\n"


def test_only_the_first_line_of_an_answer_is_remembered(serve, tmp_path, checkout):
    said = "<think>so</think>turn left\nObservation: a dragon"
    requests, _ = play(serve, tmp_path / "run", said)
    assert "dragon" not in json.dumps(requests)
    assert "\nAction: turn left\nObservation: " in requests[1]["messages"][1]["content"]


def test_the_requests_are_rebuilt_from_the_trajectory(serve, tmp_path, checkout):
    params = {"temperature": 0.5, "request": {"stop": ["x"]}}
    requests, _ = play(serve, tmp_path / "run", context=1110, **params)
    # The user's settings count before the paper's.
    assert requests[0]["temperature"] == 0.5 and requests[0]["stop"] == ["x"]
    (played,) = trajectory.iter_trajectories(tmp_path / "run" / "trajectories")
    assert [one for (one,) in requests_of(played)] == [r["messages"] for r in requests]
    assert played.steps[0]["notes"]["source"] == "AgentBoard"
    assert played.steps[-1]["notes"]["requests"][0]["lines"] < 5


@pytest.mark.parametrize(
    "params", [{"prompts": "ours"}, {"prompting": "react"}, {"tools": "native"}]
)
def test_ours_are_sent_where_the_papers_do_not_fit(serve, tmp_path, checkout, params):
    requests, _ = play(serve, tmp_path / "run", **params)
    assert "stop" not in requests[0] and "temperature" not in requests[0]
    assert "Your aim" not in json.dumps(requests)
    notes = load_run(tmp_path / "run").manifest["notes"]
    assert notes["prompts"] == {TASK.id: "ours"}


def test_a_run_notes_whose_prompts_it_sends(serve, tmp_path, checkout, monkeypatch):
    play(serve, tmp_path / "theirs")
    notes = load_run(tmp_path / "theirs").manifest["notes"]
    assert notes["prompts"] == {TASK.id: "AgentBoard"}
    monkeypatch.delenv("AGENTBOARD_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    play(serve, tmp_path / "ours")
    assert load_run(tmp_path / "ours").manifest["notes"]["prompts"] == {TASK.id: "ours"}


def test_a_run_continues_where_the_papers_prompt_was_sent(serve, tmp_path, checkout):
    requests, _ = play(serve, tmp_path / "short")
    server = serve(answer("turn right"))
    longer = Suite("one", (replace(TASK, max_steps=5),))
    params = {"model": "m", "base_url": server.url, "timeout": 3}
    (episode,) = run(
        longer, tmp_path / "long", "llm", params, parent=tmp_path / "short"
    )
    assert not episode.error and episode.steps == 5 and len(server.requests) == 2
    before, now = requests[-1]["messages"][1], server.requests[0]["messages"][1]
    assert now["content"].startswith(f"{before['content']}turn left\nObservation: ")


def tokens(messages):
    """Count ten tokens for each line."""
    return sum(10 * one["content"].count("\n") for one in messages)


def test_the_users_count_decides_which_lines_are_left_out(serve, tmp_path, checkout):
    name = f"{__name__}:tokens"
    requests, _ = play(
        serve, tmp_path / "run", context=180, max_tokens=100, count_tokens=name
    )
    counts = [tokens(one["messages"]) for one in requests]
    assert max(counts) <= 80 and counts[-1] > 60
    with pytest.raises(ValueError, match="count_tokens"):
        play(serve, tmp_path / "other", count_tokens="no.such:thing")


def test_kinds_of_tasks_have_their_own_parts(checkout):
    env = gym.make("aq/ALFWorld-v0", task_type="pick_and_place_simple",
                   protocol="agentboard")  # fmt: skip
    observation, _ = env.reset(seed=0)
    prompt = env.get_wrapper_attr("published_prompt")()
    assert isinstance(prompt, PublishedPrompt)
    assert "\nObs.\nAct.\n\nYour aim in this game is: put " in prompt.messages[1][1]
    assert prompt.history[0][1].startswith("You are in the middle of a room.")
    assert prompt.history[0][1] in observation and "\n" not in prompt.history[0][1]
    assert prompt.history_text("put mug 1 on desk 1.") == "put mug 1 in/on desk 1"


def test_planning_has_a_prompt_for_each_domain(checkout):
    prompt = agentboard.prompt("pddl_vanilla_prompt", "g", (), part="gripper")
    query = ("user", "Grip.Your aim in this game is: g\n")
    assert prompt.messages == (("system", "You grip."), query)
    with pytest.raises(UserFileError, match="not AgentBoard's: KeyError"):
        agentboard.prompt("pddl_vanilla_prompt", "g", (), part="moon")
    for domain, prompted in {"blocksworld": True, "hanoi": False}.items():
        env = gym.make("aq/PDDL-v0", protocol="agentboard", domain=domain)
        env.reset(seed=0)
        assert bool(env.get_wrapper_attr("published_prompt")()) is prompted


def test_tools_remember_calls_alone(checkout):
    prompt = agentboard.tools_prompt("todo", "g")
    opening = "Say that you have finished at the end."
    assert prompt.history == (("Observation", opening),)
    assert prompt.messages[1][1].endswith("ask for help: check_valid_actions\n")
    call = "get_projects with Action Input: {}"
    assert (
        prompt.history_text(f" {call} ") == call and prompt.history_text("hello") == ""
    )


SHEETS = """
class Sheets:
    def reset_question_env(self, question, name):
        self.step(f"Action: open_it with {{'name': '{name}'}}")
        self.states.append(f"This is open now: {name}")
        action = f"open_it with {{'name': '{name}'}}"
        observation = f"You look at {name}\\n" + str(self.observation_space)
        return action, observation
"""


def test_a_sheet_is_opened_first(checkout):
    assert agentboard.opened_sheet("Sheet3", [["a"]]) == []
    file = checkout / "agentboard" / "environment" / "sheet_env.py"
    file.parent.mkdir()
    file.write_text(SHEETS)
    opened = agentboard.opened_sheet("Sheet3", (("a", "1"), ("b", "2")))
    assert opened == [
        ("Action", "open_it with {'name': 'Sheet3'}"),
        ("Observation", "You look at Sheet3\n[['a', '1'], ['b', '2']]"),
    ]
    prompt = agentboard.tools_prompt("todo", "g", opened=opened)
    assert prompt.history[1:] == tuple(opened)
    file.write_text("def reset_question_env():\n    return 'nothing is opened'\n")
    with pytest.raises(UserFileError, match="opens no sheet"):
        agentboard.opened_sheet("Sheet3", [["a"]])


def test_other_protocols_and_missing_files_have_no_prompt(checkout, monkeypatch):
    env = gym.make("aq/BabyAI-text-v0")
    env.reset(seed=0)
    assert env.get_wrapper_attr("published_prompt")() is None
    assert agentboard.prompt("jericho_vanilla_prompt", "g", ()) is None
    monkeypatch.delenv("AGENTBOARD_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(checkout / "none"))
    assert agentboard.tools_prompt("todo", "g") is None


def test_code_of_another_form_is_refused(checkout):
    file = checkout / "agentboard" / "agents" / "vanilla_agent.py"
    file.write_text("def make_prompt():\n    return 'a sentence of twenty letters'\n")
    with pytest.raises(UserFileError, match="1 sentences, not 4"):
        agentboard.prompt("todo_prompt", "g", ())
    file.write_text("def (")
    with pytest.raises(UserFileError, match="is not Python"):
        agentboard.prompt("todo_prompt", "g", ())


def test_a_transcript_remembers_a_hundred_lines():
    begin = [message("system", "s"), message("user", "q")]
    lines = Transcript(begin, 10**6, first=["Observation: o"])
    for number in range(60):
        lines.add(*exchange(f"a{number}", f"o{number}"))
    assert lines.shown() == {"lines": 100}
    text = lines.messages()[1]["content"]
    assert text.startswith("qAction: a10\n") and text.endswith("o59\nAction: ")
    assert lines.shrink() and lines.shown() == {"lines": 75}
