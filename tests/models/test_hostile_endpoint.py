"""Endpoints that attack: each attack is soon an answer or an error, in little space."""

import gzip
import json
import resource
import threading
import time

import pytest
from scripted_server import answer, raw

from aq_gym.cli import main
from aq_gym.models import (
    AnthropicClient,
    ChatClient,
    EndpointConnectionError,
    EndpointError,
    EndpointStatusError,
    EndpointTimeoutError,
    MalformedAnswerError,
    ResponsesClient,
)
from aq_gym.models.completion import Completion, checked, parse_completion
from aq_gym.support.redaction import keep_secret

ASKED = [{"role": "user", "content": "Your move?"}]
KEY = "sk-hostile-Key/0123456789"
DEEP = 100_000


def bytes_of(*parts, forever=b"", pause=0.0):
    """Send parts as they are, and then one again and again until the client leaves."""

    def send(handler):
        for part in parts:
            handler.wfile.write(part)
        while forever:
            handler.wfile.write(forever)
            handler.wfile.flush()
            time.sleep(pause)
        handler.close_connection = True

    return send


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
CHUNK = b"10000\r\n" + b" " * 65536 + b"\r\n"
# An answer, if it were unpacked.
BOMB = gzip.compress(b'{"choices": [{"message": {"content": "a"}}]}' + b" " * 10**7)
GZIP = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB)
ATTACKS = {
    "ten gigabytes announced": (
        bytes_of(OK, b"Content-Length: 10737418240\r\n\r\n", forever=b" " * 65536),
        MalformedAnswerError,
    ),
    "endless without a length": (
        bytes_of(OK, b"\r\n", forever=b" " * 65536),
        MalformedAnswerError,
    ),
    "endless chunks": (bytes_of(CHUNKED, forever=CHUNK), MalformedAnswerError),
    "an endless error": (
        bytes_of(b"HTTP/1.1 500 No\r\n\r\n", forever=b" " * 65536),
        MalformedAnswerError,
    ),
    "an endless header": (bytes_of(OK, forever=b"x" * 65536), EndpointConnectionError),
    "endless headers": (bytes_of(OK, forever=b"A: b\r\n"), EndpointConnectionError),
    "not HTTP": (bytes_of(b"SSH-2.0-server\r\n"), EndpointConnectionError),
    "a negative length": (
        bytes_of(OK, b"Content-Length: -5\r\n\r\n{}"),
        MalformedAnswerError,
    ),
    "a broken chunk": (bytes_of(CHUNKED, b"zz\r\n"), EndpointConnectionError),
    "a gzip bomb": (bytes_of(GZIP, BOMB), MalformedAnswerError),
    "a dripped body": (
        bytes_of(OK, b"Content-Length: 999\r\n\r\n", forever=b" ", pause=0.1),
        EndpointTimeoutError,
    ),
    "an endless stream of events": (
        bytes_of(CHUNKED, forever=b"6\r\ndata:\n\r\n", pause=0.1),
        EndpointTimeoutError,
    ),
    "endless continuations": (
        bytes_of(forever=b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.05),
        EndpointTimeoutError,
    ),
    "a long answer": (answer("x" * (2**20 + 1)), MalformedAnswerError),
}  # fmt: skip


# The others have the same transport.
OTHER_CLIENTS = [
    (client, attack)
    for client in (ResponsesClient, AnthropicClient)
    for attack in ("ten gigabytes announced", "a gzip bomb", "an endless header")
]


@pytest.mark.parametrize(
    ("make", "attack"), [(ChatClient, attack) for attack in ATTACKS] + OTHER_CLIENTS
)
def test_an_attack_is_one_error_in_little_space(serve, make, attack):
    script, error = ATTACKS[attack]
    # Only an answer without an end runs into the time limit.
    timeout = 3 if error is EndpointTimeoutError else 600
    client = make("m", serve(script).url, timeout=timeout, max_retries=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(error) as raised:
        client.complete(ASKED)
    assert type(raised.value) is error
    assert len(str(raised.value)) < 1_000
    # In KiB; 16 MiB of the answer are read, and http.client joins them once.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_key_follows_no_redirect(serve, monkeypatch, status):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    other = serve(answer("yes"))
    for target in (other.url, "https://127.0.0.1:9/v1", "file:///etc/passwd", "/v2"):
        server = serve(raw(status, "", Location=target), answer("no"))
        said = f"status {status}: a redirect to {target} is not followed"
        with pytest.raises(EndpointStatusError, match=said) as raised:
            ChatClient("m", server.url).complete(ASKED)
        assert raised.value.stops_run
        assert len(server.requests) == 1
    assert not other.requests


@pytest.mark.parametrize(
    "tokens",
    [-1, -(10**400), 0, 10**8, 10**400, 1.5, float("nan"), True, "9", None, []],
)
def test_absurd_usage_is_not_counted(tokens):
    usage = {"prompt_tokens": tokens, "completion_tokens": tokens}
    usage["prompt_tokens_details"] = {"cached_tokens": tokens}
    body = {"choices": [{"message": {"content": "a"}}], "usage": usage}
    read = parse_completion(json.dumps(body).encode())
    assert (read.prompt_tokens, read.completion_tokens, read.cached_tokens) == (0, 0, 0)


def nested(message):
    text = json.dumps({"choices": [{"message": message}]})
    return text.replace('"DEEP"', "[" * DEEP + "]" * DEEP).encode()


@pytest.mark.parametrize("name", ["content", "tool_calls", "refusal", "reasoning"])
def test_deep_nesting_is_refused(name):
    with pytest.raises(ValueError, match="the answer is not JSON"):
        parse_completion(nested({name: "DEEP"}))


@pytest.mark.slow
def test_a_tool_calls_arguments_are_text_however_deep(serve, tmp_path):
    call = {"function": {"name": "act", "arguments": '{"a":' * DEEP + "}" * DEEP}}
    many = raw(200, json.dumps(reply(content="", tool_calls=[call] + [{}] * 1_000)))
    assert play(serve(many).url, tmp_path) == 0
    assert len(ChatClient("m", serve(many).url).complete(ASKED).tool_calls) == 128


def play(url, folder, api="chat"):
    return main([
        "run", "--env", "aq/Mastermind-v0", "--episodes", "1", "--max-steps", "2",
        "--agent", "llm", "--model", "m", "--base-url", url, "--quiet",
        "--agent-arg", "max_retries=0", "--agent-arg", "keep_reasoning=True",
        "--agent-arg", f"api={api}",
        "--out", str(folder / "out"),
    ])  # fmt: skip


def reply(**message):
    finish = message.pop("finish_reason", "stop")
    choice = {"message": {"content": "Guess: 1234", **message}, "finish_reason": finish}
    return {"choices": [choice]}


EVIL = f"\x1b[2J\x1b]0;title\x07\x9b31m\u202e\x00\r{KEY}\ud800"
CALL = {"id": EVIL, "function": {"name": EVIL, "arguments": EVIL}}
ECHOES = {
    "content": raw(200, json.dumps(reply(content=EVIL))),
    "parts": raw(200, json.dumps(reply(content=[{"type": "text", "text": EVIL}]))),
    "reasoning": raw(200, json.dumps(reply(reasoning_content=EVIL))),
    "thinking": raw(200, json.dumps(reply(reasoning=EVIL))),
    "refusal": raw(200, json.dumps(reply(content="", refusal=EVIL))),
    "tool call": raw(200, json.dumps(reply(content="", tool_calls=[CALL]))),
    "finish reason": raw(200, json.dumps(reply(finish_reason=EVIL))),
    "other fields": raw(200, json.dumps({**reply(role=EVIL), "model": EVIL, EVIL: 1})),
    "output": raw(
        200,
        json.dumps(
            {
                "output": [
                    {
                        "type": "reasoning",
                        "summary": [{"type": "summary_text", "text": EVIL}],
                    },
                    {
                        "type": "message",
                        "content": [{"type": "output_text", "text": EVIL}],
                    },
                    {
                        "type": "function_call",
                        "call_id": EVIL,
                        "name": EVIL,
                        "arguments": EVIL,
                    },
                ]
            }
        ),
    ),
    "blocks": raw(
        200,
        json.dumps(
            {
                "stop_reason": EVIL,
                "content": [
                    {"type": "thinking", "thinking": EVIL, "signature": EVIL},
                    {"type": "text", "text": EVIL},
                    {
                        "type": "tool_use",
                        "id": EVIL,
                        "name": EVIL,
                        "input": {EVIL: EVIL},
                    },
                ],
            }
        ),
    ),
    "not an answer": raw(200, EVIL.replace("\ud800", "")),
    "error": raw(418, json.dumps({"error": EVIL})),
    "lasting error": raw(401, EVIL.replace("\ud800", "")),
    "location": raw(302, "", Location=f"http://{KEY}@h/{KEY}?{KEY}"),
    "location's path": raw(302, "", Location=f"http://h/\x1b[2J{KEY}"),
    "retry after": raw(429, KEY, Retry_After="999"),
    "status line": bytes_of(f"HTTP/1.1 999 {KEY}\r\n\r\n".encode()),
    "no status line": bytes_of(f"{KEY}\x1b[2J\r\n\r\n".encode()),
}


ECHOED = [("chat", place) for place in ECHOES]
ECHOED += [
    (api, place)
    for api in ("responses", "messages")
    for place in (
        "output",
        "blocks",
        "not an answer",
        "error",
        "lasting error",
        "location",
        "status line",
    )
]


@pytest.mark.parametrize(("api", "place"), ECHOED)
def test_neither_a_key_nor_a_control_character_comes_back(
    serve, tmp_path, monkeypatch, capsys, api, place
):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    play(serve(ECHOES[place]).url, tmp_path, api)
    shown = "".join(capsys.readouterr())
    assert shown
    assert not any(one in shown for one in "\x1b\x07\x9b\x00\u202e")
    for file in tmp_path.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert b"sk-hostile" not in data, file
            assert b"Key/0123" not in data, file
            assert b"\x1b" not in data, file
    assert "hostile" not in shown


def test_no_field_of_an_answer_has_a_key_or_a_long_reason():
    """Before anything cuts it, which could leave a part of the key."""
    keep_secret(KEY)
    call = {"id": KEY, "type": "function", "function": {"name": KEY, "arguments": KEY}}
    read = checked(Completion(KEY, KEY, (call,), KEY, KEY + "x" * 1_000))
    assert "sk-hostile" not in repr(read)
    assert repr(read).count("***") == 7
    assert len(read.finish_reason) == 200


@pytest.mark.parametrize(
    "script",
    [
        raw(401, "x" * 290 + KEY),
        raw(200, "x" * 190 + KEY),
        raw(302, "", Location=f"http://h/{'x' * 272}{KEY}"),
        bytes_of(f"{KEY}\r\n\r\n".encode()),
    ],
    ids=["status", "no answer", "redirect", "no HTTP"],
)
def test_no_error_has_a_part_of_a_key(serve, monkeypatch, script):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(EndpointError) as raised:
        ChatClient("m", serve(script).url, max_retries=0).complete(ASKED)
    assert "sk-" not in str(raised.value)


def test_one_slow_server_holds_nobody_else(serve):
    slow = serve(bytes_of(OK, forever=b"A: b", pause=0.2))

    def wait():
        with pytest.raises(EndpointTimeoutError):
            ChatClient("m", slow.url, timeout=5, max_retries=0).complete(ASKED)

    stuck = threading.Thread(target=wait)
    stuck.start()
    assert ChatClient("m", serve(answer("a")).url).complete(ASKED).text == "a"
    assert stuck.is_alive()
    stuck.join()


@pytest.mark.parametrize(
    "url", ["http://h/v 1", "http://h/\x00", "http://h/\xfc", "http://h\r\nX: y"]
)
def test_an_address_that_cannot_be_sent_is_refused(url):
    with pytest.raises(ValueError, match="must be the address of an endpoint"):
        ChatClient("m", url)


def test_a_host_that_never_answers_is_unreachable(monkeypatch):
    def wait(connection):
        raise TimeoutError("timed out")

    monkeypatch.setattr("http.client.HTTPConnection.connect", wait)
    client = ChatClient("m", "http://localhost:9/v1", max_retries=0)
    with pytest.raises(
        EndpointConnectionError, match="no connection: Timeout"
    ) as error:
        client.complete(ASKED)
    assert error.value.stops_run
