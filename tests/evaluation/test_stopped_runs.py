"""Runs that stop and continue, and the estimate of what a run will take."""

import json
import shutil
from dataclasses import replace
from importlib.metadata import version

import gymnasium as gym
import pytest
from scripted_server import answer, raw
from toy_envs import ToyAgent

from aq_gym import trajectory
from aq_gym.agents import LLMAgent
from aq_gym.cli import main
from aq_gym.evaluation import (
    LimitReachedError,
    RunStoppedError,
    Suite,
    Task,
    load_run,
    run,
)
from aq_gym.evaluation.preflight import estimate_run
from aq_gym.trajectory import jsonl

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


def play(server, out, *, stop_after=1, workers=1, **params):
    params = {"model": "m", "base_url": server.url, "max_retries": 0, **params}
    return run(SUITE, out, "llm", params, stop_after=stop_after, workers=workers)


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
    loaded = load_run(tmp_path)
    assert loaded.summary["superseded"]["episodes"] == 1
    # The stopped episode continued at its second step: nothing was asked again.
    assert len(server.requests) == 9
    used = loaded.summary["overall"]["usage"]["tokens"]
    assert used + 107 == 8 * 107


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
    assert len(play(other, tmp_path, workers=2, **params)) == 4
    what = json.loads((tmp_path / "run.json").read_text())
    assert what["agent_params"]["base_url"] == first.url
    assert what["notes"]["workers"] == 1
    change = {"base_url": other.url, "price": [1.0, 2.0], "max_retries": 3}
    assert what["notes"]["changes"] == [{"after": 2, **change, "workers": 2}]
    # The same again is no change; taking something back is one.
    play(other, tmp_path, workers=2, **params)
    params.pop("price")
    play(other, tmp_path, workers=2, **params)
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


LONG = Suite("long", (Task("aq/Mastermind-v0", 3, max_steps=4),))


def interrupt(out, task, steps, change=lambda lines: None):
    """Leave what a process that is killed after some steps leaves."""
    (out / "summary.json").unlink()
    (out / "episodes.jsonl").write_text("")
    file = out / "trajectories" / f"{task.name}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)[: steps + 1]
    change(lines)
    file.write_bytes(b"".join(lines) + b'{"kind":"st')


def tokens_of(out):
    summary = load_run(out).summary
    return [summary[key]["usage"]["tokens"] for key in ("overall", "superseded")]


def play_long(server, out, **more):
    params = {"model": "m", "base_url": server.url, "max_retries": 0}
    return run(LONG, out, "llm", params, **more)


def test_a_killed_episode_continues_at_its_last_step(serve, tmp_path):
    server = serve(*map(answer, ["1234", "5678", "1357", "2468"]))
    whole = play_long(server, tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "killed")
    interrupt(tmp_path / "killed", LONG.tasks[0], 2)
    rest = serve(*map(answer, ["1357", "2468"]))
    (episode,) = play_long(rest, tmp_path / "killed")
    assert len(rest.requests) == 2
    assert rest.requests[-1]["messages"] == server.requests[-1]["messages"]
    assert replace(episode, usage={}) == replace(whole[0], usage={})
    assert tokens_of(tmp_path / "killed") == [2 * 107, 2 * 107]
    (file,) = (tmp_path / "killed" / "trajectories").iterdir()
    assert trajectory.replay(file).identical
    notes = [step["notes"] for step in trajectory.read(file).steps]
    assert [one["finish_reason"] for one in notes] == ["stop"] * 4
    # Twice interrupted, and counted once.
    interrupt(tmp_path / "killed", LONG.tasks[0], 3)
    play_long(serve(answer("2468")), tmp_path / "killed")
    assert sum(tokens_of(tmp_path / "killed")) == 2 * 107


def test_interrupted_attempts_count_in_the_limits(serve, tmp_path):
    server = serve(PLAYED)
    play_long(server, tmp_path)
    interrupt(tmp_path, LONG.tasks[0], 3)
    with pytest.raises(LimitReachedError, match="tokens 321 has reached the limit 300"):
        play_long(server, tmp_path, limits={"tokens": 300})
    assert len(server.requests) == 4


class Priced(ToyAgent):
    """Is killed at its second step, and cannot restore a conversation."""

    def act(self, observation, info):
        if "action_valid" in info:
            raise KeyboardInterrupt
        self.env.get_wrapper_attr("annotate")(tokens=5)
        return "Guess: 1234"


def test_attempts_killed_at_the_same_step_are_all_counted(tmp_path):
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            run(LONG, tmp_path, "test_stopped_runs:Priced")
    rows = jsonl.read(tmp_path / "episodes.jsonl").records
    # The third is counted when it is continued.
    assert [row["usage"] for row in rows] == [{"tokens": 5}] * 2
    # Killed between counting and moving: it is not counted again.
    (aside,) = (tmp_path / "interrupted").glob("002-*")
    (current,) = (tmp_path / "trajectories").iterdir()
    current.unlink()
    aside.rename(current)
    with pytest.raises(KeyboardInterrupt):
        run(LONG, tmp_path, "test_stopped_runs:Priced")
    assert len(jsonl.read(tmp_path / "episodes.jsonl").records) == 2


def test_what_cannot_be_continued_is_played_from_its_start(serve, tmp_path):
    server = serve(PLAYED)
    play_long(server, tmp_path)

    def other_world(lines):
        record = json.loads(lines[1])
        record.pop("crc")
        record["observation"] = "Something else."
        lines[1] = jsonl.with_checksum(jsonl.dumps(record)) + b"\n"

    interrupt(tmp_path, LONG.tasks[0], 2, other_world)
    (episode,) = play_long(server, tmp_path)
    assert not episode.error and len(server.requests) == 8
    assert tokens_of(tmp_path) == [4 * 107, 2 * 107]


def change_manifest(out, **versions):
    manifest = json.loads((out / "run.json").read_text())
    manifest["versions"].update(versions)
    (out / "run.json").write_text(json.dumps(manifest))
    return manifest["versions"]


def test_other_versions_of_packages_are_noted(tmp_path):
    run(Suite("four", SUITE.tasks[:2]), tmp_path)
    before = change_manifest(tmp_path, numpy="1.0", python="3.10.1", gymnasium="1.1")
    run(SUITE, tmp_path)
    manifest = load_run(tmp_path).manifest
    assert manifest["versions"] == before
    (change,) = manifest["notes"]["changes"]
    assert change.pop("after") == 2
    assert sorted(change) == [
        "versions.gymnasium", "versions.numpy", "versions.python",
    ]  # fmt: skip
    assert change["versions.numpy"] == version("numpy")


def test_what_changes_results_needs_to_be_allowed(tmp_path, capsys):
    command = ["run", "--env", "aq/Mastermind-v0", "--max-steps", "2", "--quiet"]
    command += ["--out", str(tmp_path), "--episodes"]
    assert main([*command, "2"]) == 0
    change_manifest(tmp_path, **{"aq-gym": "0.0.9"})
    assert main([*command, "3"]) == 1
    err = capsys.readouterr().err
    assert "versions.aq-gym: '0.0.9' here" in err and "--allow-changes" in err
    assert main([*command, "3", "--allow-changes"]) == 0
    loaded = load_run(tmp_path)
    assert len(loaded.episodes) == 3
    assert [*loaded.manifest["notes"]["changes"][0]] == ["after", "versions.aq-gym"]
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "r.html")]) == 0
    assert main([*command, "4"]) == 0
    assert len(load_run(tmp_path).manifest["notes"]["changes"]) == 1


def test_a_change_is_allowed_once(tmp_path):
    """The values that were allowed count from then on, not those of the beginning."""
    run(SUITE, tmp_path, "random", {"seed": 1})
    run(SUITE, tmp_path, "random", {"seed": 2}, allow_changes=True)
    run(SUITE, tmp_path, "random", {"seed": 2})
    with pytest.raises(ValueError, match=r"agent_params\.seed: 2 here, 1 now"):
        run(SUITE, tmp_path, "random", {"seed": 1})
    run(Suite("other", SUITE.tasks), tmp_path, "expert", allow_changes=True)
    run(Suite("other", SUITE.tasks), tmp_path, "expert")
    with pytest.raises(ValueError, match="agent: 'expert' here, 'random' now"):
        run(Suite("other", SUITE.tasks), tmp_path, "random", {"seed": 2})
    assert len(load_run(tmp_path).manifest["notes"]["changes"]) == 2


def test_a_changed_source_of_an_agent_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    source = (
        "class Mine:\n"
        "    def __init__(self, env): pass\n"
        "    def reset(self, observation, info): pass\n"
        "    def act(self, observation, info): return '1234'\n"
    )
    (tmp_path / "changing_agent.py").write_text(source)
    two = Suite("four", SUITE.tasks[:2])
    run(two, tmp_path / "run", "changing_agent:Mine")
    (tmp_path / "changing_agent.py").write_text(source.replace("1234", "4321"))
    with pytest.raises(ValueError, match=r"another run: agent_source: '\w+' here"):
        run(SUITE, tmp_path / "run", "changing_agent:Mine")
    episodes = run(SUITE, tmp_path / "run", "changing_agent:Mine", allow_changes=True)
    assert len(episodes) == 4
    (change,) = load_run(tmp_path / "run").manifest["notes"]["changes"]
    assert sorted(change) == ["after", "agent_source"]


@pytest.mark.parametrize(
    "text", ['{"overall": {', '{"superseded": {"usage": 5}}', "[]"]
)
def test_the_same_command_writes_a_damaged_summary_again(tmp_path, text):
    command = ["run", "--env", "aq/Mastermind-v0", "--max-steps", "2", "--quiet"]
    command += ["--episodes", "2", "--out", str(tmp_path)]
    summary = tmp_path / "summary.json"
    assert main(command) == 0
    whole = summary.read_bytes()
    summary.write_text(text)
    assert main(command) == 0
    assert summary.read_bytes() == whole


UNCOUNTED = raw(200, '{"choices": [{"message": {"content": "1122"}}]}')


def suite(count=3, **kwargs):
    tasks = [Task("aq/Mastermind-v0", seed, kwargs, 5) for seed in range(count)]
    return Suite("own", tuple(tasks))


@pytest.mark.parametrize("params", [{}, {"tools": "native"}, {"prompting": "memory"}])
def test_no_run_takes_more_than_the_estimate(tmp_path, serve, params):
    server = serve(UNCOUNTED)
    params = {**params, "model": "m", "base_url": server.url, "max_tokens": 64}
    estimate = estimate_run(suite(), "llm", params)
    assert not server.requests
    episodes = run(suite(), tmp_path / "a", "llm", params)
    assert estimate.total("steps") == sum(one.steps for one in episodes) == 15
    assert len(server.requests) <= estimate.total("requests") <= 30
    used = sum(one.usage["estimated_tokens"] for one in episodes)
    most = estimate.total("read") + estimate.total("written_at_most")
    assert used <= most < 4 * used


def test_the_cost_is_that_of_the_tokens():
    params = {"model": "m", "base_url": "http://localhost:1", "price": (2.0, 10.0)}
    estimate = estimate_run(suite(), "llm", params)
    read, written = estimate.total("read"), estimate.total("written")
    assert estimate.cost[0] == pytest.approx((2 * read + 10 * written) / 1e6)
    assert estimate.cost[1] > estimate.cost[0]


def dry_run(out, *options):
    common = ["run", "--agent", "llm", "--agent-arg", "model=m", "--dry-run"]
    return main([*common, "--out", str(out), *options])


def test_a_dry_run_prints_and_writes_nothing(tmp_path, capsys):
    out = tmp_path / "a"
    price = ["--agent-arg", "price=[1000, 1000]"]
    ids = ["--env", "aq/Mastermind-v0", "aq/Wordle-v0", "--episodes", "50"]
    assert dry_run(out, *ids, *price) == 0
    shown = capsys.readouterr().out
    for part in ("aq/Mastermind-v0", "aq/Wordle-v0", "all", "cost: "):
        assert part in shown
    assert not out.exists()


def test_finished_episodes_are_left_out(tmp_path, capsys):
    run(suite(2), tmp_path / "a", "random")
    command = ["run", "--env", "aq/Mastermind-v0", "--max-steps", "5", "--dry-run"]
    assert main([*command, "--episodes", "3", "--out", str(tmp_path / "a")]) == 0
    shown = capsys.readouterr().out
    assert "2 episodes in " in shown
    assert shown.splitlines()[1].split() == ["aq/Mastermind-v0", "1", "5"]
    assert len(load_run(tmp_path / "a").episodes) == 2


def test_what_is_missing_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("AQ_GYM_DATA", str(tmp_path))
    ids = ["--env", "aq/Jericho-v0?game=zork1", "aq/Wordle-v0", "--episodes", "1"]
    assert dry_run(tmp_path / "a", *ids) == 1
    shown = capsys.readouterr().out
    assert "missing for aq/Jericho-v0?game=zork1: " in shown
    assert "zork1.z5" in shown
