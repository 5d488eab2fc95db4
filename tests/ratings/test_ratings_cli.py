"""``aq-gym rate``, and the section of its ratings in the report."""

import json
import re
from itertools import pairwise

import pytest
from rating_judges import (
    CRITERIA,
    POLICIES,
    as_json,
    asked,
    code,
    criterion,
    honest,
    record,
)
from scripted_server import raw

from aq_gym.cli import main
from aq_gym.evaluation import METRICS, Suite, Task, load_run, run, score
from aq_gym.ratings import Judge, Settings, assess
from aq_gym.ratings.criteria import criteria_of
from aq_gym.ratings.first_bad_step import first_bad_steps
from aq_gym.report import write_report

GRADES = ("no <b>", "partly", "yes")


@pytest.fixture(name="run")
def recorded_run(tmp_path):
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


def test_judges_are_measured_on_the_first_bad_step(tmp_path, judge, capsys):
    def second(text):
        # Says step 2 of every episode.
        ((_, values),) = asked(text)
        return code(values, "2")

    server = judge(second)
    tasks = [Task("aq/PDDL-v0", n, {"domain": "hanoi", "size": 2}, 4) for n in range(4)]
    secret = Task("aq/Mastermind-v0", 0, max_steps=3)
    long = Task("aq/PDDL-v0", 0, {"domain": "hanoi", "size": 4}, 20)
    knowing = Task("aq/GSM8K-v0", 0, max_steps=3)
    run(Suite("s", (*tasks, secret, long, knowing)), tmp_path / "run", "random")
    options = ["--criteria", "first-bad-step", "--disturb", "none"]
    assert rate(tmp_path / "run", server, *options) == 1
    assert "has no episode that shows its first bad step" in capsys.readouterr().err
    metrics = [metric for metric in METRICS.values() if metric.replayed]
    score(tmp_path / "run", metrics)
    assert rate(tmp_path / "run", server, *options) == 0
    known = dict(first_bad_steps(tmp_path / "run"))
    assert known.keys() == {task.name for task in tasks}
    rows = {row.task: row.steps_to_go for row in load_run(tmp_path / "run").episodes}
    for name, step in known.items():
        costs = [b + 1 - a for a, b in pairwise(rows[name])]
        assert step == next((t for t, cost in enumerate(costs, 1) if cost > 0), 0)
    share = sum(step == 2 for step in known.values()) / 4
    assert len(server.prompts) == 4
    said = f"first bad step: equal to {share:.0%} of 4 labels"
    assert said in capsys.readouterr().out


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


@pytest.fixture
def rated(tmp_path, judge):
    task = {"code_length": 1, "symbols": "123"}
    tasks = tuple(Task("aq/Mastermind-v0", n, task, max_steps=2) for n in range(8))
    run(Suite("s", tasks), tmp_path / "run", "random")

    def won(text):
        ((_, values),) = asked(text)
        return code(values, "yes" if "You won" in text else "no <b>")

    criteria = criteria_of([criterion("winning <i>", GRADES)])
    settings = Settings(repeats=2, disturbances=("steps:0.5",))
    server = judge(won)
    assess(tmp_path / "run", [Judge("m", server.url)], settings, criteria=criteria)
    return tmp_path / "run"


def test_the_section_links_the_episodes_of_each_value(rated, tmp_path):
    page = write_report([rated], tmp_path / "r.html").read_text()
    section = page[page.index('<section id="ratings"') :].partition("</section>")[0]
    assert 'href="#ratings"' in page
    assert "winning &lt;i&gt;" in section and "<i>" not in section
    # From worst to best, of the successes first.
    values = re.findall(r'scope="row">(no|partly|yes)', section)
    assert values == ["no", "partly", "yes"] * 2
    rows = load_run(rated).episodes
    successes = sum(row.success for row in rows)
    for group, of in (("succeeded", successes), ("failed", 8 - successes)):
        assert f"<caption>{group}: {of} rated episodes</caption>" in section
    links = re.findall(r'href="#episode=([^&]*)&amp;run=random"', section)
    assert links == [
        row.task
        for group in (True, False)
        for row in sorted(rows, key=lambda row: row.task)
        if row.success is group
    ]


@pytest.mark.parametrize("change", [{"criteria": [{}]}, {"judges": 3}])
def test_a_damaged_file_is_named(rated, tmp_path, change):
    written = json.loads((rated / "ratings.json").read_text())
    (rated / "ratings.json").write_text(json.dumps({**written, **change}))
    with pytest.raises(ValueError, match=r"ratings\.json is damaged: '\w+': "):
        write_report([rated], tmp_path / "r.html")
