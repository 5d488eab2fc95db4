"""A key is never written or printed, in whatever way it comes back."""

import base64
import json
import os
import subprocess
import sys
from urllib.parse import quote

import pytest
from scripted_server import ScriptedServer, raw

from aq_gym.support import redaction
from aq_gym.support.escaping import safe_output
from aq_gym.support.json_files import write_json
from aq_gym.support.redaction import (
    holds_secret,
    keep_secret,
    masked,
    read_secret,
    recordable,
    redact,
)
from aq_gym.trajectory.jsonl import dumps

KEY = 'sk-Very/Secret+"key"=12345'


def message(**fields):
    usage = fields.pop("usage", None)
    choice = {"message": {"role": "assistant", "content": "Guess: 1234"}, **fields}
    return json.dumps({"choices": [choice], "usage": usage})


ECHOES = {
    "content": raw(200, message(message={"content": f"Guess: {KEY}"})),
    "finish_reason": raw(200, message(finish_reason=KEY)),
    "reasoning": raw(200, message(message={"content": "a", "reasoning": KEY})),
    "malformed": raw(200, f'{{"choices": "{KEY}'),
    "no choices": raw(200, json.dumps({"error": {"message": KEY}})),
    "long before it": raw(200, "x" * 190 + KEY),
    "400": raw(400, json.dumps({"error": f"Bearer {KEY} is wrong"})),
    "context": raw(400, json.dumps({"error": f"context length: {KEY}"})),
    "401 cut": raw(401, "x" * 290 + KEY),
    "percent": raw(403, quote(KEY, safe="")),
    "base64": raw(404, base64.b64encode(KEY.encode()).decode()),
    "escaped": raw(422, json.dumps(json.dumps(KEY))),
    "retry": raw(429, KEY, Retry_After="999"),
    "redirect": raw(302, "", Location=f"http://127.0.0.1:9/{quote(KEY)}"),
    "header": raw(400, "{}", X_Request_Id=KEY),
    "model": raw(200, message()[:-1] + f', "model": {json.dumps(KEY)}}}'),
    "usage": raw(200, message(usage={"prompt_tokens": KEY, "completion_tokens": KEY})),
    "refusal": raw(200, message(message={"content": None, "refusal": KEY})),
    "parts": raw(200, message(message={"content": [{"type": "text", "text": KEY}]})),
    "call": raw(200, message(message={"content": None, "tool_calls": [{
        "id": KEY, "type": "function", "function": {"name": KEY, "arguments": KEY}
    }]})),
    "error code": raw(400, json.dumps({"error": {"code": KEY, "type": KEY}})),
}  # fmt: skip
PARTS = [KEY, "Very/Secret", "sk-Very", quote(KEY, safe="")[:12]]
PARTS += [base64.b64encode(KEY.encode()).decode()[:14]]


def run(folder, url, key, *more):
    arguments = [
        "run", "--env", "aq/Mastermind-v0", "--episodes", "1", "--max-steps", "2",
        "--agent", "llm", "--model", "m", "--base-url", url, "--out", "out",
        "--agent-arg", "max_retries=0", *more,
    ]  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "aq_gym", *arguments], cwd=folder, check=False,
        env={**os.environ, "OPENAI_API_KEY": key}, capture_output=True, timeout=600,
    )  # fmt: skip


def assert_absent(folder, done, parts=PARTS):
    texts = [done.stdout, done.stderr]
    texts += [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    for text in texts:
        for part in parts:
            assert part.encode() not in text, text[-2000:]


TRACKERS = pytest.param(
    ("tensorboard", "wandb"),
    marks=pytest.mark.needs("module:wandb", "module:tensorboardX"),
)


@pytest.mark.slow
@pytest.mark.parametrize("logs", [(), TRACKERS])
def test_an_echoed_key_is_nowhere(tmp_path, monkeypatch, logs):
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_X_SERVICE_WAIT", "600")  # seconds, on a busy machine
    for kind in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"WANDB_{kind}_DIR", str(tmp_path / "wandb"))
    server = ScriptedServer(*ECHOES.values())
    options = [option for name in logs for option in ("--log", name)]
    options += ["--stop-after", "99", "--episodes", str(len(ECHOES))]
    done = run(tmp_path, server.url, KEY, *options)
    server.close()
    assert len(server.requests) >= len(ECHOES)
    files = [file for file in tmp_path.glob("**/*") if file.is_file()]
    masked_in = [file for file in files if b"***" in file.read_bytes()]
    assert masked_in
    if logs:
        assert list(tmp_path.glob("out/tensorboard/events*"))
        assert list(tmp_path.glob("**/*.wandb"))
    assert_absent(tmp_path, done)


@pytest.mark.parametrize("ending", [" ", "\r", "\n", "\r\n", "\t", " \n"])
def test_whitespace_around_a_key_is_removed(monkeypatch, ending):
    monkeypatch.setenv("OPENAI_API_KEY", f"{ending}{KEY}{ending}")
    assert read_secret("OPENAI_API_KEY") == KEY


@pytest.mark.parametrize("middle", ["\n", " ", "\x00x", "ü", "\u200b"])
def test_a_key_that_cannot_be_one_is_an_error_that_does_not_show_it(
    monkeypatch, middle
):
    key = f"sk-very{middle}secret-key"
    if "\x00" in key:
        monkeypatch.setattr(os, "environ", {"OPENAI_API_KEY": key})
    else:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ValueError, match="OPENAI_API_KEY contains") as refused:
        read_secret("OPENAI_API_KEY")
    assert "secret" not in str(refused.value)


@pytest.fixture
def fresh(monkeypatch):
    monkeypatch.setattr(redaction, "_FORMS", ())


def test_short_values_are_placeholders(fresh):
    keep_secret("none")
    assert redact("none of them") == "none of them"


def test_every_form_is_removed(fresh):
    for secret in ("first-secret", "first-secret-and-longer"):
        keep_secret(secret)
    assert redact("a first-secret-and-longer b first-secret") == "a *** b ***"
    encoded = base64.b64encode(b"first-secret")
    assert redact(f"x{encoded.decode()}") == "x***"
    assert redact("nothing") == "nothing"


def test_whatever_is_written_has_no_key(fresh, tmp_path, capsys):
    keep_secret(KEY)
    for text in (KEY, f"{KEY}\ud800"):
        assert b':"***' in dumps({"a": text})
    write_json(tmp_path / "a.json", {"a": KEY})
    assert json.loads((tmp_path / "a.json").read_text()) == {"a": "***"}
    with safe_output():
        sys.stdout.write(KEY)
        sys.stderr.write(KEY)
    assert capsys.readouterr() == ("***", "***")


def test_a_secret_has_eight_characters_at_least_and_is_no_word(fresh):
    for secret in ("1234567", "87654321", "progress"):
        keep_secret(secret)
    assert redact("1234567 87654321 progress") == "1234567 *** progress"


@pytest.mark.parametrize("secret", ["87654321", "progress", "correct-horse-battery-st"])
def test_what_is_played_is_written_as_it_is(fresh, secret):
    """A number or a word can be an action, or the name of a field."""
    keep_secret(secret)
    record = {secret: [f"Guess: {secret}"]}
    assert masked(record) == record
    assert json.loads(dumps(record)) == record


def test_a_key_is_masked_in_every_value(fresh):
    keep_secret(KEY)
    record = {"a": [{"b": f"x{KEY}", KEY: quote(KEY)}], "n": 1, "json": json.dumps(KEY)}
    expected = {"a": [{"b": "x***", "***": "***"}], "n": 1, "json": '"***"'}
    assert masked(record) == expected
    assert record["n"] == 1 and KEY in record["a"][0]["b"]


SENT = "q7RtY2mZ9wLp4XcV"
URL = "http://127.0.0.1:9/v1"
RECORDED = [
    *({"request": {name: {header: SENT}}} for name, header in [
        ("extra_headers", "X-PAT"), ("extra_headers", "Authorization"),
        ("headers", "X-Custom"), ("default_headers", "Ocp-Apim-Subscription-Id"),
        ("extraHeaders", "Cf-Access-Client"), ("http-headers", "x-goog-user"),
        ("extra_cookies", "sid"), ("extra_query", "code"), ("EXTRA_HEADERS", "A"),
    ]),
    *({"request": {"extra_headers": shape}} for shape in [
        [["X-PAT", SENT]], [("X-PAT", SENT)], [SENT], [f"X-PAT: {SENT}"],
        f"X-PAT: {SENT}", json.dumps({"X-PAT": SENT}), [{"name": "X-PAT", "v": SENT}],
        {"X-PAT": [SENT]}, {"X-PAT": {"value": SENT}}, {"a": 1, "b": SENT},
    ]),
    {"extra_headers": {"X-PAT": SENT}},
    {"request": {"extra_body": {"headers": {"X-PAT": SENT}}}},
    *({"base_url": f"{URL}{query}"} for query in [
        f"?code={SENT}", f"?api-version=2024-10-21&code={SENT}", f"?{SENT}",
        f"?code=a;b={SENT}", f"?co%64e={SENT}", f"#{SENT}", f"#access={SENT}",
        f"?a=1?b={SENT}", f"?CODE={SENT}", f"?api-version={SENT}/{SENT}",
        f"/{SENT}{SENT}", f"?subscription={SENT}&x", f"?next=http://a/?k={SENT}",
    ]),
    {"request": {"proxy": f"http://127.0.0.1/?code={SENT}"}},
    {"request": {"nested": [{"deep": [f"https://a/?u={SENT}"]}]}},
    {"note": SENT + SENT},
    {"pat": SENT},
    {"request": {"pwd": SENT}},
    {"request": {"passphrase": SENT}},
    {"request": {"user": f"sk-{SENT}"}},
    {"base_url": f"http://u:{SENT}@127.0.0.1:9/v1"},
    {"base_url": f"{URL}?api_key={SENT}"},
    {"request": {"extra_headers": {"X-API-Key": SENT}}},
]  # fmt: skip


@pytest.mark.parametrize("params", RECORDED, ids=repr)
def test_settings_that_may_be_keys_are_refused_or_not_recorded(params):
    refused = any(holds_secret(name, value) for name, value in params.items())
    assert refused or SENT not in json.dumps(recordable(params))


@pytest.mark.parametrize(
    "params",
    [
        {"model": "meta-llama/Llama-3.1-8B-Instruct-Turbo-2024", "temperature": 0.5},
        {"base_url": f"{URL}/openai/deployments/gpt-4o-2024?api-version=2024-10-21"},
        {"request": {"max_tokens": 5, "stop": ["\n"], "extra_body": {"top_k": 3}}},
        {"revision": "9f8b1c" * 6 + "abcd", "prompts": "ours"},
        {"query": "who wrote it?", "query_model": "small", "requery": {"after": 3}},
        {"system": "Look at https://a.b/c?d=e, then answer with aB3" + "aB3" * 20},
        {"system": "See http://a.b/c, or else " + "y" * 1_000_000},
    ],
)
def test_other_settings_are_recorded(params):
    assert not any(holds_secret(name, value) for name, value in params.items())
    assert recordable(params) == params


def test_a_run_has_the_names_of_headers_and_sends_the_query(tmp_path):
    paths = []

    def answer(handler):
        paths.append(handler.path)
        raw(200, message())(handler)

    server = ScriptedServer(answer)
    headers = json.dumps({"extra_headers": {"X-Route": SENT}})
    more = ["--agent-arg", f"request={headers}", "--max-steps", "1"]
    done = run(tmp_path, f"{server.url}?code={SENT}", "none", *more)
    server.close()
    assert done.returncode == 0, done.stderr
    assert paths == [f"/v1/chat/completions?code={SENT}"]
    assert SENT in json.dumps(server.requests)
    recorded = json.loads((tmp_path / "out/run.json").read_text())["agent_params"]
    assert recorded["request"]["extra_headers"] == {"X-Route": "[not recorded]"}
    assert_absent(tmp_path, done, [SENT])
