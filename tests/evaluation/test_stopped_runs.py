"""Runs that stop at an error which ends every episode, and go on when it is mended."""

import json

import gymnasium as gym
import pytest
from scripted_server import answer, raw

from aq_gym.agents import LLMAgent
from aq_gym.cli import main
from aq_gym.evaluation import RunStoppedError, Suite, Task, load_run, run

SUITE = Suite("four", tuple(Task("aq/Mastermind-v0", s, max_steps=2) for s in range(4)))
PLAYED = answer("Guess: 1234")
NO_QUOTA = '{"error": {"message": "You exceeded your current quota", "code": '
NO_QUOTA += '"insufficient_quota"}}'
LASTING = {
    "wrong key": raw(401, '{"error": "invalid api key"}'),
    "no credit": raw(402, "{}"),
    "unknown model": raw(404, '{"error": "The model `m` does not exist"}'),
    "unknown model, otherwise": raw(400, '{"error": "Invalid model name passed in"}'),
    "quota": raw(429, NO_QUOTA),
    "balance": raw(400, '{"error": "Your credit balance is too low"}'),
    "another place": raw(307, "", Location="http://localhost:9/v1"),
}
PASSING = {
    "rate": raw(429, '{"error": "Rate limit reached for model m"}'),
    "server": raw(500, '{"error": "model not found in cache"}'),
    "moderation": raw(403, '{"error": "your input was flagged"}'),
    "mistake": raw(400, '{"error": "messages must alternate"}'),
}


def play(server, out, *, stop_after=1, **params):
    params = {"model": "m", "base_url": server.url, "max_retries": 0, **params}
    return run(SUITE, out, "llm", params, stop_after=stop_after)


@pytest.mark.parametrize("cause", LASTING)
def test_the_first_such_answer_stops_the_run_and_it_can_go_on(serve, tmp_path, cause):
    server = serve(PLAYED, PLAYED, PLAYED, LASTING[cause], PLAYED)
    with pytest.raises(RunStoppedError, match=r"EndpointStatusError: status \d+") as e:
        play(server, tmp_path, max_retries=2 if cause == "quota" else 0)
    assert len(e.value.episodes) == 1
    assert len(server.requests) == 4
    loaded = load_run(tmp_path)
    assert len(loaded.episodes) == 1
    assert loaded.summary["tasks"] == {"all": 4, "finished": 1}
    assert loaded.summary["overall"]["counts"]["errors"] == 0
    # What the stopped episode used before is not forgotten.
    assert loaded.summary["superseded"]["usage"]["tokens"] == 107
    episodes = play(server, tmp_path, max_retries=0)
    assert [bool(e.error) for e in episodes] == [False] * 4
    assert load_run(tmp_path).summary["superseded"]["episodes"] == 1


@pytest.mark.parametrize("cause", PASSING)
def test_other_failures_are_errors_of_their_episodes(serve, tmp_path, cause):
    episodes = play(serve(PASSING[cause], PLAYED), tmp_path)
    assert [bool(e.error) for e in episodes] == [True, False, False, False]


def test_a_host_that_comes_and_goes(serve, tmp_path):
    wrong = LASTING["wrong key"]
    server = serve(wrong, wrong, PLAYED, PLAYED, wrong, PLAYED)
    with pytest.raises(RunStoppedError, match="status 401"):
        play(server, tmp_path, stop_after=3)
    # The one in the middle was played; the others are left for the next session.
    assert len(load_run(tmp_path).episodes) == 1
    assert not any(e.error for e in play(server, tmp_path, stop_after=3))
    with pytest.raises(ValueError, match="stop_after=0 must be at least 1"):
        play(server, tmp_path, stop_after=0)


def test_an_unreachable_host_stops_the_run(serve, tmp_path):
    server = serve(PLAYED)
    server.close()
    with pytest.raises(RunStoppedError, match="no connection: ConnectionRefusedError"):
        play(server, tmp_path)
    assert load_run(tmp_path).episodes == []


def test_from_the_command_line(serve, capsys, tmp_path):
    server = serve(LASTING["wrong key"])
    command = [
        "run", "--env", "aq/Mastermind-v0", "--max-steps", "2", "--episodes", "3",
        "--agent", "llm", "--model", "m", "--base-url", server.url, "--workers", "2",
        "--executor", "inline", "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    assert main(command) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("status 401") == 1
    assert err.count("\n") == 1
    assert "after 0 of 3 episodes; the same command continues the run" in err
    server.script = [PLAYED]
    assert main(command) == 0


def test_without_a_key_and_an_address_nothing_begins(capsys, monkeypatch, tmp_path):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    out = tmp_path / "out"
    command = ["run", "--env", "aq/Mastermind-v0", "--agent", "llm", "--model", "m"]
    assert main([*command, "--out", str(out)]) == 1
    err = capsys.readouterr().err
    assert "no key for https://api.openai.com/v1: set OPENAI_API_KEY, or give" in err
    assert not out.exists()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something")
    LLMAgent(gym.make("aq/Mastermind-v0"), "m")


def test_a_run_goes_on_elsewhere_and_notes_it(serve, tmp_path):
    first = serve(PLAYED, PLAYED, LASTING["wrong key"])
    with pytest.raises(RunStoppedError):
        play(first, tmp_path, timeout=60)
    other = serve(PLAYED)
    params = {"price": [1.0, 2.0], "max_retries": 3, "timeout": 60}
    assert len(play(other, tmp_path, **params)) == 4
    what = json.loads((tmp_path / "run.json").read_text())
    assert what["agent_params"]["base_url"] == first.url
    assert what["notes"]["workers"] == 1
    change = {"base_url": other.url, "price": [1.0, 2.0], "max_retries": 3}
    assert what["notes"]["changes"] == [{"after": 2, **change}]
    # The same again is no change; taking something back is one.
    play(other, tmp_path, **params)
    params.pop("price")
    play(other, tmp_path, **params)
    notes = json.loads((tmp_path / "run.json").read_text())["notes"]
    assert notes["changes"][1:] == [{"after": 5, "price": None}]


@pytest.mark.parametrize(
    "params",
    [{"model": "other"}, {"prompting": "react"}, {"temperature": 1}, {"context": 4096},
     {"max_tokens": 9}, {"request": {"top_p": 0.5}}, {"example": False}],
)  # fmt: skip
def test_what_the_answers_depend_on_stays(serve, tmp_path, params):
    server = serve(PLAYED)
    play(server, tmp_path)
    with pytest.raises(
        ValueError, match="another run: agent_params." + next(iter(params))
    ):
        play(server, tmp_path, **params)


def test_a_change_of_workers_is_noted(serve, tmp_path):
    server = serve(PLAYED)
    suite = Suite("two", SUITE.tasks[:2])
    for workers in (1, 2, 2):
        run(suite, tmp_path, "random", executor="threads", workers=workers)
    notes = json.loads((tmp_path / "run.json").read_text())["notes"]
    assert (notes["workers"], notes["changes"]) == (1, [{"after": 2, "workers": 2}])
    # A larger suite keeps what was noted.
    run(Suite("two", SUITE.tasks), tmp_path, "random", workers=2)
    notes = json.loads((tmp_path / "run.json").read_text())["notes"]
    assert (notes["tasks"], len(notes["changes"])) == (4, 1)
    assert not server.requests
