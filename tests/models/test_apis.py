"""The Messages and Responses APIs, by scripted servers of the documented shapes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import raw

from aq_gym import trajectory
from aq_gym.agents import requests_of
from aq_gym.evaluation import Suite, Task, run
from aq_gym.models import (
    AnthropicClient,
    Completion,
    ContextTooLongError,
    EndpointStatusError,
    MalformedAnswerError,
    ResponsesClient,
    message,
)

KEY = "sk-ant-a-long-secret"
PICTURE = "data:image/png;base64,AAAA"
CALLS = [
    {"id": one, "type": "function", "function": {"name": "go", "arguments": '{"x": 1}'}}
    for one in ("c1", "c2")
]
SAID = [
    message("system", "Be good."),
    message("user", "Look.", images=[PICTURE, "https://example.org/a.png"]),
    message("assistant", "I go.", reasoning="Hm.", tool_calls=CALLS),
    message("tool", "Gone.", tool_call_id="c1"),
    message("tool", "Gone too.", tool_call_id="c2"),
    message("user", "And \u00fc?"),
    message("assistant", "Yes."),
    message("user", "More."),
]
PARAMETERS = {"type": "object", "properties": {"x": {"type": "integer"}}}
FUNCTION = {"name": "go", "description": "Go.", "parameters": PARAMETERS}
TOOLS = [{"type": "function", "function": FUNCTION}]


def claude(*blocks, stop="end_turn", **usage):
    usage = {"input_tokens": 10, "output_tokens": 5, **usage}
    body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
    record = {**body, "content": list(blocks), "stop_reason": stop, "usage": usage}
    return raw(200, json.dumps(record))


def words(text):
    return {"type": "text", "text": text}


def use(name, arguments, call_id="toolu_1"):
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def response(*items, **fields):
    details = {"cached_tokens": 4}
    usage = {"input_tokens": 10, "input_tokens_details": details, "output_tokens": 5}
    body = {"id": "resp_1", "object": "response", "status": "completed", "usage": usage}
    return raw(200, json.dumps({**body, "output": list(items), **fields}))


def wrote(*parts):
    return {"type": "message", "role": "assistant", "content": list(parts)}


def output(text):
    return {"type": "output_text", "text": text, "annotations": []}


def function_call(name, arguments, call_id="call_1"):
    item = {"type": "function_call", "id": "fc_1", "call_id": call_id}
    return {**item, "name": name, "arguments": arguments}


def noting(heads, reply):
    def send(handler):
        heads.update({name.lower(): value for name, value in handler.headers.items()})
        heads["path"] = handler.path
        reply(handler)

    return send


def test_the_request_of_the_messages_api(serve, monkeypatch):
    heads = {}
    server = serve(noting(heads, claude(words("ok"))))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
    client = AnthropicClient("m", temperature=0.5, request={"top_k": 3})
    client.complete(SAID, TOOLS)
    assert heads["path"] == "/v1/messages"
    assert heads["x-api-key"] == KEY
    assert heads["anthropic-version"] == "2023-06-01"
    assert "authorization" not in heads
    assert server.requests == [
        {
            "model": "m",
            "temperature": 0.5,
            "top_k": 3,
            "max_tokens": 1024,
            "system": "Be good.",
            "tools": [
                {"name": "go", "description": "Go.", "input_schema": PARAMETERS}
            ],
            "messages": [
                {"role": "user", "content": [
                    words("Look."),
                    {"type": "image", "source": {"type": "base64",
                     "media_type": "image/png", "data": "AAAA"}},
                    {"type": "image", "source": {"type": "url",
                     "url": "https://example.org/a.png"}},
                ]},
                {"role": "assistant", "content": [
                    words("I go."), use("go", {"x": 1}, "c1"), use("go", {"x": 1}, "c2")
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "Gone."},
                    {"type": "tool_result", "tool_use_id": "c2",
                     "content": "Gone too."},
                    words("And \u00fc?"),
                ]},
                {"role": "assistant", "content": [words("Yes.")]},
                {"role": "user", "content": [words("More.")]},
            ],
        }
    ]  # fmt: skip


def test_the_request_of_the_responses_api(serve, monkeypatch):
    heads = {}
    server = serve(noting(heads, response(wrote(output("ok")))))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ResponsesClient("m", server.url).complete(SAID, TOOLS)
    assert heads["path"] == "/v1/responses"
    assert heads["authorization"] == f"Bearer {KEY}"
    call = {"type": "function_call", "name": "go", "arguments": '{"x": 1}'}
    done = {"type": "function_call_output"}
    assert server.requests == [
        {
            "model": "m",
            "max_output_tokens": 1024,
            "store": False,
            "tools": [{"type": "function", "strict": False, **FUNCTION}],
            "input": [
                {"role": "system", "content": "Be good."},
                {"role": "user", "content": [
                    {"type": "input_text", "text": "Look."},
                    {"type": "input_image", "image_url": PICTURE},
                    {"type": "input_image", "image_url": "https://example.org/a.png"},
                ]},
                {"role": "assistant", "content": "I go."},
                {**call, "call_id": "c1"},
                {**call, "call_id": "c2"},
                {**done, "call_id": "c1", "output": "Gone."},
                {**done, "call_id": "c2", "output": "Gone too."},
                {"role": "user", "content": "And \u00fc?"},
                {"role": "assistant", "content": "Yes."},
                {"role": "user", "content": "More."},
            ],
        }
    ]  # fmt: skip


READ = [
    (AnthropicClient, claude(words("a"), words("b")), ("ab", "", [], "stop")),
    (
        AnthropicClient,
        claude({"type": "thinking", "thinking": "Hm.", "signature": "x"}, words("a")),
        ("a", "Hm.", [], "stop"),
    ),
    (
        AnthropicClient,
        claude(words("I go."), use("go", {"x": 1}), use("go", {}), stop="tool_use"),
        ("I go.", "", [("go", {"x": 1}), ("go", {})], "tool_calls"),
    ),
    (AnthropicClient, claude(stop="max_tokens"), ("", "", [], "length")),
    (AnthropicClient, claude(stop="refusal"), ("", "", [], "content_filter")),
    (AnthropicClient, claude(words("a"), stop=None), ("a", "", [], "")),
    (
        ResponsesClient,
        response(wrote(output("a"), output("b"))),
        ("ab", "", [], "stop"),
    ),
    (
        ResponsesClient,
        response(
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
            function_call("go", '{"x": 1}'),
            function_call("go", "{}"),
        ),
        ("", "Hm.", [("go", {"x": 1}), ("go", {})], "tool_calls"),
    ),
    (
        ResponsesClient,
        response(
            status="incomplete", incomplete_details={"reason": "max_output_tokens"}
        ),
        ("", "", [], "length"),
    ),
    (
        ResponsesClient,
        response(status="incomplete", incomplete_details={"reason": "content_filter"}),
        ("", "", [], "content_filter"),
    ),
    (
        ResponsesClient,
        response(wrote({"type": "refusal", "refusal": "No."})),
        ("", "", [], "stop"),
    ),
]


@pytest.mark.parametrize(("client", "reply", "expected"), READ)
def test_each_kind_of_answer_is_read(serve, client, reply, expected):
    read = client("m", serve(reply).url).complete(SAID)
    calls = [
        (one["function"]["name"], json.loads(one["function"]["arguments"]))
        for one in read.tool_calls
    ]
    assert (read.content, read.reasoning, calls, read.finish_reason) == expected
    assert (read.prompt_tokens, read.completion_tokens) == (10, 5)


def test_a_refusal_and_cached_tokens_are_read(serve):
    refused = response(wrote({"type": "refusal", "refusal": "No."}))
    read = ResponsesClient("m", serve(refused).url).complete(SAID)
    assert (read.refusal, read.cached_tokens) == ("No.", 4)
    cached = claude(cache_read_input_tokens=30_000, cache_creation_input_tokens=2)
    read = AnthropicClient("m", serve(cached).url).complete(SAID)
    assert (read.prompt_tokens, read.cached_tokens) == (30_012, 30_000)


def test_a_call_without_text_is_shown_by_its_arguments(serve):
    called = claude(use("go", {"x": "\u00fc"}), stop="tool_use")
    read = AnthropicClient("m", serve(called).url).complete(SAID)
    assert read.text == '{"x": "\u00fc"}'


@pytest.mark.parametrize("client", [AnthropicClient, ResponsesClient])
@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (raw(200, "{}"), MalformedAnswerError),
        (raw(200, "["), MalformedAnswerError),
        (raw(200, '{"content": "a", "output": "a"}'), MalformedAnswerError),
        (raw(200, '{"content": ' + "[" * 99_999), MalformedAnswerError),
        (raw(401, '{"type": "error"}'), EndpointStatusError),
        (
            raw(400, '{"error": "prompt is too long: 9 tokens > 5"}'),
            ContextTooLongError,
        ),
    ],
)
def test_each_failure_has_its_error(serve, client, reply, error):
    with pytest.raises(error):
        client("m", serve(reply).url, max_retries=0).complete(SAID)


@pytest.mark.parametrize(
    ("error", "told"),
    [({"code": "server_error", "message": "Oh."}, r"an error: Oh\."), (None, "failed")],
)
def test_a_failed_response_says_why(serve, error, told):
    failed = response(status="failed", error=error)
    with pytest.raises(MalformedAnswerError, match=told):
        ResponsesClient("m", serve(failed).url, max_retries=0).complete(SAID)


REPLIES = {
    "messages": [
        claude(use("act", {"action": "Guess: 1234"}, "a"), stop="tool_use"),
        claude(words("Hm."), use("act", {"action": 5}, "b"), use("act", {}, "c")),
        claude(words("Guess: 5618")),
    ],
    "responses": [
        response(function_call("act", '{"action": "Guess: 1234"}', "a")),
        response(wrote(output("Hm.")), function_call("act", '{"action": 5}', "b"),
                 function_call("act", "{", "c")),
        response(wrote(output("Guess: 5618"))),
    ],
}  # fmt: skip


@pytest.mark.parametrize("api", REPLIES)
def test_an_episode_is_played_by_calls(serve, tmp_path, api):
    server = serve(*REPLIES[api])
    params = {"model": "m", "base_url": server.url, "tools": "native", "api": api}
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=4)
    (episode,) = run(Suite("one", (task,)), tmp_path, "llm", params)
    assert (episode.error, episode.success, episode.steps) == ("", True, 3)
    assert episode.usage["tokens"] == 45
    played = next(trajectory.iter_trajectories(tmp_path / "trajectories"))
    (*_, last), = requests_of(played)[-1]  # fmt: skip
    assert last["role"] == "tool"
    assert len(server.requests[0]["tools"]) == 2
    # What is sent back is as the API wants it: each call has its result.
    text = json.dumps(server.requests[-1])
    for call_id in ("a", "b", "c"):
        assert text.count(f'"{call_id}"') == 2


KEYS = ["content", "output", "type", "text", "thinking", "tool_use", "input", "usage"]
KEYS += ["message", "output_text", "function_call", "summary", "input_tokens", "name"]
VALUES = st.recursive(
    st.none() | st.integers() | st.floats() | st.sampled_from(KEYS),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS), part, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("client", [AnthropicClient, ResponsesClient])
@given(VALUES)
def test_any_body_is_read_or_refused(client, value):
    made = client("m", "http://localhost:9")
    for body in (value, {"content": value, "output": value}):
        try:
            read = made._parse(json.dumps(body).encode())
        except ValueError as error:
            assert len(str(error)) < 1_000
        else:
            assert isinstance(read.text, str)
            assert isinstance(read.finish_reason, str)
            assert read.prompt_tokens >= 0


def test_an_answer_without_text_says_that_it_was_cut_off():
    cut = Completion("", reasoning="hm", finish_reason="length")
    assert cut.text == "[no answer: it was cut off before it began]"
