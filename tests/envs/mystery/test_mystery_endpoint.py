"""The endpoint that judges: its requests, its failures, its address."""

import pytest
from envs.mystery.own_puzzles import SECRET, made
from scripted_server import ScriptedServer, answer, drop, raw

from aq_gym.envs.mystery.judge.endpoint import Endpoint, JudgeError


def test_a_temperature_that_is_refused_is_left_out(judge):
    refusal = raw(400, '{"error": {"message": "unsupported value: temperature"}}')
    server = judge(refusal, answer("yes"))
    endpoint = Endpoint("m")
    assert [endpoint.answer("s", "u") for _ in range(2)] == ["yes", "yes"]
    assert ["temperature" in request for request in server.requests] == [
        True, False, False
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    ["{}", "", "[1]", '{"choices": []}', '{"choices": [{"a": {}}]}', "[" * 99_999],
    ids=range(6),
)
def test_what_is_no_completion_is_an_error(judge, body):
    judge(raw(200, body))
    with pytest.raises(JudgeError, match="no completion"):
        Endpoint("m").answer("s", "u")


def test_a_completion_without_text_is_an_error(judge):
    judge(raw(200, '{"choices": [{"message": {"content": null}}]}'))
    with pytest.raises(JudgeError, match="without text"):
        Endpoint("m").answer("s", "u")


def test_passing_failures_are_tried_again(judge, monkeypatch):
    waits = []
    monkeypatch.setattr("time.sleep", waits.append)
    server = judge(
        raw(429, "slow down", Retry_After="7"), raw(503, "x"), drop, raw(500, "x"),
        raw(429, "x", Retry_After="9999"), raw(429, "x", Retry_After="soon"),
        answer("yes"),
    )  # fmt: skip
    assert Endpoint("m").answer("s", "u") == "yes"
    assert waits == [7.0, 1.0, 2.0, 4.0, 60.0, 16.0]
    assert len(server.requests) == 7


def test_a_failure_that_lasts_is_an_error(judge, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server = judge(drop)
    with pytest.raises(JudgeError, match="the judge failed: Remote"):
        Endpoint("m").answer("s", "u")
    assert len(server.requests) == 7
    judge(raw(401, f"wrong key {SECRET}"))
    with pytest.raises(JudgeError, match=r"status 401: wrong key \*\*\*"):
        Endpoint("m").answer("s", "u")


def test_a_redirect_is_not_followed(judge):
    other = ScriptedServer(answer("yes"))
    judge(raw(307, "", Location=f"{other.url}/chat/completions"))
    with pytest.raises(JudgeError, match="status 307"):
        Endpoint("m").answer("s", "u")
    assert not other.requests
    other.close()


def test_the_request_is_that_of_the_protocol(judge):
    heads = {}

    def noting(handler):
        heads.update(handler.headers, path=handler.path)
        answer("yes")(handler)

    server = judge(noting)
    Endpoint("m").answer("be a host", "\u00e9")
    assert heads["Authorization"] == f"Bearer {SECRET}"
    assert heads["path"] == "/v1/chat/completions"
    assert server.requests == [
        {
            "model": "m",
            "temperature": 0,
            "messages": [
                {"role": "system", "content": "be a host"},
                {"role": "user", "content": "\u00e9"},
            ],
        }
    ]


def test_the_judges_own_variables_come_first(judge, monkeypatch):
    judge(answer("no"))
    other = ScriptedServer(answer("yes"))
    monkeypatch.setenv("AQ_GYM_JUDGE_BASE_URL", other.url)
    assert Endpoint("m").answer("s", "u") == "yes"
    other.close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("file:///etc/passwd", "must begin with http"),
        ("localhost:8000", "must begin with http"),
        ("http://", "must begin with http"),
        ("http://me:secret@localhost/v1", "must not hold a login"),
    ],
)
def test_other_addresses_are_refused(monkeypatch, url, message):
    monkeypatch.setenv("AQ_GYM_JUDGE_BASE_URL", url)
    with pytest.raises(ValueError, match=message) as refusal:
        Endpoint("m")
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("key", ["two\nlines", "\u00fcber"])
def test_other_keys_are_refused_by_the_constructor(puzzles, judge, monkeypatch, key):
    judge(answer("no"))
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ValueError, match="must be one line of ASCII") as refusal:
        made(puzzles)
    assert key not in str(refusal.value)


def test_without_an_endpoint_the_constructor_says_what_to_set(puzzles, unconfigured):
    with pytest.raises(ValueError, match="set OPENAI_API_KEY for OpenAI, or OPENAI_BA"):
        made(puzzles)
