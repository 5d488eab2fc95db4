"""The requests to an endpoint, and how its answers and refusals are read."""

import hashlib
import itertools
import json
import time

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_server import answer, raw

from aq_gym.agents import LLMAgent
from aq_gym.core.prompt import Example, ExampleTurn, Prompt
from aq_gym.models import (
    ChatClient,
    ContextTooLongError,
    EndpointStatusError,
    EndpointTimeoutError,
    MalformedAnswerError,
    message,
)
from aq_gym.models.completion import AnsweredError, parse_completion
from aq_gym.models.conversation import Conversation
from aq_gym.models.endpoint import LONGEST_WAIT
from aq_gym.models.messages import chat_message

ASKED = [{"role": "user", "content": "Your move?"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "go", "arguments": "{}"}}
PICTURE = "data:image/png;base64,AAAA"


@pytest.fixture
def quick(monkeypatch):
    """Retry without delays."""
    monkeypatch.setattr("aq_gym.models.endpoint._LONGEST_DELAY", 0.0)


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


def dripped(handler):
    """Send a body a byte at a time, each sooner than a read times out."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        time.sleep(0.2)


def test_the_time_limit_is_that_of_the_whole_call(serve):
    client = ChatClient("m", serve(dripped).url, timeout=0.5, max_retries=0)
    with pytest.raises(EndpointTimeoutError, match=r"no complete answer within 0\.5 s"):
        client.complete(ASKED)


def test_the_wait_that_is_asked_for_has_a_limit(serve, monkeypatch):
    waited = []
    monkeypatch.setattr("aq_gym.models.endpoint.time.sleep", waited.append)
    server = serve(raw(429, "{}", Retry_After="7.5"), answer("a"))
    assert ChatClient("m", server.url).complete(ASKED).text == "a"
    assert max(waited) >= 7.5
    longer = raw(429, "{}", Retry_After=str(LONGEST_WAIT + 1))
    server = serve(longer, answer("a"))
    with pytest.raises(EndpointStatusError, match=r"wait for 121 s, .* more than 120"):
        ChatClient("m", server.url).complete(ASKED)
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["nan", "soon", "Wed, 21 Oct 2015 07:28:00 GMT"])
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


def test_a_call_has_its_id():
    (called,) = parse_completion(completion(tool_calls=[CALL])).tool_calls
    assert called == CALL


@pytest.mark.parametrize(
    "body",
    [b"", b"5", b"\xff\xfe", b'{"choices": []}', b"<html>busy</html>", b"[" * 100_000,
     b'{"choices": [{"message": {"content": 5}}]}', b'{"error": {"message": "busy"}}'],
)  # fmt: skip
def test_a_damaged_answer_is_retried_and_names_the_endpoint(serve, quick, body):
    def send(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    server = serve(send)
    with pytest.raises(MalformedAnswerError, match=server.url) as refused:
        ChatClient("m", server.url, max_retries=1).complete(ASKED)
    assert len(server.requests) == 2
    assert len(str(refused.value)) < 1_000


@pytest.mark.parametrize(
    ("tokens", "counted"),
    [
        (12, 12),
        (-1, 0),
        (0, 0),
        (10**8, 0),
        (10**400, 0),
        (1.5, 0),
        (True, 0),
        ("9", 0),
    ],
)
def test_tokens_are_counted_where_they_can_be(tokens, counted):
    usage = {"prompt_tokens": tokens, "completion_tokens": tokens}
    usage["prompt_tokens_details"] = {"cached_tokens": tokens}
    record = json.loads(completion(content="a")) | {"usage": usage}
    read = parse_completion(json.dumps(record).encode())
    found = (read.prompt_tokens, read.completion_tokens, read.cached_tokens)
    assert found == (counted,) * 3


def test_connections_are_kept(serve):
    connections = set()

    def note(handler):
        connections.add(handler.client_address)
        answer("a")(handler)

    server = serve(note)
    server._http.RequestHandlerClass.protocol_version = "HTTP/1.1"
    for _ in range(3):
        ChatClient("m", server.url).complete(ASKED)
    assert len(connections) == 1


def in_a_200(code, where="body"):
    error = {"error": {"message": "x", "code": code}}
    body = {"choices": None, **error}
    if where == "choice":
        body = {"choices": [{**error, "message": {"content": ""}}]}
    return raw(200, json.dumps(body))


@pytest.mark.parametrize(
    "busy",
    [in_a_200(429), in_a_200("503"), in_a_200(502, "choice"), raw(200, "<html>busy"),
     in_a_200("rate_limit_exceeded"), in_a_200(None),
     raw(200, '{"choices": []}'), raw(200, '{"choices": null, "error": "busy"}'),
     raw(200, '{"choices": [{"finish_reason": "error", "message": {"content": ""}}]}'),
     raw(200, '{"code": 429, "message": "x"}')],
)  # fmt: skip
def test_a_passing_error_in_an_answer_with_status_200_is_retried(serve, quick, busy):
    server = serve(busy, answer("a"))
    read = ChatClient("m", server.url).complete(ASKED)
    assert (read.text, read.retries) == ("a", 1)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        *((402, 402), ("insufficient_quota", 402), ("invalid_api_key", 401)),
        *(("authentication_error", 401), ("model_not_found", 404)),
    ],
)
def test_a_lasting_error_in_an_answer_with_status_200_stops_the_run(
    serve, code, status
):
    server = serve(in_a_200(code), answer("a"))
    with pytest.raises(EndpointStatusError, match=f"{status}: in an ans") as raised:
        ChatClient("m", server.url).complete(ASKED)
    assert raised.value.stops_run
    assert raised.value.status == status


@pytest.mark.parametrize(
    "body",
    [
        '{"error": "Unauthorized", "code": 401}',
        '{"error": "x", "status": 402}',
        '{"error": {"message": "You have insufficient credits"}}',
        '{"object": "error", "message": "x", "type": "NotFoundError"}',
        '{"detail": {"error": {"code": 402.0}}}',
        '[{"error": {"code": 403, "message": "x"}}]',
        '{"errors": [{"code": 401, "message": "x"}]}',
        'event: error\ndata: {"error": {"code": 402}}\n\n',
    ],
)
def test_a_lasting_error_is_read_in_other_forms(body):
    with pytest.raises(AnsweredError) as raised:
        parse_completion(body.encode())
    assert raised.value.status in (401, 402, 403, 404)


def test_a_long_context_in_an_answer_with_status_200_is_shortened(serve):
    server = serve(in_a_200("context_length_exceeded"))
    with pytest.raises(ContextTooLongError):
        ChatClient("m", server.url).complete(ASKED)


def test_an_empty_error_beside_an_answer_is_none(serve):
    body = json.loads(completion(content="a")) | {"error": {"code": 429}}
    server = serve(raw(200, json.dumps(body)))
    assert ChatClient("m", server.url, max_retries=0).complete(ASKED).text == "a"


def test_proxies_are_those_of_the_environment(serve, monkeypatch):
    seen = {}

    def note(handler):
        seen.clear()
        seen.update(handler.headers.items(), path=handler.path)
        answer("a")(handler)

    server = serve(note)
    proxy = server.url.removesuffix("/v1").replace("//", "//me:pass%20word@")
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    ChatClient("m", server.url).complete(ASKED)
    assert "Proxy-Authorization" not in seen
    ChatClient("m", "http://model.test/v1").complete(ASKED)
    assert seen["path"] == "http://model.test/v1/chat/completions"
    assert seen["Proxy-Authorization"] == "Basic bWU6cGFzcyB3b3Jk"
    assert seen["Host"] == "model.test"


def test_the_beginning_of_requests_stays_the_same_for_prompt_caches():
    begin = [message("system", "system"), message("user", "first")]
    conversation = Conversation(begin, 2_000)
    sent = []
    for turn in range(60):
        said = message("assistant", f"action {turn}" * 5)
        conversation.add(said, message("user", f"observation {turn}" * 5))
        sent.append(conversation.messages())
    continued = sum(b[: len(a)] == a for a, b in itertools.pairwise(sent))
    assert continued >= 50
    assert sum(len(m["content"]) for m in conversation.messages()) / 3 <= 2_000


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


@pytest.mark.parametrize(
    ("made", "sent"),
    [
        (message("user", "Go ü"), {"role": "user", "content": "Go ü"}),
        (
            message("assistant", "", reasoning="Hm.", tool_calls=[CALL]),
            {"role": "assistant", "content": "", "reasoning_content": "Hm.",
             "tool_calls": [CALL]},
        ),
        (
            message("tool", "done", tool_call_id="c1"),
            {"role": "tool", "content": "done", "tool_call_id": "c1"},
        ),
        (
            message("user", "What is this?", images=[PICTURE]),
            {"role": "user", "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": PICTURE}},
            ]},
        ),
    ],
)  # fmt: skip
def test_a_message_is_sent_as_chat_completions_have_it(made, sent):
    assert chat_message(made) == sent


def test_half_of_a_surrogate_pair_can_be_sent():
    assert message("user", "a\ud83d")["content"] == "a?"
    assert message("assistant", "", reasoning="\ud83d")["reasoning_content"] == "?"


TOO_LONG = raw(400, '{"error": {"message": "maximum context length is 9"}}')
SAID = ["go north", "<think>Hm.</think>\ngo south", "Größe \U0001f600 \ud83d", ""]
SAID += ["Thought: why?\nAction: go south", "go north", "y" * 3_000]
FIELDS = {"top_p": 0.9, "stop": ["\n\n", "ü"]}
PINNED = {
    "act": "b1b334451829895f",
    "react": "ac9aee289acdd6d3",
    "memory": "e206cfca53566609",
    "chat": "d2349aa74e5d4583",
}


class Corridor(gym.Env):
    """An environment whose words no one else changes."""

    action_space = observation_space = gym.spaces.Text(10_000)

    def task_prompt(self):
        turn = ExampleTurn("I try.", "go up", "You \u201cfly\u201d.")
        return Prompt("Leave.", Example({}, 0, "Get out.", "A room.", (turn,)))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return "A corridor.", {}

    def step(self, action):
        return f"You see {len(action)} doors.\n" * 9, 0.0, False, False, {}


@pytest.mark.parametrize("prompting", PINNED)
def test_the_requests_of_a_conversation_are_pinned(serve, prompting):
    said = [answer(text) for text in SAID]
    server = serve(*said[:3], TOO_LONG, *said[3:], TOO_LONG, *said)
    env = Corridor()
    agent = LLMAgent(
        env, "m", server.url, prompting, context=1_000, max_tokens=100,
        temperature=0.5, request=FIELDS, keep_reasoning=prompting == "react",
    )  # fmt: skip
    observation, info = env.reset(seed=0)
    agent.reset(observation, info)
    for _ in range(10):
        observation, *_, info = env.step(agent.act(observation, info))
    assert len(server.bodies) > 10
    sent = hashlib.sha256(b"\n".join(server.bodies)).hexdigest()
    assert sent[:16] == PINNED[prompting]
