"""``aq-gym rate``."""

import json

import pytest
from rating_judges import CRITERIA, POLICIES, as_json, criterion, honest, record
from scripted_server import raw

from aq_gym.cli import main


@pytest.fixture
def run(tmp_path):
    record(tmp_path / "run", [0, 1, 2, 3, 4])
    (tmp_path / "facts.json").write_text(as_json(criterion("facts")))
    return tmp_path / "run"


def rate(run, server, *options, repeats=1):
    return main([
        "rate", str(run), "--model", "m", "--base-url", server.url,
        "--criteria", str(run.parent / "facts.json"), "--repeats", str(repeats),
        *options,
    ])  # fmt: skip


def test_a_run_is_rated(run, judge, capsys):
    (run.parent / "facts.json").write_text(as_json(*CRITERIA))
    server = judge(POLICIES)
    assert rate(run, server, "--disturb", "none", "--workers", "2", repeats=4) == 0
    printed = capsys.readouterr().out
    assert "lenient: nearly constant: entropy 0.00" in printed
    assert "ratings.json" in printed
    row = next(line for line in printed.splitlines() if line.startswith("facts"))
    assert row.split() == ["facts", "keep", "1.00", "1.00", "1.00", "1.00", "0/20"]
    found = json.loads((run / "ratings.json").read_text())
    assert found["settings"]["disturbances"] == []


def test_a_dry_run_sends_nothing(run, judge, capsys):
    server = judge({})
    assert rate(run, server, "--dry-run", "--judge-arg", "price=[1, 2]") == 0
    # Five episodes, and two copies of those whose sentences can be removed.
    assert capsys.readouterr().out.startswith("15 calls, about ")
    assert not server.requests
    assert not (run / "ratings").exists()


def test_limits_and_failures_can_be_continued(run, judge, capsys):
    server = judge({"facts": honest})
    priced = ("--judge-arg", "price=[1000, 1000]", "--max-cost", "0.2")
    assert rate(run, server, *priced) == 1
    assert "raise the limit to continue" in capsys.readouterr().err
    assert len(server.requests) == 2
    server.policy = lambda text: raw(401, "{}")
    assert rate(run, server, "--judge-arg", "max_retries=0") == 1
    error = capsys.readouterr().err
    assert "the same command continues it" in error
    assert "Traceback" not in error
    server.policy = {"facts": honest}
    assert rate(run, server) == 0
    assert len(server.requests) == 16


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--base-url", "http://a", "--base-url", "http://b"], "is given 3 times"),
        (["--model", "m"], "judges must not be empty, and must differ"),
        (["--judge-arg", "colour=red"], "--judge-arg colour: choose one of context"),
        (["--judge-arg", "context=100"], "context=100 must be more than"),
        (["--disturb", "twirled"], "disturbance 'twirled': choose one of sentences"),
        (["--criteria", "none.json"], "none.json"),
        (["--labels", "none.csv"], "none.csv"),
        (["--labels", "none.csv", "--dry-run"], "none.csv"),
        (["--max-cost", "5"], "limit of cost: 5 is never reached, as no judge has a"),
        (["--max-cost", "5", "--dry-run"], '--judge-arg "price=[IN, OUT]"'),
        (["--judge-arg", "price=[1, 2]", "--max-cost", "nan"], "must be above 0"),
        (["--judge-arg", "price=[1, 2]", "--max-cost", "-1"], "must be above 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run, judge, capsys, options, said):
    server = judge({"facts": honest})
    assert rate(run, server, *options) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert not server.requests


def test_what_was_left_out_is_printed(run, judge, capsys):
    file = run / "e01.jsonl"
    file.write_bytes(file.read_bytes()[:-40])
    server = judge({"facts": honest})
    assert rate(run, server, "--disturb", "sentences:0.01") == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "note: episodes left out: 1 (e01)" in printed
    assert "note: sentences:0.01 changes no episode" in printed
    assert "facts: too few tasks to tell whether it follows success: 4" in printed
