"""The estimate of what a run will take."""

import pytest
from scripted_server import raw

from aq_gym.cli.main import main
from aq_gym.envs.mastermind import MastermindEnv
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.evaluation.preflight import estimate_run
from aq_gym.support.user_files import UserFileError

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


def test_a_long_conversation_is_bounded_by_the_context():
    params = {"model": "m", "context": 2_000, "max_tokens": 100}
    task = Task("aq/Mastermind-v0", 0, {}, 1_000)
    estimate = estimate_run(Suite("own", (task,)), "llm", params)
    assert 1_000 * 1_000 < estimate.total("read") <= 1_000 * 1_900


def dry_run(out, *options):
    common = ["run", "--agent", "llm", "--agent-arg", "model=m", "--dry-run"]
    return main([*common, "--out", str(out), *options])


def test_a_dry_run_prints_and_writes_nothing(tmp_path, capsys):
    out = tmp_path / "a"
    price = ["--agent-arg", "price=[1000, 1000]", "--seconds-per-request", "36"]
    ids = ["--env", "aq/Mastermind-v0", "aq/Wordle-v0", "--episodes", "50"]
    assert dry_run(out, *ids, *price) == 0
    shown = capsys.readouterr().out
    for part in ("aq/Mastermind-v0", "aq/Wordle-v0", "all", "cost: ", "36 s a request"):
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


def test_files_that_are_read_at_the_reset_are_read(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(MastermindEnv, "_reset", raising)
    command = ["run", "--env", "aq/Mastermind-v0", "--episodes", "1", "--dry-run"]
    assert main([*command, "--out", str(tmp_path / "a")]) == 1
    assert "missing for aq/Mastermind-v0: damaged" in capsys.readouterr().out


def raising(env, options):
    raise UserFileError("damaged")
