"""Requests with more than text: native calls of tools, and pictures."""

import base64
import json

import gymnasium as gym
import pytest
from gymnasium.error import DependencyNotInstalled
from scripted_server import answer

import aq_gym
from aq_gym import Episode, trajectory
from aq_gym.agents import LLMAgent, requests_of
from aq_gym.agents.native_calls import NativeCalls
from aq_gym.core.raster import png_file
from aq_gym.evaluation import Suite, Task, run
from aq_gym.wrappers import TrajectoryLogger

MASTERMIND = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=4)


@pytest.fixture
def shelf():
    gym.register("shelf/Shelf-v0", "shelf_env:ShelfEnv", max_episode_steps=20)
    yield Task("shelf/Shelf-v0", 0, max_steps=4)
    del gym.registry["shelf/Shelf-v0"]


def call(name, arguments, call_id="call_1"):
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": text}
    return {"id": call_id, "type": "function", "function": function}


def calling(*calls, content=None, **fields):
    return answer(content, "tool_calls", tool_calls=list(calls), **fields)


def guess(code, call_id="call_1"):
    return call("act", {"action": f"Guess: {code}"}, call_id)


def play(server, out, task=MASTERMIND, **params):
    params = {"model": "m", "base_url": server.url, "tools": "native", **params}
    (episode,) = run(Suite("one", (task,)), out, "llm", params)
    assert not episode.error
    played = next(trajectory.iter_trajectories(out / "trajectories"))
    rebuilt = [request for step in requests_of(played) for request in step]
    sent = [request["messages"] for request in server.requests]
    assert rebuilt == sent
    return episode, played.steps, sent


def actions(steps):
    return [step["action"] for step in steps]


def test_a_call_is_the_action_and_its_result_the_observation(serve, tmp_path):
    server = serve(calling(guess("1234", "a")), calling(guess("5618", "b")))
    episode, steps, sent = play(server, tmp_path, example=False)
    assert episode.success
    assert actions(steps) == ["Guess: 1234", "Guess: 5618"]
    assert sent[1][2:] == [
        {"role": "assistant", "content": "", "tool_calls": [guess("1234", "a")]},
        {"role": "tool", "content": steps[0]["observation"], "tool_call_id": "a"},
    ]
    act, check = server.requests[0]["tools"]
    assert act["function"]["name"] == "act"
    assert act["function"]["parameters"]["required"] == ["action"]
    assert check["function"]["name"] == "check_valid_actions"
    assert steps[0]["notes"]["tools"] == [act, check]
    assert "tools" not in steps[1]["notes"]
    assert sent[0][0]["content"].endswith("Act by calling one of the tools.")


def test_the_example_is_made_of_calls(serve, tmp_path):
    server = serve(calling(guess("5618")))
    _, _, (sent,) = play(server, tmp_path, prompting="react")
    shown, last = sent[2:-1], sent[-1]
    assert [one["role"] for one in shown] == ["assistant", "tool"] * (len(shown) // 2)
    for said, seen in zip(shown[::2], shown[1::2], strict=True):
        (made,) = said["tool_calls"]
        assert said["content"]
        assert made["id"] == seen["tool_call_id"]
        assert "Guess:" in json.loads(made["function"]["arguments"])["action"]
    assert last["role"] == "user"
    assert last["content"].startswith("The example ends here.")


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (answer("Guess: 0123"), "Guess: 0123"),
        (calling(guess("0123"), content="I try."), "Guess: 0123"),
        (calling(call("check_valid_actions", "")), "check valid actions"),
        (calling(call("act", '{"action": "Guess')), '{"name": "act", "arguments": '),
        (
            calling(call("act", {"text": 5})),
            '{"name": "act", "arguments": {"text": 5}}',
        ),
        (calling(call("act", "[" * 9_999)), '{"name": "act", "arguments": "[[['),
        (calling(call("act", '{"action": NaN}')), '{"name": "act", "arguments": "{'),
        (calling(call("gü ess!", {"code": 1})), '{"name": "gü ess!", "arguments": {'),
        (calling({}), '{"name": "", "arguments": {}}'),
        (answer("", "stop", refusal="No."), "[the model refused: No.]"),
        (calling(call("act", {"action": "\ud83d"})), "\ud83d"),
    ],
)
def test_whatever_is_answered_is_played_and_can_be_sent_back(
    serve, tmp_path, reply, action
):
    server = serve(reply)
    episode, steps, sent = play(server, tmp_path, example=False)
    assert episode.steps == 4
    assert steps[0]["action"].startswith(action.replace("\ud83d", ""))
    for request in sent[1:]:
        assert_whole(request)


def assert_whole(messages):
    """Every call can be read, and is followed by its result."""
    waiting = []
    for one in messages:
        if one["role"] == "tool":
            assert one["tool_call_id"] == waiting.pop(0)
            continue
        assert not waiting
        for made in one.get("tool_calls", ()):
            assert isinstance(json.loads(made["function"]["arguments"]), dict)
            assert made["function"]["name"].replace("-", "_").isidentifier()
            assert made["function"]["name"].isascii()
            waiting.append(made["id"])
    assert not waiting
    ids = [made["id"] for one in messages for made in one.get("tool_calls", ())]
    assert "" not in ids
    assert len(set(ids)) == len(ids)


def test_of_several_calls_each_has_a_result(serve, tmp_path):
    pair = calling(guess("1234", "same"), guess("4321", "same"))
    _, steps, sent = play(serve(pair), tmp_path, example=False)
    assert actions(steps) == ["Guess: 1234"] * 4
    first, second = sent[1][-2:]
    assert first["content"] == steps[0]["observation"]
    assert second["content"] == "The result of the first call says what was done."
    assert first["tool_call_id"] != second["tool_call_id"]
    assert_whole(sent[-1])


def test_the_window_never_separates_a_call_from_its_result(serve, tmp_path):
    long = calling(guess("1234"), content="y" * 400)
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=9)
    server = serve(long)
    _, _, sent = play(
        server, tmp_path, task, example=False, context=1_000, max_tokens=99
    )
    lengths = [len(request) for request in sent]
    assert max(lengths) < 2 + 2 * 8
    for request in sent:
        assert_whole(request)


def test_a_call_that_is_too_long_is_shown_as_text(serve, tmp_path):
    server = serve(calling(call("act", {"action": "x" * 9_000})))
    _, _, sent = play(server, tmp_path, example=False, context=1_500, max_tokens=99)
    said, seen = sent[1][-2:]
    assert (said["role"], seen["role"]) == ("assistant", "user")
    assert len(said["content"]) < 4_000
    assert "tool_calls" not in said


def test_memory_sends_a_tried_call_back(serve, tmp_path):
    server = serve(*[calling(guess("1234", "a"))] * 2, calling(guess("4321", "b")))
    _, steps, sent = play(server, tmp_path, prompting="memory", example=False)
    assert actions(steps)[:2] == ["Guess: 1234", "Guess: 4321"]
    back = sent[2][-1]
    assert back["role"] == "tool"
    assert back["content"].startswith("You have tried 'Guess: 1234' before")


def test_reasoning_is_sent_back_with_the_call(serve, tmp_path):
    server = serve(calling(guess("1234"), reasoning_content="Hm."))
    _, _, sent = play(server, tmp_path, keep_reasoning=True, example=False)
    assert sent[1][2]["reasoning_content"] == "Hm."


def test_an_environments_own_tools_are_called(serve, tmp_path, shelf):
    find = call("find_book", {"title": "a", "limit": 2}, "a")
    place = call("place_book", {"title": "Delta"}, "b")
    server = serve(calling(find), calling(place), calling(call("unknown", "{", "c")))
    _, steps, sent = play(server, tmp_path, shelf)
    offered = [one["function"]["name"] for one in server.requests[0]["tools"]]
    assert offered == ["find_book", "place_book", "finish"]
    valid = [step["info"]["action_valid"] for step in steps]
    assert valid == [True, True, False, False]
    assert json.loads(steps[0]["action"])["name"] == "find_book"
    assert "Alpha" in sent[1][-1]["content"]
    assert_whole(sent[-1])


@pytest.mark.parametrize("parallel", [False, True])
def test_several_calls_of_an_environments_own_tools(serve, tmp_path, shelf, parallel):
    task = Task(shelf.id, 0, {"parallel_calls": parallel}, max_steps=1)
    calls = [call("place_book", {"title": one}, one) for one in ("Alpha", "Beta")]
    _, steps, _ = play(serve(calling(*calls)), tmp_path, task)
    assert steps[0]["info"]["valid_calls"] == 1 + parallel


@pytest.mark.parametrize("name", ["Hangman", "PDDL", "ToolQuery", "ToolOperation"])
def test_a_benchmark_can_be_played_by_calls_alone(serve, tmp_path, name):
    """The expert's actions, given as calls, are carried out as they are."""
    env = gym.make(f"aq/{name}-v0")
    env.reset(seed=0)
    said = []
    for _ in range(3):
        said.append(env.get_wrapper_attr("expert_action")())
        if any(env.step(said[-1])[2:4]):
            break
    native = NativeCalls(env)
    server = serve(*[calling(native.call(one, "x")) for one in said])
    task = Task(f"aq/{name}-v0", 0, max_steps=len(said))
    _, steps, _ = play(server, tmp_path, task)
    if native.schemas[0]["function"]["name"] == "act":
        assert actions(steps) == said
    assert all(step["info"]["action_valid"] for step in steps)


REPLIES = [
    {"content": "", "tool_calls": [guess("1234", "a")]},
    {"content": "I think.", "tool_calls": [guess("0000", "a"), guess("1111", "b")]},
    {"content": "Guess: 4321", "tool_calls": []},
    {"content": "", "tool_calls": [guess("5618", "")]},
]


@pytest.mark.parametrize("prompting", ["act", "react", "memory", "chat"])
def test_an_episode_is_played_by_calls_as_in_an_evaluation(serve, tmp_path, prompting):
    replies = [calling(*one["tool_calls"], content=one["content"]) for one in REPLIES]
    server = serve(*replies)
    _, steps, sent = play(server, tmp_path, prompting=prompting)
    shown = []
    with Episode(
        MASTERMIND.id, MASTERMIND.kwargs, prompting=prompting, tools="native"
    ) as episode:
        assert list(episode.tools) == server.requests[0]["tools"]
        for one in REPLIES:
            shown.append(json.loads(json.dumps(episode.messages)))
            reply, _, _ = episode.step(one["content"], tool_calls=one["tool_calls"])
            assert reply["role"] == ("tool" if one["tool_calls"] else "user")
            assert reply in episode.messages
        assert episode.done
        assert actions(episode.trajectory.steps) == actions(steps)
    assert shown == sent


def test_an_episode_in_text_offers_no_tools():
    with Episode(MASTERMIND.id, MASTERMIND.kwargs) as episode:
        assert list(episode.tools) == []
        episode.step("Guess: 5618", tool_calls=[guess("0000")])
        assert episode.metrics["success"]


@pytest.mark.needs("module:resvg_py")
def test_a_model_sees_the_present_picture(serve, tmp_path):
    server = serve(answer("1234"), answer("9876"))
    env = TrajectoryLogger(gym.make("aq/Mastermind-v0", code="9876"), tmp_path)
    agent = LLMAgent(env, "m", server.url, observe="image", context=20_000)
    observation, info = env.reset(seed=0)
    agent.reset(observation, info)
    observation, *_ = env.step(agent.act(observation, {}))
    drawn = png_file(env.get_wrapper_attr("image")())
    env.step(agent.act(observation, {}))
    env.close()
    *texts, last = server.requests[1]["messages"]
    assert all(isinstance(one["content"], str) for one in texts)
    assert last["content"][1]["image_url"]["url"] == (
        f"data:image/png;base64,{base64.b64encode(drawn).decode()}"
    )
    (path,) = tmp_path.glob("*.jsonl")
    # The pictures are not in the trajectory, and the texts are.
    assert "base64" not in path.read_text()
    sent = [request for (request,) in requests_of(trajectory.read(path))]
    assert list(map(len, sent)) == [len(one["messages"]) for one in server.requests]


@pytest.mark.needs("module:resvg_py")
@pytest.mark.parametrize(
    ("env_id", "more", "why"),
    [
        ("FrozenLake-v1", {}, "has no pictures"),
        ("aq/Mastermind-v0", {"context": 2_000}, "must be more than"),
        ("aq/Mastermind-v0", {"observe": "sound"}, "observe='sound'"),
    ],
)
def test_where_a_model_cannot_see_is_said_at_once(env_id, more, why):
    with pytest.raises(ValueError, match=why):
        LLMAgent(
            aq_gym.adapt(env_id),
            "m",
            "http://127.0.0.1:9",
            **{"observe": "image", **more},
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
