"""Agents of other frameworks, in their own loops, and a prompt improved by GEPA."""

import importlib
import json
import os
import re

import pytest
from scripted_server import answer

from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.trajectory import iter_trajectories

# The framework, the agent, and how its model acts.
AGENTS = [
    ("langgraph", "frameworks.langgraph_react:ReactAgent", "call"),
    ("agents", "frameworks.openai_agents_sdk:ToolAgent", "call"),
    ("dspy", "frameworks.dspy_agent:Thinker", "fields"),
]
GUESSES = ["1122", "3344", "5566"]


def completion(guess, form):
    """Return an answer that acts, in the form of a framework."""
    if form == "call":
        function = {"name": "act", "arguments": json.dumps({"action": guess})}
        calls = [{"id": f"call_{guess}", "type": "function", "function": function}]
        return answer("", finish_reason="tool_calls", tool_calls=calls)
    if form == "fields":
        parts = {"reasoning": "I try it.", "action": guess, "completed": ""}
        return answer("\n\n".join(f"[[ ## {k} ## ]]\n{v}" for k, v in parts.items()))
    return answer(guess)


@pytest.fixture
def play(tmp_path, serve):
    """Play three steps of an agent against the script, and return what was recorded."""

    def play(module, agent, *script):
        if not os.environ.get("AQ_GYM_TEST_FOREIGN"):
            pytest.skip(f"needs {module}, as in .ci/integrations")
        importlib.import_module(module)
        server = serve(*script)
        model = "openai/m" if module == "dspy" else "m"
        params = {"model": model, "base_url": server.url}
        suite = Suite("own", (Task("aq/Mastermind-v0", 0, {}, 3),))
        run(suite, tmp_path, agent, params)
        (episode,) = load_run(tmp_path).episodes
        assert episode.error == ""
        assert episode.usage["tokens"] == 3 * 107
        (recorded,) = iter_trajectories(tmp_path / "trajectories")
        assert [step["action"] for step in recorded.steps] == GUESSES
        assert len(server.requests) == 3
        # Each request has what the environment answered to the actions before it.
        for number, request in enumerate(server.requests[1:]):
            sent = json.dumps(request, ensure_ascii=False)
            seen = recorded.steps[number]["observation"].strip().splitlines()[0]
            assert json.dumps(seen, ensure_ascii=False)[1:-1] in sent
            assert GUESSES[number] in sent

    return play


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("module", "agent", "form"), AGENTS)
def test_an_agent_plays_an_episode(play, module, agent, form):
    play(module, agent, *(completion(guess, form) for guess in GUESSES))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("module", "agent", "form"), AGENTS)
def test_text_in_place_of_a_call_is_played(play, module, agent, form):
    form = "text" if form == "call" else form
    play(module, agent, *(completion(guess, form) for guess in GUESSES))


def hinted(messages):
    """Guess the letter that the system prompt says, and none without a hint."""
    hints = re.findall(r"hint: (\w+)", messages[0]["content"])
    return hints[-1] if hints else "?"


@pytest.mark.filterwarnings("default")
def test_a_prompt_that_helps_is_kept(capsys):
    if not os.environ.get("AQ_GYM_TEST_FOREIGN"):
        pytest.skip("needs gepa, as in .ci/integrations")
    from frameworks.gepa_prompt import PART, improve

    asked = []

    def reflect(prompt):
        asked.append(prompt)
        return f"```\nPlay well. hint: {'ez'[len(asked) % 2]}\n```"

    best, scores = improve("aq/Hangman-v0", hinted, reflect, 60)
    assert scores[0] == 0.0
    assert max(scores) > 0
    assert best[PART] == "Play well. hint: e"
    assert "of the subgoals" in asked[0]
