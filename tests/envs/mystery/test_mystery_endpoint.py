"""The endpoint that judges: its requests, its failures, its address."""

import json

import pytest
from envs.mystery.own_puzzles import SECRET, made
from scripted_server import ScriptedServer, answer, raw

from aq_gym.envs.mystery.judge.judge import Judge, JudgeError
from aq_gym.envs.mystery.puzzles import Puzzle

PUZZLE = Puzzle("It ended.", "It began.", ("It is old.",))


@pytest.fixture
def verdict(tmp_path):
    """Ask a judge, which keeps its client."""
    judges = []

    def ask(question="Is it?"):
        judges.append(judges[0] if judges else Judge("m", tmp_path / "v.jsonl"))
        return judges[0].on_question(PUZZLE, question).verdict

    return ask


def test_a_temperature_that_is_refused_is_left_out(judge, verdict):
    refusal = raw(400, '{"error": {"message": "unsupported value: temperature"}}')
    server = judge(refusal, answer("yes"))
    assert [verdict(), verdict("Was it?")] == ["yes", "yes"]
    assert ["temperature" in request for request in server.requests] == [
        True, False, False
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (raw(200, "{}"), "no choices"),
        (raw(401, f"wrong key {SECRET}"), r"status 401: wrong key \*\*\*"),
        (raw(400, "wrong model"), "status 400: wrong model"),
        (raw(307, "", Location="http://127.0.0.1:9/v1"), "status 307"),
    ],
)
def test_a_failure_is_an_error_without_the_key(judge, verdict, reply, message):
    server = judge(reply)
    with pytest.raises(JudgeError, match=f"the judge failed: .*{message}"):
        verdict()
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"content": None},
        {"content": "", "reasoning": "no"},
        {"content": None, "refusal": "no"},
        {"content": None, "tool_calls": [{"function": {"arguments": "no"}}]},
    ],
)
def test_what_is_not_the_models_text_is_no_verdict(judge, verdict, message):
    server = judge(raw(200, json.dumps({"choices": [{"message": message}]})))
    with pytest.raises(JudgeError, match="the judge answered '', none of yes"):
        verdict()
    assert len(server.requests) == 2


def test_the_request_is_that_of_the_protocol(judge, verdict):
    heads = {}

    def noting(handler):
        heads.update(handler.headers, path=handler.path)
        answer("yes")(handler)

    server = judge(noting)
    verdict("Is it \u00e9?")
    assert heads["Authorization"] == f"Bearer {SECRET}"
    assert heads["path"] == "/v1/chat/completions"
    (request,) = server.requests
    system, user = request.pop("messages")
    assert request == {"model": "m", "temperature": 0}
    assert (system["role"], user["role"]) == ("system", "user")
    assert json.loads(user["content"])["question"] == "Is it \u00e9?"


def test_the_judges_own_variables_come_first(judge, verdict, monkeypatch):
    judge(answer("no"))
    other = ScriptedServer(answer("yes"))
    monkeypatch.setenv("AQ_GYM_JUDGE_BASE_URL", other.url)
    assert verdict() == "yes"
    other.close()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "localhost:8000", "http://"])
def test_other_addresses_are_refused(verdict, monkeypatch, url):
    monkeypatch.setenv("AQ_GYM_JUDGE_BASE_URL", url)
    with pytest.raises(ValueError, match="must be the address of an endpoint"):
        verdict()


@pytest.mark.parametrize("key", ["two\nlines", "\u00fcber"])
def test_other_keys_are_refused_by_the_constructor(puzzles, judge, monkeypatch, key):
    judge(answer("no"))
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ValueError, match="OPENAI_API_KEY contains") as refusal:
        made(puzzles)
    assert key not in str(refusal.value)


def test_without_an_endpoint_the_constructor_says_what_to_set(puzzles, unconfigured):
    with pytest.raises(ValueError, match="set OPENAI_API_KEY for OpenAI, or OPENAI_BA"):
        made(puzzles)
