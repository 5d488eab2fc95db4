"""The agent that asks a model, against a server that does what a test says."""

import json
import re
import socket
import threading

import gymnasium as gym
import pytest
from scripted_server import answer, drop, hang, raw

from aq_gym import trajectory
from aq_gym.agents import LLMAgent
from aq_gym.cli import main
from aq_gym.core import Prompt
from aq_gym.evaluation import (
    LimitReachedError,
    RunStoppedError,
    Suite,
    Task,
    load_run,
    run,
)

LOCAL = {"base_url": "http://localhost/v1"}
TASK = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=4)
SUITE = Suite("one", (TASK,))


def play(server, out, suite=SUITE, **params):
    """Run the suite and return its episodes and the first one's steps."""
    # Only a server that hangs is waited for so long.
    params = {"model": "m", "base_url": server.url, "timeout": 3, **params}
    episodes = run(suite, out, "llm", params, executor="threads", workers=1)
    file = next(trajectory.iter_trajectories(out / "trajectories"))
    return episodes, file.steps


def roles(messages):
    return [message["role"] for message in messages]


def test_it_sees_observations_and_nothing_else(serve, tmp_path):
    server = serve(answer("Guess: 1234"))
    play(server, tmp_path)
    sent = json.dumps(server.requests)
    for secret in ("5618", "position 1", "task_id", "reward", "best_progress"):
        assert secret not in sent
    first, *_, last = [request["messages"] for request in server.requests]
    assert roles(first) == ["system", "user", *["assistant", "user"] * 4]
    assert "Let us play Mastermind." in first[-1]["content"]
    assert last[: len(first)] == first
    assert roles(last[len(first) :]) == ["assistant", "user"] * 3
    assert not {"temperature", "seed"} & set(server.requests[0])
    assert server.requests[0]["max_tokens"] == 1024


def test_usage_is_noted_in_each_step(serve, tmp_path):
    server = serve(answer("Guess: 1234", "length"))
    (episode,), steps = play(server, tmp_path, price=(10.0, 30.0))
    for step in steps:
        notes = step["notes"]
        assert (notes["prompt_tokens"], notes["completion_tokens"]) == (100, 7)
        assert notes["cost"] == pytest.approx((100 * 10 + 7 * 30) / 1e6)
        assert notes["finish_reason"] == "length"
        assert notes["latency"] > 0
    assert episode.usage["tokens"] == 4 * 107
    assert "finish_reason" not in episode.usage


def test_react_thinks_before_it_acts(serve, tmp_path):
    server = serve(answer("Thought: why not?\nAction: Guess: 5618"))
    (episode,), steps = play(server, tmp_path, prompting="react")
    assert "Thought:" in server.requests[0]["messages"][0]["content"]
    assert steps[0]["info"]["extracted_action"] == "Guess: 5618"
    assert episode.success


def test_memory_sends_a_tried_action_back_once(serve, tmp_path):
    server = serve(
        answer("Guess: 1234"), answer("guess: 1234."), answer("Guess: 4321"),
        answer("Guess: 1234"),
    )  # fmt: skip
    (episode,), steps = play(server, tmp_path, prompting="memory")
    assert [step["action"] for step in steps[:2]] == ["Guess: 1234", "Guess: 4321"]
    assert "You have tried" in server.requests[2]["messages"][-1]["content"]
    assert [step["notes"]["calls"] for step in steps] == [1, 2, 2, 2]
    assert episode.repetitions == 2


@pytest.mark.parametrize(
    "failure",
    [
        raw(429, "{}", Retry_After="0"), raw(500, "{}"), raw(503, "oh"), hang, drop,
    ],
    ids=["429", "500", "503", "hang", "drop"],
)  # fmt: skip
def test_a_passing_failure_is_tried_again(serve, tmp_path, failure):
    server = serve(failure, answer("Guess: 5618"))
    (episode,), (step,) = play(server, tmp_path)
    assert episode.success
    assert len(server.requests) == 2
    assert step["notes"]["retries"] == episode.usage["retries"] == 1


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (raw(418, "{}"), "EndpointStatusError: status 418"),
        (raw(200, '{"choices": ['), "MalformedAnswerError: the answer is not JSON"),
        (hang, "EndpointTimeoutError"),
        (drop, "EndpointConnectionError"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_lasting_failure_is_an_error_and_no_score(serve, tmp_path, failure, error):
    server = serve(failure)
    (episode,), _ = play(server, tmp_path, max_retries=0)
    assert episode.error.startswith(error)
    assert episode.ended == "error"


def test_a_failed_call_says_where_and_why(serve, tmp_path, monkeypatch):
    server = serve(raw(418, "{}"))
    address = server.url.replace("://", "://me:pa55word@")
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    (episode,), _ = play(server, tmp_path / "a", base_url=None)
    assert episode.error.endswith(f"[{server.url}]")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}/v1"
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:pa55word@{address}")
        with pytest.raises(RunStoppedError) as stopped:
            play(server, tmp_path / "b", base_url=None, max_retries=0)
    assert re.fullmatch(
        rf"EndpointConnectionError: no connection: \w+: .+ \[http://{address}\]",
        str(stopped.value),
    )
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"pa55word" not in file.read_bytes()


@pytest.mark.parametrize(
    "url",
    ["localhost:8000/v1", "u:pa55word@host/v1", "http://", "http://h:x", "ftp://h"],
)
def test_what_is_no_endpoint_is_refused(monkeypatch, url):
    env = gym.make("aq/Mastermind-v0")
    with pytest.raises(ValueError, match=r"base_url=.* must be the address") as refused:
        LLMAgent(env, "m", url)
    assert "pa55word" not in str(refused.value)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(ValueError, match=r"base_url=.* must be the address"):
        LLMAgent(env, "m")


@pytest.mark.parametrize("text", ["", "x" * 20_000, "\ud83d", "Action:"])
def test_any_answer_is_played(serve, tmp_path, text):
    server = serve(answer(text))
    (episode,), _ = play(server, tmp_path)
    assert (episode.steps, episode.grounding, episode.error) == (4, 0.0, "")


def test_the_window_slides_and_the_beginning_stays(serve, tmp_path):
    server = serve(answer("y" * 300))
    play(server, tmp_path, context=800, max_tokens=100)
    lengths = [len(request["messages"]) for request in server.requests]
    assert lengths == [2, 4, 6, 4]
    beginnings = {json.dumps(r["messages"][:2]) for r in server.requests}
    assert len(beginnings) == 1


# The prompts are what the library says them to be; see test_prompts.py.
PROMPT = gym.make("aq/Mastermind-v0").unwrapped.task_prompt()


@pytest.mark.parametrize(
    ("prompting", "form", "said"),
    [
        ("act", "alone, on one line", "Guess: 0123"),
        ("memory", "alone, on one line", "Guess: 0123"),
        ("react", "Thought:", f"Thought: {PROMPT.example.turns[0].thought}\nAction: "),
    ],
)
def test_it_is_told_of_the_task_and_shown_an_example(
    serve, tmp_path, prompting, form, said
):
    server = serve(answer("Guess: 5618"))
    play(server, tmp_path, prompting=prompting)
    system, user, assistant, *_, last = server.requests[0]["messages"]
    assert system["content"].startswith(PROMPT.system)
    assert form in system["content"]
    assert user["content"].startswith("First an example")
    assert user["content"].endswith(PROMPT.example.observation)
    assert PROMPT.example.goal in user["content"]
    assert assistant["content"].startswith(said)
    assert last["content"].startswith(PROMPT.example.turns[-1].observation)
    assert "The example ends here." in last["content"]
    assert ("Thought" in json.dumps(server.requests)) == (prompting == "react")


@pytest.mark.parametrize("context", [300, 800, 1_000, 1_500])
def test_the_example_is_shown_whole_or_not_at_all(serve, tmp_path, context):
    server = serve(answer("Guess: 1234"))
    play(server, tmp_path, context=context, max_tokens=100)
    beginnings = {len(request["messages"]) for request in server.requests[:1]}
    assert beginnings == {10 if context == 1_500 else 2}
    for request in server.requests:
        shown = sum(len(m["content"]) for m in request["messages"])
        # The beginning and the latest turn are there in any case.
        assert shown / 3 < context or len(request["messages"]) <= 4


TOO_LONG = raw(400, '{"error": {"message": "maximum context length is 9"}}')


def test_an_example_that_proves_too_long_is_dropped_first(serve, tmp_path):
    server = serve(answer("Guess: 1234"), TOO_LONG, answer("Guess: 4321"))
    _, steps = play(server, tmp_path)
    with_it, refused, without, later = (r["messages"] for r in server.requests[:4])
    assert roles(refused) == [*roles(with_it), "assistant", "user"]
    assert roles(without) == ["system", "user", "assistant", "user"]
    assert without[2:] == refused[-2:]
    assert later[:4] == without
    assert [step["notes"].get("prompt") for step in steps] == [
        with_it, without[:2], None, None,
    ]  # fmt: skip


class Stranger(gym.Env):
    """An environment that never heard of us, with a name that we use."""

    action_space = observation_space = gym.spaces.Text(100)

    def __init__(self, prompt):
        self.task_prompt = prompt

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return "Say please.", {}


def test_a_system_prompt_from_a_file(serve, tmp_path, capsys):
    server = serve(answer("Guess: 1234"))
    (tmp_path / "prompt.txt").write_text("Be brief.\nSee http://a.b/c for more?")
    command = [
        "run", "--env", "aq/Mastermind-v0", "--episodes", "1", "--max-steps", "1",
        "--agent", "llm", "--model", "m", "--base-url", server.url, "--quiet",
        "--system-prompt", str(tmp_path / "prompt.txt"), "--out", str(tmp_path / "r"),
    ]  # fmt: skip
    assert main(command) == 0
    assert "\nm solved 0 of 1 " in capsys.readouterr().out
    first = server.requests[0]["messages"][0]
    text = (tmp_path / "prompt.txt").read_text()
    assert first == {"role": "system", "content": text}
    assert load_run(tmp_path / "r").manifest["agent_params"]["system"] == text
    (tmp_path / "prompt.txt").write_text(" \n")
    assert main(command) == 1


@pytest.mark.parametrize("prompt", ["Try hard.", lambda: "Try hard.", Prompt])
def test_any_other_environment_gets_a_general_prompt(serve, prompt):
    server = serve(answer("please"))
    env = Stranger(prompt)
    agent = LLMAgent(env, "m", server.url)
    agent.reset(*env.reset())
    assert agent.act("Say please.", {}) == "please"
    system, user = server.requests[0]["messages"]
    assert system["content"].startswith("You act in an environment")
    assert user["content"] == "Say please."


@pytest.mark.parametrize(
    ("status", "words", "shrinks"),
    [
        (400, "This model's maximum context length is 8192 tokens.", True),
        (400, "prompt is too long: 200 tokens > 100 maximum", True),
        (400, "Input length 9000 exceeds maximum allowed 8192 tokens", True),
        (413, "Payload", True),
        (400, "invalid request in this context: unknown parameter", False),
        (429, "Request exceeds your tokens a minute", False),
    ],
)
def test_a_context_that_is_too_long_is_told_from_other_mistakes(
    serve, tmp_path, status, words, shrinks
):
    failure = raw(status, json.dumps({"error": {"message": words}}))
    server = serve(failure, answer("Guess: 5618"))
    (episode,), _ = play(server, tmp_path, max_retries=0)
    assert episode.success is shrinks
    assert bool(episode.error) is not shrinks


@pytest.mark.parametrize("completion", ["y" * 20_000, "Guess: 1234"])
def test_the_latest_answer_is_always_shown(serve, tmp_path, completion):
    server = serve(answer(completion))
    _, steps = play(server, tmp_path, context=1_800, max_tokens=600)
    for request, step in zip(server.requests[1:], steps[:-1], strict=True):
        said, seen = request["messages"][-2:]
        assert said["content"].startswith(completion[:11])
        assert len(said["content"]) < 3_000
        assert seen["content"] == step["observation"]


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"total_tokens": 5}, 0),
        ({"prompt_tokens": "12", "completion_tokens": None}, 0),
        ({"prompt_tokens": -5, "completion_tokens": 7}, 7),
        (None, 0),
    ],
)
def test_what_an_endpoint_does_not_count_is_nothing(serve, tmp_path, usage, tokens):
    choice = {"index": 0, "message": {"role": "assistant", "content": "Guess: 5618"}}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
    server = serve(raw(200, json.dumps({**body, "choices": [choice], "usage": usage})))
    (episode,), _ = play(server, tmp_path, price=(1.0, 2.0))
    assert episode.success
    assert episode.usage["tokens"] == tokens
    assert episode.usage["cost"] == tokens * 2 / 1e6
    sent = sum(len(one["content"]) for one in server.requests[0]["messages"])
    # A token for three characters, and some for each message.
    assert sent / 3 < episode.usage["estimated_tokens"] < sent / 3 + 150
    assert 0 < episode.usage["estimated_cost"] < episode.usage["estimated_tokens"] / 5e5


def test_as_many_requests_are_in_flight_as_workers(serve, tmp_path):
    together = threading.Barrier(64)

    def wait_for_all(handler):
        together.wait(timeout=200)
        answer("Guess: 1234")(handler)

    server = serve(wait_for_all)
    tasks = tuple(Task("aq/Mastermind-v0", s, max_steps=1) for s in range(64))
    params = {"model": "m", "base_url": server.url, "timeout": 250}
    episodes = run(
        Suite("wide", tasks), tmp_path, "llm", params, executor="threads", workers=64
    )
    assert not any(episode.error for episode in episodes)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"prompting": "shout"}, "prompting='shout'"),
        ({"context": 100}, "context=100"),
        ({"example": "no"}, "example='no' must be a bool"),
        ({"max_tokens": "abc"}, "max_tokens='abc' must be an int"),
        ({"max_tokens": 0}, "max_tokens=0 must be at least 1"),
        ({"max_retries": -1}, "max_retries=-1 must be at least 0"),
        ({"temperature": float("nan")}, "temperature=nan must be at least 0"),
        ({"timeout": 0}, "timeout=0 must be above 0"),
        ({"price": 0.15}, "price=0.15 must be a list: a float, a float"),
        ({"price": [1, -2]}, r"price=\[1, -2\] must not be negative"),
        ({"base_url": 8000}, "base_url=8000 must be a str or None"),
    ],
)
def test_a_developers_mistake_is_named(params, message):
    with pytest.raises((TypeError, ValueError), match=message):
        LLMAgent(gym.make("aq/Mastermind-v0"), "m", **{**LOCAL, **params})


def test_a_limit_counts_an_estimate_where_the_endpoint_counts_nothing(serve, tmp_path):
    choice = {"message": {"content": "Guess: 1234"}, "finish_reason": "stop"}
    server = serve(raw(200, json.dumps({"choices": [choice]})))
    tasks = tuple(Task("aq/Mastermind-v0", s, max_steps=2) for s in range(3))
    params = {"model": "m", "base_url": server.url}
    said = r"tokens \d+ \(\d+ of them estimated\) has reached the limit 100"
    with pytest.raises(LimitReachedError, match=said):
        run(Suite("three", tasks), tmp_path, "llm", params, limits={"tokens": 100})
    summary = load_run(tmp_path).summary
    assert summary["tasks"]["finished"] == 1
    (warning,) = summary["warnings"]
    assert "did not count all tokens" in warning


@pytest.mark.parametrize(
    ("message", "reason", "warning"),
    [
        ({"content": "Guess: 1234"}, "length", "were cut at the longest length"),
        ({"content": None}, "length", "were cut at the longest length"),
        ({"content": ""}, "stop", "were empty"),
        ({"content": " \n", "reasoning_content": "Hm."}, "stop", "were empty"),
        ({"content": ""}, "content_filter", "were refused, or removed by"),
        ({"content": None, "refusal": "No."}, "stop", "were refused, or removed by"),
        ({"content": "Guess: 1234"}, "stop", ""),
    ],
)
def test_answers_that_are_not_whole_are_warned_of(
    serve, tmp_path, message, reason, warning
):
    usage = {"prompt_tokens": 10, "completion_tokens": 1}
    choice = {"message": message, "finish_reason": reason}
    server = serve(raw(200, json.dumps({"choices": [choice], "usage": usage})))
    play(server, tmp_path)
    warnings = load_run(tmp_path).summary.get("warnings", [])
    assert len(warnings) == bool(warning)
    assert all(one.startswith(f"4 of 4 answers {warning}") for one in warnings)
