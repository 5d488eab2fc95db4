"""Models that see: the picture of the state in each request."""

import base64
import json

import gymnasium as gym
import pytest
from gymnasium.error import DependencyNotInstalled
from scripted_server import answer

import aq_gym
from aq_gym import trajectory
from aq_gym.agents import LLMAgent, requests_of
from aq_gym.core.raster import png_file
from aq_gym.evaluation import Suite, Task, run
from aq_gym.wrappers import TrajectoryLogger


@pytest.mark.needs("module:resvg_py")
def test_a_model_sees_the_present_picture(serve, tmp_path):
    server = serve(answer("1234"), answer("nonsense"), answer("9876"))
    inner = gym.make("aq/Mastermind-v0", code="9876")
    env = TrajectoryLogger(inner, tmp_path)
    agent = LLMAgent(env, "m", server.url, observe="image", context=20_000)
    drawn = []
    observation, info = env.reset(seed=0)
    agent.reset(observation, info)
    over = False
    while not over:
        drawn.append(png_file(env.get_wrapper_attr("image")()))
        observation, _, over, *_ = env.step(agent.act(observation, {}))
    env.close()
    for request, file in zip(server.requests, drawn, strict=True):
        texts, last = request["messages"][:-1], request["messages"][-1]
        assert all(isinstance(one["content"], str) for one in texts)
        text, image = last["content"]
        assert text["type"] == "text"
        url = image["image_url"]["url"]
        assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == file
    assert drawn[0] != drawn[1] == drawn[2]
    (path,) = tmp_path.glob("*.jsonl")
    # The pictures are not in the trajectory, and the texts are.
    assert "base64" not in path.read_text()
    sent = [request for (request,) in requests_of(trajectory.read(path))]
    assert list(map(len, sent)) == [len(one["messages"]) for one in server.requests]


@pytest.mark.needs("module:resvg_py")
@pytest.mark.parametrize(
    ("env_id", "more", "why"),
    [
        ("aq/MMLU-v0", {}, "has no pictures"),
        ("aq/Mastermind-v0", {"context": 2_000}, "must be more than"),
        ("aq/Mastermind-v0", {"observe": "sound"}, "observe='sound'"),
    ],
)
def test_where_a_model_cannot_see_is_said_at_once(env_id, more, why):
    with pytest.raises(ValueError, match=why):
        LLMAgent(
            gym.make(env_id), "m", "http://127.0.0.1:9", **{"observe": "image", **more}
        )


def test_a_missing_rasteriser_is_noticed_before_the_first_request(monkeypatch):
    monkeypatch.setattr("aq_gym.core.raster.find_spec", lambda name: None)
    env = gym.make("aq/Mastermind-v0")
    with pytest.raises(DependencyNotInstalled, match="pictures"):
        LLMAgent(env, "m", "http://127.0.0.1:9", observe="image")


@pytest.mark.needs("module:resvg_py")
@pytest.mark.parametrize("tools", ["text", "native"])
def test_an_episode_sees_what_the_agent_sees(serve, tmp_path, tools):
    function = {"name": "act", "arguments": '{"action": "1234"}'}
    calls = [{"id": f"c{n}", "type": "function", "function": function} for n in (1, 2)]
    native = tools == "native"
    said = {"content": "" if native else "1234"}
    given = [said | ({"tool_calls": [call]} if native else {}) for call in calls]
    server = serve(*(answer(one["content"], **one) for one in given))
    task = Task("aq/Mastermind-v0", 0, max_steps=2)
    params = {"tools": tools, "observe": "image"}
    sent = {"model": "m", "base_url": server.url, **params}
    run(Suite("one", (task,)), tmp_path, "llm", sent, executor="threads", workers=1)
    roles = []
    with aq_gym.Episode(task.id, seed=0, max_steps=2, **params) as episode:
        for request, one in zip(server.requests, given, strict=True):
            messages = episode.messages
            assert json.loads(json.dumps(messages)) == request["messages"]
            assert [p["type"] for p in messages[-1]["content"]] == ["text", "image_url"]
            roles.append([message["role"] for message in messages[-2:]])
            episode.step(one["content"], tool_calls=one.get("tool_calls", ()))
        # The result of a call has no image: a message of the user follows it.
        assert roles[1] == ["tool" if native else "assistant", "user"]
        assert episode.done
        assert isinstance(episode.messages[-1]["content"], str)
