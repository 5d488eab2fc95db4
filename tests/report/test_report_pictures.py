"""The pictures of the episodes' worlds in the report."""

import json
import shutil
import sys
import threading
import urllib.error
import urllib.request
from unittest.mock import Mock

import pytest
from gymnasium.error import DependencyNotInstalled
from report_runs import rewrite
from test_report_page import island, records

import aq_gym  # noqa: F401
from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.report import load_runs, write_report
from aq_gym.report.archive import Archive
from aq_gym.report.collect import Collector
from aq_gym.report.findings import find_all
from aq_gym.report.live import LiveReport
from aq_gym.report.pictures import drawn
from aq_gym.report.ui import UiServer

FOREIGN = "foreign_of_a_report"


def pictured(runs, path, **arguments):
    """Write a report, and return its data and the pictures by run and task."""
    text = write_report(runs, path, **arguments).read_text()
    data, chunks = island(text), records(text)
    columns = data["episodes"]
    named = zip(columns["run"], columns["task"], columns["pictures"], strict=True)
    return data, {
        (run, task): chunks[place[0]][place[1]] for run, task, place in named if place
    }


def test_the_pictures_are_those_of_a_replay_each_distinct_one_once(runs, tmp_path):
    data, shown = pictured(runs, tmp_path / "r.html")
    assert len(shown) == len(data["episodes"]["task"]) == 18
    assert data["unpictured"] == ""
    folders = dict(zip(data["runs"], runs, strict=True))
    for (run, task), found in shown.items():
        file = folders[run] / "trajectories" / f"{task}.jsonl"
        assert [found["svg"][n] for n in found["at"]] == trajectory.pictures(
            file, theme="auto"
        )
        assert len(set(found["svg"])) == len(found["svg"])
        assert found["problem"] == ""
    assert any(len(found["svg"]) < len(found["at"]) for found in shown.values())


@pytest.mark.slow
def test_episodes_that_findings_name_come_first(runs, tmp_path):
    data, shown = pictured(runs, tmp_path / "r.html", pictures=3)
    assert len(shown) == 3
    assert data["unpictured"].startswith("The pictures of 3 of the 18 episodes are in")
    with Archive() as archive:
        loaded = load_runs(runs)
        collected = Collector().collect(loaded, archive)
        named = {
            (run, task)
            for number in range(len(loaded))
            for findings in find_all(collected, [number]).values()
            for finding in findings
            for run, task, _ in finding.examples
        }
    assert set(shown) <= named
    assert pictured(runs, tmp_path / "r.html", pictures=0)[1] == {}
    assert len(pictured(runs, tmp_path / "r.html", pictures=None)[1]) == 18


def test_a_log_that_names_no_environment_has_no_pictures(copy):
    def change(record):
        if record["kind"] == "header":
            record.update(spec=None, spec_missing="A log of another framework.")

    rewrite(copy, change)
    assert drawn(copy, task_of(copy)) == {"svg": [], "at": [], "problem": ""}


@pytest.fixture
def copy(runs, tmp_path):
    return shutil.copytree(runs[0], tmp_path / "copy")


def task_of(run):
    return max((run / "trajectories").iterdir()).stem


def test_pictures_end_where_the_replay_differs(copy):
    def change(record):
        if record.get("t") == 3:
            record["observation"] = "Something else."

    whole = drawn(copy, task_of(copy))
    rewrite(copy, change)
    found = drawn(copy, task_of(copy))
    assert found["at"] == whole["at"][:3]
    assert found["problem"].startswith("No pictures after step 2: the replay there is")


def test_a_long_episode_is_drawn_to_a_step(copy, monkeypatch):
    monkeypatch.setattr("aq_gym.report.pictures._MOST_STEPS", 4)
    found = drawn(copy, task_of(copy))
    assert len(found["at"]) == 5
    assert found["problem"] == "No pictures after step 4: 4 steps are drawn."


def test_code_that_a_file_names_is_imported_only_with_trust(
    copy, tmp_path, monkeypatch, capsys
):
    def change(record):
        if record["kind"] == "header":
            record["spec"]["id"] = "Foreign-v0"
            record["spec"]["entry_point"] = f"{FOREIGN}:Env"

    rewrite(copy, change)
    (tmp_path / f"{FOREIGN}.py").write_text("class Env: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    _, shown = pictured([copy], tmp_path / "r.html")
    problems = {found["problem"] for found in shown.values()}
    assert all("'Foreign-v0', which is not registered here," in one for one in problems)
    assert all(one.endswith("aq-gym report --trust draws them.") for one in problems)
    assert FOREIGN not in sys.modules
    out = ["-o", str(tmp_path / "r.html")]
    assert main(["report", str(copy), "--trust", "--pictures", "1", *out]) == 0
    assert sys.modules.pop(FOREIGN)


@pytest.mark.parametrize("file", ["", "not a trajectory", "../run", "missing"])
def test_a_file_without_an_episode_gives_a_reason(copy, file):
    task = task_of(copy)
    (copy / "trajectories" / f"{task}.jsonl").write_text(file)
    for name in (task, file):
        found = drawn(copy, name)
        assert (found["svg"], found["at"]) == ([], [])
        assert found["problem"].startswith("No pictures: the episode cannot be rep")


def test_a_missing_extra_is_named(copy, monkeypatch):
    monkeypatch.setattr(
        "gymnasium.make", Mock(side_effect=DependencyNotInstalled("it needs an extra"))
    )
    assert drawn(copy, task_of(copy))["problem"] == "No pictures: it needs an extra"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "count"), [("none", 0), ("2", 2), ("all", 9)])
def test_the_command_draws_so_many(runs, tmp_path, text, count):
    out = tmp_path / "r.html"
    assert main(["report", str(runs[0]), "--pictures", text, "-o", str(out)]) == 0
    places = island(out.read_text())["episodes"]["pictures"]
    assert sum(place is not None for place in places) == count


def test_the_command_refuses_another_number(runs, capsys):
    with pytest.raises(SystemExit):
        main(["report", str(runs[0]), "--pictures", "some"])
    assert "'some' must be a whole number of at least 0" in capsys.readouterr().err


def test_a_server_draws_what_is_asked_for(runs):
    server = UiServer(runs[0].parent, "a-token", opened=runs)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def get(path):
        address = f"http://127.0.0.1:{server.server_port}/a-token/{path}"
        try:
            with urllib.request.urlopen(address) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code

    task = task_of(runs[1])
    try:
        assert get(f"{server.first}pictures/1/{task}") == drawn(runs[1], task)
        for path in ("2/" + task, "-1/" + task, "x/" + task, "0/", "0/..%2F" + task):
            assert get(f"{server.first}pictures/{path}") == 404
    finally:
        server.shutdown()
        server.server_close()
    assert "pictures" not in island(LiveReport(runs).page())["episodes"]
