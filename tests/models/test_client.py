"""The requests to an endpoint, and how its answers and refusals are read."""

import gc
import itertools
import json
import time

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_server import answer, drip, raw

from aq_gym.agents import LLMAgent
from aq_gym.models import ChatClient, MalformedAnswerError, message
from aq_gym.models.completion import parse_completion
from aq_gym.models.conversation import Conversation
from aq_gym.models.endpoint import LONGEST_WAIT, Endpoint, endpoint_at
from aq_gym.models.errors import EndpointStatusError, EndpointTimeoutError

ASKED = [{"role": "user", "content": "Your move?"}]


def completion(**message):
    choice = {"index": 0, "message": {"role": "assistant", **message}}
    return json.dumps({"choices": [choice]}).encode()


def refuses_max_tokens(handler):
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    raw(400, json.dumps({"error": {"message": words}}))(handler)


def test_the_field_for_the_longest_answer_is_learnt(serve):
    server = serve(refuses_max_tokens, answer("a"))
    for _ in range(2):
        # A client of its own, as each episode has.
        assert ChatClient("m", server.url, max_tokens=9).complete(ASKED).text == "a"
    first, *others = server.requests
    assert first["max_tokens"] == 9
    assert len(others) == 2
    for request in others:
        assert request["max_completion_tokens"] == 9
        assert "max_tokens" not in request


def test_only_what_is_given_is_sent(serve):
    server = serve(answer("a"))
    ChatClient("m", server.url).complete(ASKED)
    assert server.requests[0] == {"model": "m", "max_tokens": 1024, "messages": ASKED}
    fields = {"reasoning_effort": "low", "top_p": 0.9, "max_completion_tokens": 5}
    client = ChatClient("m", server.url, temperature=0.0, seed=3, request=fields)
    client.complete(ASKED)
    sent = {"model": "m", "temperature": 0.0, "seed": 3, **fields, "messages": ASKED}
    assert server.requests[1] == sent


@pytest.mark.parametrize("name", ["messages", "model", "stream"])
def test_a_field_of_ours_cannot_be_replaced(name):
    with pytest.raises(ValueError, match=f"must not have '{name}'"):
        ChatClient("m", "http://h/v1", request={name: 1})


def test_the_time_limit_is_that_of_the_whole_call(serve):
    client = ChatClient("m", serve(drip).url, timeout=0.5, max_retries=0)
    begin = time.monotonic()
    with pytest.raises(EndpointTimeoutError, match=r"no complete answer within 0\.5 s"):
        client.complete(ASKED)
    # All that the server sends takes 25 seconds.
    assert time.monotonic() - begin < 20


def test_the_wait_that_is_asked_for_has_a_limit(serve):
    waits = raw(429, "{}", Retry_After="0.2")
    server = serve(waits, answer("a"))
    begin = time.monotonic()
    assert ChatClient("m", server.url).complete(ASKED).text == "a"
    assert time.monotonic() - begin >= 0.2
    longer = raw(429, "{}", Retry_After=str(LONGEST_WAIT + 1))
    server = serve(longer, answer("a"))
    with pytest.raises(EndpointStatusError, match=r"wait for 121 s, .* more than 120"):
        ChatClient("m", server.url).complete(ASKED)
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["nan", "soon", "", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_any_other_wait_is_ignored_or_over(serve, text):
    server = serve(raw(429, "{}", Retry_After=text), answer("a"))
    assert ChatClient("m", server.url, max_retries=1).complete(ASKED).text == "a"


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "go"}, "go", ""),
        ({"content": "go", "reasoning_content": "hm"}, "go", "hm"),
        ({"content": [{"type": "text", "text": "go"}]}, "go", ""),
        (
            {"content": [{"type": "thinking", "thinking": "hm"},
                         {"type": "text", "text": "go"}]},
            "go",
            "hm",
        ),
        ({"content": None, "reasoning": "hm"}, "[no answer, only reasoning]", "hm"),
        ({"content": None, "refusal": "no"}, "[the model refused: no]", ""),
        (
            {"content": "", "tool_calls": [{"function": {"arguments": '{"a": 1}'}}]},
            '{"a": 1}',
            "",
        ),
        ({"tool_calls": [7]}, "[a tool call without text]", ""),
        (
            {"tool_calls": [{"function": {"name": "go", "arguments": "{}"}}]},
            "[a tool call without text]",
            "",
        ),
        ({}, "", ""),
    ],
)  # fmt: skip
def test_every_kind_of_message_is_read(message, text, reasoning):
    read = parse_completion(completion(**message))
    assert (read.text, read.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"5", b"null", b"\xff\xfe", b'{"choices": 5}',
        b'{"choices": [{}]}', b'{"choices": [{"message": 3}]}', b"[" * 100_000,
        b'{"choices": [{"message": {"content": 5}}]}', b'{"a": ' + b"9" * 5_000 + b"}",
    ],
)  # fmt: skip
def test_a_damaged_answer_is_one_error_that_names_the_endpoint(serve, body):
    def send(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    server = serve(send)
    with pytest.raises(MalformedAnswerError, match=server.url) as refused:
        ChatClient("m", server.url).complete(ASKED)
    assert len(str(refused.value)) < 1_000


def test_tokens_are_counted_where_they_can_be():
    usage = {"prompt_tokens": 12, "completion_tokens": int("9" * 400)}
    usage["prompt_tokens_details"] = {"cached_tokens": 8}
    record = json.loads(completion(content="a")) | {"usage": usage}
    read = parse_completion(json.dumps(record).encode())
    assert (read.prompt_tokens, read.completion_tokens, read.cached_tokens) == (
        12,
        0,
        8,
    )


def test_connections_are_kept(serve):
    server = serve(answer("a"))
    server._http.RequestHandlerClass.protocol_version = "HTTP/1.1"
    client = ChatClient("m", server.url)
    for _ in range(3):
        client.complete(ASKED)
    connections = endpoint_at(server.url)._connections
    assert len(connections._idle) == 1
    # An idle connection that was closed is replaced.
    connections._idle[0].sock.close()
    assert client.complete(ASKED).text == "a"


def test_connections_are_closed_with_their_endpoint(serve):
    server = serve(answer("a"))
    server._http.RequestHandlerClass.protocol_version = "HTTP/1.1"
    endpoint = Endpoint(server.url)
    body = json.dumps({"model": "m", "messages": ASKED}).encode()
    endpoint.post("/chat/completions", body, {}, 600.0, 0)
    (connection,) = endpoint._connections._idle
    assert connection.sock is not None
    del endpoint
    gc.collect()
    assert connection.sock is None


def test_the_beginning_of_requests_stays_the_same_for_prompt_caches():
    conversation = Conversation("system", "first", 2_000)
    sent = []
    for turn in range(60):
        said = message("assistant", f"action {turn}" * 5)
        conversation.add(said, message("user", f"observation {turn}" * 5))
        sent.append(conversation.messages())
    continued = sum(b[: len(a)] == a for a, b in itertools.pairwise(sent))
    assert continued >= 50
    assert sum(len(m["content"]) for m in conversation.messages()) / 3 <= 2_000


def test_a_model_may_answer_freely(serve):
    server = serve(answer("I think.\nGuess: 1234"))
    env = gym.make("aq/Mastermind-v0")
    agent = LLMAgent(env, "m", server.url, prompting="chat")
    agent.reset(*env.reset(seed=0))
    assert agent.act("", {}) == "I think.\nGuess: 1234"
    system = server.requests[0]["messages"][0]["content"]
    assert system.endswith("on a line of its own.")


@pytest.mark.parametrize("keep", [False, True])
def test_reasoning_leaves_the_conversation(serve, keep):
    server = serve(answer("<think>Hm, 0000?</think>\nGuess: 1234"))
    env = gym.make("aq/Mastermind-v0")
    agent = LLMAgent(env, "m", server.url, keep_reasoning=keep)
    observation, info = env.reset(seed=0)
    agent.reset(observation, info)
    agent.act(observation, info)
    agent.act("Wrong.", info)
    said = server.requests[1]["messages"][-2]["content"]
    assert ("<think>" in said) is keep
    assert said.endswith("Guess: 1234")


KEYS = ["choices", "message", "content", "usage", "finish_reason", "tool_calls"]
KEYS += ["prompt_tokens", "prompt_tokens_details", "function", "type", "text"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS), part, max_size=4)
    ),
    max_leaves=12,
)


@given(
    st.binary(max_size=40)
    | VALUES.map(lambda value: json.dumps(value).encode())
    | VALUES.map(lambda value: json.dumps({"choices": [{"message": value}]}).encode())
    | VALUES.map(
        lambda value: json.dumps(
            {"choices": [{"message": {"content": value}}], "usage": value}
        ).encode()
    )
)
@settings(max_examples=150)
def test_any_body_is_read_or_refused(body):
    try:
        read = parse_completion(body)
    except ValueError as error:
        assert len(str(error)) < 1_000
    else:
        assert isinstance(read.text, str)
        assert isinstance(read.reasoning, str)
        assert isinstance(read.finish_reason, str)
        assert 0 <= read.prompt_tokens < 10**12
