"""Endpoints that attack: each attack is soon an answer or an error, in little space."""

import base64
import gzip
import json
import resource
import time
from urllib.parse import quote

import pytest
from scripted_server import answer, raw

from aq_gym.cli import main
from aq_gym.models import (
    ChatClient,
    Completion,
    EndpointConnectionError,
    EndpointError,
    EndpointStatusError,
    EndpointTimeoutError,
    MalformedAnswerError,
)
from aq_gym.models.completion import checked
from aq_gym.support.redaction import keep_secret

ASKED = [{"role": "user", "content": "Your move?"}]
KEY = "sk-hostile-Key/0123456789"


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
    "endless chunks": (bytes_of(CHUNKED, forever=CHUNK), MalformedAnswerError),
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
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_one_error_in_little_space(serve, attack):
    script, error = ATTACKS[attack]
    # Only an answer without an end runs into the time limit.
    timeout = 3 if error is EndpointTimeoutError else 600
    client = ChatClient("m", serve(script).url, timeout=timeout, max_retries=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(error) as raised:
        client.complete(ASKED)
    assert type(raised.value) is error
    assert len(str(raised.value)) < 1_000
    # In KiB; 16 MiB of the answer are read.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize("status", [302, 308])
def test_a_key_follows_no_redirect(serve, monkeypatch, status):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    other = serve(answer("yes"))
    for target in (other.url, "/v2"):
        server = serve(raw(status, "", Location=target), answer("no"))
        said = f"status {status}: a redirect to {target} is not followed"
        with pytest.raises(EndpointStatusError, match=said) as raised:
            ChatClient("m", server.url).complete(ASKED)
        assert raised.value.stops_run
        assert len(server.requests) == 1
    assert not other.requests


def test_a_long_answer_is_cut_and_played(serve, tmp_path):
    long = answer("x" * (2**20 + 1))
    assert play(serve(long).url, tmp_path) == 0
    read = ChatClient("m", serve(long).url).complete(ASKED)
    assert (len(read.content), read.finish_reason) == (2**20, "length")


def test_the_number_of_calls_has_a_limit(serve):
    many = raw(200, json.dumps(reply(content="", tool_calls=[{}] * 1_000)))
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
    "percent": raw(403, quote(KEY, safe="")),
    "base64": raw(404, base64.b64encode(KEY.encode()).decode()),
    "escaped": raw(422, json.dumps(json.dumps(KEY))),
    "context": raw(400, json.dumps({"error": f"context length: {KEY}"})),
    "usage": raw(200, json.dumps({**reply(), "usage": {"prompt_tokens": KEY}})),
    "retry after": raw(429, KEY, Retry_After="999"),
    "status line": bytes_of(f"HTTP/1.1 999 {KEY}\r\n\r\n".encode()),
    "no status line": bytes_of(f"{KEY}\x1b[2J\r\n\r\n".encode()),
}


ECHOED = [("chat", place) for place in ECHOES]
ECHOED += [("responses", "output"), ("messages", "blocks"), ("messages", "error")]


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
            assert base64.b64encode(KEY.encode())[:14] not in data, file
            assert b"\x1b" not in data, file
    assert "hostile" not in shown


def test_what_a_model_wrote_is_played_as_it_is():
    """Only ids and reasons are redacted; files are, where they are written."""
    keep_secret(KEY)
    call = {"id": KEY, "type": "function", "function": {"name": KEY, "arguments": KEY}}
    read = checked(Completion(KEY, KEY, (call,), KEY, KEY + "x" * 1_000))
    said = {"name": KEY, "arguments": KEY}
    assert (read.content, read.reasoning, read.refusal) == (KEY, KEY, "***")
    assert read.tool_calls == ({"id": "***", "type": "function", "function": said},)
    assert read.finish_reason == ("***" + "x" * 1_000)[:200]


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
