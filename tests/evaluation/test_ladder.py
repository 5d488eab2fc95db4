"""The reference ladder: its data, and its rows beside runs of the same tasks."""

import json
import re
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from aq_gym.cli.main import main
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.evaluation.ladder import ALL, ladder, ladder_rows, rungs_beside
from aq_gym.report import write_leaderboard, write_report

TOOLS = Path(__file__).parents[2] / "tools"
KNOWN = ("nothing", "random", "expert, 30% noise", "expert, 10% noise", "expert")
MASTERMIND = "aq/Mastermind-v0"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ladder")
    part = Suite.load("ladder").part(only=[MASTERMIND], episodes=2)
    for agent in ("random", "expert"):
        run(part, folder / agent, agent)
    return [folder / "random", folder / "expert"]


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    import reference_ladder

    yield reference_ladder
    del sys.modules["reference_ladder"], sys.modules["ladder_tables"]


def test_the_data_are_of_the_packaged_suite_and_small():
    suite = Suite.load("ladder")
    assert ladder()["suite"] == suite.identity
    file = files("aq_gym.evaluation") / "ladder.json"
    assert len(file.read_bytes()) <= 100_000
    counts = {(row.rung, row.env): row.episodes for row in ladder_rows()}
    every = {task.id: 10 for task in suite.tasks} | {ALL: 180}
    for rung in KNOWN:
        assert {env: counts[rung, env] for env in every} == every
    assert not any(one["errors"] for one in ladder()["rungs"].values())


def test_known_rungs_are_in_order_by_progress_in_every_benchmark():
    rates = {
        (row.rung, row.env): row.estimates["progress rate"].value
        for row in ladder_rows()
    }
    for env in {task.id for task in Suite.load("ladder").tasks} | {ALL}:
        own = [rates[rung, env] for rung in KNOWN]
        assert own == sorted(own), env


def test_the_page_has_the_scores_of_the_data(tool):
    import ladder_tables

    shown = "".join(f"| {' | '.join(row)} |\n" for row in ladder_tables.scores())
    assert shown in ladder_tables.SCORES.read_text("utf-8")


def test_rungs_stand_beside_runs_of_their_tasks_only(runs, tmp_path):
    episodes = load_run(runs[0]).episodes
    assert {row.env for row in rungs_beside(episodes)} == {MASTERMIND}
    other = (Task(MASTERMIND, 0, {"split": "test"}, max_steps=8),)
    assert rungs_beside(run(Suite("other", other), tmp_path)) == []


def test_pages_have_grey_rows_of_the_rungs(tool, runs, tmp_path):
    page = write_leaderboard(runs, tmp_path / "l.html").read_text()
    assert "2 runs of the suite" in page and "Grey rows are known agents" in page
    noisy = [f"expert, {n}% noise (privileged)" for n in (30, 10)]
    order = ("random", *noisy, "expert (privileged)")
    places = [page.index(f'<tr class="muted">\n<th scope="row" data-value="{one}"')
              for one in order]  # fmt: skip
    assert places == sorted(places, reverse=True)
    # A run that is a known agent, by any name, has one row; its name opens its report.
    folder = tmp_path / "one & all"
    run(Suite.load("ladder").part(only=[MASTERMIND]), folder, "ladder_agents:Silent")
    page = write_leaderboard([folder], tmp_path / "l.html").read_text()
    assert 'muted">\n<th scope="row" data-value="nothing"' not in page
    assert "aq-gym report RUN -o RUN/report.html" in page and 'href="one' not in page
    (folder / "report.html").touch()
    run(Suite.load("ladder").part(only=[MASTERMIND]), tmp_path / "run", "random")
    page = write_leaderboard(
        [folder, tmp_path / "run"], tmp_path / "l.html"
    ).read_text()
    assert 'muted">\n<th scope="row" data-value="random"' not in page
    assert '<a href="one%20%26%20all/report.html">' in page
    assert re.search(r'data-value="-0\.\d+"><span', page)
    page = write_report(runs[:1], tmp_path / "r.html").read_text()
    assert f'data-run="{noisy[0]}" data-by="" data-part="" class="muted"' in page


def test_compare_prints_where_runs_stand_among_the_rungs(
    runs, capsys, tmp_path, monkeypatch
):
    all_tasks = frozenset(one.first_task for one in load_run(runs[0]).episodes)
    tasks = dict.fromkeys((MASTERMIND, ALL), all_tasks)
    monkeypatch.setattr("aq_gym.evaluation.ladder._tasks", lambda: tasks)
    run(Suite.load("ladder").part(only=[MASTERMIND], episodes=1), tmp_path, "expert")
    main(["compare", str(runs[0]), str(tmp_path)])
    # One of them has not played all.
    assert not re.search("^all ", capsys.readouterr().out, re.M)
    main(["compare", *map(str, runs)])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("A: random. It ") for line in lines)
    assert any(line.startswith("success rate  ") for line in lines)
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("all  ") for line in lines)
    reached = ["Mastermind", "0.38", "random", "1.00", "expert"]
    assert reached in [line.split() for line in lines]
    # A mean of 0.01 and 0.06 is not a hair below 0.035.
    loaded = load_run(runs[0])
    rates = zip(loaded.episodes, (0.01, 0.06), strict=True)
    loaded.episodes[:] = [replace(one, progress_rate=rate) for one, rate in rates]
    monkeypatch.setattr("aq_gym.cli.commands.compare.load_run", lambda _: loaded)
    main(["compare", "a", "b", "c"])
    assert re.search(r"^Mastermind( +0\.04){3} ", capsys.readouterr().out, re.M)
    main(["compare", *"a" * 20])
    assert "The first 9 of 20 runs; a report has all." in capsys.readouterr().out


@pytest.fixture
def small(tool, monkeypatch):
    suite = Suite("ladder", Suite.load("ladder").part(only=[MASTERMIND]).tasks[:3])
    monkeypatch.setattr(tool.Suite, "load", lambda name: suite)
    return suite


def test_a_rung_is_played_in_several_sittings(
    small, tool, tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(tool.RUNGS, "often", tool.Rung("random", attempts=3))
    command = ["tool", "often", "--runs", str(tmp_path), "--minutes"]
    monkeypatch.setattr(sys, "argv", [*command, "0"])
    tool.main()
    assert capsys.readouterr().out.endswith("the same command continues it\n")
    assert len(load_run(tmp_path / "often").episodes) == 1
    monkeypatch.setattr(sys, "argv", [*command, "9"])
    tool.main()
    content = tool.data({"often": load_run(tmp_path / "often")})
    assert content["rungs"]["often"]["episodes"] == 9 and content["rows"] == []
    (_, row) = content["attempts"]
    assert row[:3] == ["often", MASTERMIND, 3]


def test_the_tool_writes_what_it_measured_and_checks_hashes(
    runs, small, tool, tmp_path, monkeypatch
):
    with pytest.raises(SystemExit, match="is no run of"):
        tool.data({"random": load_run(runs[0])})
    played = {}
    for name in ("nothing", "expert, 30% noise"):
        tool.play(name, tmp_path, tmp_path, float("inf"))
        played[name] = load_run(tmp_path / name)
    content = json.loads(tool.written(tool.data(played)))
    assert content.pop("canary") and content["suite"]["hash"] == small.hash
    rung, env, count, *values = content["rows"][0]
    assert (rung, env, count) == ("nothing", ALL, 3)
    assert values[content["metrics"].index("progress rate")][0] == 0.0
    monkeypatch.setattr(tool, "FEWEST", 4)
    assert tool.data(played)["rungs"] == {}
    (tmp_path / f"{tool.QWEN.file}.gguf").write_bytes(b"another model")
    with pytest.raises(SystemExit, match="has the sha256 "):
        tool.model_file(tool.QWEN, tmp_path)
    with pytest.raises(SystemExit, match="is missing: give its folder"):
        tool.model_file(tool.QWEN, tmp_path / "nowhere")
